"""A judge on claims as the page lays it out: tables, the calibration curve, every judgement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.agreement.claim_judging import ClaimJudgement, has_scores
from ragassay.agreement.claim_statistics import ClaimCheck
from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.reliability import Reliability
from ragassay.report.claim_tables import (
    BIN_HEADS,
    FIGURE_HEADS,
    TYPE_HEADS,
    bin_name,
    calibration_title,
    claims_title,
    measures_of,
    named_figures,
    said,
    type_name,
)
from ragassay.report.reliability_figure import reliability_figure
from ragassay.report.safe_text import excerpt
from ragassay.report.tables import Cell, DataTable, cell
from ragassay.report.wording import count, decimal

MOST_SHOWN = 500
"""Judgements of each kind on a page; all of them are in ``values.jsonl``."""
_CLAIM_CHARS, _EVIDENCE_CHARS, _REASON_CHARS = 400, 300, 200


class Curve(NamedTuple):
    """The calibration curve and its values."""

    title: str
    drawing: Markup
    table: DataTable


class JudgementRow(NamedTuple):
    """One judgement, all of it finished text. where: of the claim in its file."""

    claim: str
    where: str
    type: str
    people: str
    verdict: str
    probability: str
    evidence: str
    reason: str


class JudgementGroup(NamedTuple):
    """Judgements of one kind. left_out: how many more there are."""

    title: str
    rows: Sequence[JudgementRow]
    left_out: int


class ClaimSection(NamedTuple):
    """curve: None where the judge gives no scores. groups: wrong ones first; none of them empty."""

    tables: Sequence[DataTable]
    curve: Curve | None
    groups: Sequence[JudgementGroup]


def claim_section(check: ClaimCheck, judgements: Sequence[ClaimJudgement]) -> ClaimSection:
    """What the page shows. judgements: wrong ones first."""
    return ClaimSection(
        tables=(_figure_table(check), _type_table(check)),
        curve=None if check.reliability is None else _curve(check.reliability),
        groups=_groups(judgements),
    )


def _figure_table(check: ClaimCheck) -> DataTable:
    return DataTable(
        caption=claims_title(check),
        heads=["source", *FIGURE_HEADS],
        rows=[
            (
                [name, count(figures.accuracy.total), count(figures.passages)],
                [_cell(each) for each in measures_of(figures)],
            )
            for name, figures in named_figures(check)
        ],
    )


def _type_table(check: ClaimCheck) -> DataTable:
    return DataTable(
        caption="By type of claim",
        heads=TYPE_HEADS,
        rows=[
            ([type_name(each.type), said(each.supported), count(each.accuracy.total)], [_cell(each.accuracy)])
            for each in check.by_type
        ],
    )


def _cell(found: MeasureEstimate) -> Cell:
    """Why there is no value stands in the cell, why there is no interval below the tables."""
    return Cell(missing=found.reason or "no value") if found.value is None else cell(found)


def _curve(reliability: Reliability) -> Curve:
    table = DataTable(
        caption=calibration_title(reliability),
        heads=BIN_HEADS,
        rows=[
            (
                [
                    bin_name(each.low, each.high),
                    count(each.n),
                    "–" if each.mean_score is None else decimal(each.mean_score),
                ],
                [_cell(each.supported)],
            )
            for each in reliability.bins
        ],
    )
    return Curve(table.caption, reliability_figure(reliability, "calibration"), table)


def _groups(judgements: Sequence[ClaimJudgement]) -> list[JudgementGroup]:
    scored = has_scores(judgements)
    found = []
    for title, is_right in (("Wrong", False), ("Without a verdict", None), ("Right", True)):
        of_kind = [each for each in judgements if each.is_right is is_right]
        if of_kind:
            rows = [_row(each, scored) for each in of_kind[:MOST_SHOWN]]
            found.append(JudgementGroup(f"{title}: {count(len(of_kind))}", rows, len(of_kind) - len(rows)))
    return found


def _row(judgement: ClaimJudgement, scored: bool) -> JudgementRow:
    claim = judgement.claim
    return JudgementRow(
        claim=excerpt(claim.text, _CLAIM_CHARS),
        where=claim.where,
        type=type_name(claim.type),
        people=said(claim.supported),
        verdict=said(judgement.verdict),
        probability=decimal(judgement.score, 2) if scored and judgement.score is not None else "–",
        evidence=excerpt(judgement.evidence, _EVIDENCE_CHARS),
        reason=excerpt(judgement.reason, _REASON_CHARS),
    )
