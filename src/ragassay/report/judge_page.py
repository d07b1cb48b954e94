"""One self-contained HTML page about a judge: against people, or against itself in a second run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragassay.agreement.check_statistics import MeasureName, QualityCheck, Row
from ragassay.agreement.repeatability import Repeated
from ragassay.report.claim_section import ClaimSection
from ragassay.report.judge_check_tables import MEASURE_WORDS, by_aspect, check_title, measures_of
from ragassay.report.page import render_page
from ragassay.report.tables import Cell, DataTable, cell


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePage:
    """title: what was measured. lines: why values are missing, and what ended the calls. version: of ragassay.

    claims: of a judge that was checked on claims. versions: name to version of what it was made with.
    """

    title: str
    model: str
    data: str
    version: str
    settings: Mapping[str, str]
    tables: Sequence[DataTable]
    claims: ClaimSection | None = None
    lines: Sequence[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


def render_judge(page: JudgePage) -> str:
    """The whole page as text, to be written as UTF-8."""
    return render_page(
        "judge.html.j2",
        page.version,
        page=page,
    )


def check_tables(checks: Sequence[QualityCheck]) -> Iterator[DataTable]:
    """One table a quality, for comparisons one an aspect: who against people, and what came out."""
    for check in checks:
        for rows in by_aspect(check):
            names = measures_of(rows)
            yield DataTable(
                caption=check_title(check, rows),
                heads=["scorer", "role", *(MEASURE_WORDS[name] for name in names)],
                rows=[([row.scorer.replace("_", " "), row.role], [_cell(row, name) for name in names]) for row in rows],
            )


def repeat_table(measures: Sequence[Repeated]) -> DataTable:
    """One row a metric: how far two runs of the same judge differ."""
    return DataTable(
        caption="Two runs of the same judge",
        heads=["quality", "metric", "Pearson", "mean absolute difference", "the same"],
        rows=[
            (
                [each.quality.replace("_", " "), f"{each.metric}{f' ({each.aspect})' if each.aspect else ''}"],
                [cell(each.pearson), cell(each.difference), cell(each.same)],
            )
            for each in measures
        ],
    )


def _cell(row: Row, name: MeasureName) -> Cell:
    """Empty where the scorer is not measured so."""
    found = row.measures.get(name)
    if found is None:
        return Cell()
    return replace(cell(found), missing=row.undefined.get(name, ""))
