"""A judge against people, on claims, and against itself in a second run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ragassay.agreement.check_statistics import MeasureName, QualityCheck, Row
from ragassay.agreement.claim_judging import ClaimJudgement, has_scores
from ragassay.agreement.claim_statistics import ClaimCheck
from ragassay.agreement.repeatability import Repeated
from ragassay.report.agreement import measured
from ragassay.report.blocks import Block, Column, Missing, Noted, Section, Table, Text, Value, typed
from ragassay.report.safe_text import excerpt
from ragassay.report.scores import reason_lines
from ragassay.report.wording import count, decimal

WRONG_SHOWN = 5
MOST_SHOWN = 500
"""Judgements of each kind on a page; all of them are in ``values.jsonl``."""
_CLAIM_CHARS, _EVIDENCE_CHARS = 400, 300
MEASURE_WORDS: Mapping[MeasureName, str] = {
    "accuracy": "right",
    "order_agreement": "both orders alike",
    "auroc": "AUROC",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
}


def blocks_of_checks(checks: Sequence[QualityCheck]) -> Iterator[Block]:
    """Yield a table for each quality, for comparisons one an aspect: who against people, and what came out."""
    yield Section("Figures")
    for check in checks:
        for aspect in dict.fromkeys(row.aspect for row in check.rows):
            yield _check_table(check, [row for row in check.rows if row.aspect == aspect])
    reasons = [(row.scorer.replace("_", " "), row.reasons) for check in checks for row in check.rows]
    yield Text([line for name, of in reasons for line in reason_lines({name: dict(Counter(of).most_common())})])
    tokens = dict.fromkeys((each.items, *each.tokens) for each in checks if each.tokens is not None)
    yield Text(
        [
            f"Tokens of the {items:,} rated answers: {read:,} in, {written:,} out, {read + written:,} in total, "
            f"{(read + written) / items:,.0f} each"
            for items, read, written in tokens
        ]
    )


def _check_table(check: QualityCheck, rows: Sequence[Row]) -> Table:
    names = [name for name in MEASURE_WORDS if any(name in row.measures for row in rows)]
    cells: list[Sequence[Value]] = [
        (row.scorer.replace("_", " "), row.role, *(_measure(row, name) for name in names)) for row in rows
    ]
    aspect = f": {rows[0].aspect}" if rows and rows[0].aspect else ""
    counted = f"{check.items:,} {check.shape}"
    if check.shape == "ratings":
        counted += f", mean {check.mean_rating:.3f}, {check.good:,} good and {check.bad:,} bad for AUROC"
    columns = ["", "role", *(Column(MEASURE_WORDS[name], "decimal") for name in names)]
    note = "With 95 % intervals; right leaves out what people call a tie." if aspect else "With 95 % intervals."
    return Table(f"{check.quality.replace('_', ' ')}{aspect} ({counted})", columns, cells, note)


def _measure(row: Row, name: MeasureName) -> Value:
    found = row.measures.get(name)
    if found is None or found.value is None:
        return None if found is None else Missing(row.undefined[name])
    most = max(each.total for each in row.measures.values())
    return Noted(found, f"n = {found.n:,}") if found.n == found.total < most else found


def blocks_of_repeated(measures: Sequence[Repeated]) -> Iterator[Block]:
    """Yield a row for each metric: how far two runs of the same judge differ."""
    rows: list[Sequence[Value]] = []
    for each in measures:
        name = each.metric if each.metric == each.quality else f"{each.quality}: {each.metric}"
        rows.append((f"{name} ({each.aspect})" if each.aspect else name, each.pearson, each.difference, each.same))
    columns = ["metric", *typed("decimal", "Pearson", "mean absolute difference", "the same")]
    yield Section("Figures")
    yield Table("Two runs of the same judge, with 95 % intervals", columns, rows)


def blocks_of_claims(check: ClaimCheck, judgements: Sequence[ClaimJudgement]) -> Iterator[Block]:
    """Yield all claims, each source, each type, and every judgement.

    judgements: wrong ones first, the surest mistakes before others.
    """
    yield Section("Figures")
    figures = check.figures
    title = (
        f"{count(figures.accuracy.total, 'claim')} about {count(figures.passages, 'passage')}, "
        f"{count(figures.supported)} supported (always saying the commoner of the two is right on "
        f"{decimal(check.commonest)}), with 95 % intervals over passages"
    )
    named = [("all", figures), *((source or "no source", of) for source, of in check.by_source.items())]
    rows: list[Sequence[Value]] = [
        (name, *map(measured, (of.accuracy, of.balanced_accuracy, of.auroc)), of.accuracy.total, of.passages)
        for name, of in named
    ]
    columns = ["", *typed("decimal", "right", "balanced accuracy", "AUROC"),
               Column("claims", "count"), Column("passages", "count")]  # fmt: skip
    yield Table(title, columns, rows)
    rows = [
        (each.type.replace("_", " ") or "no type", _said(each.supported), measured(each.accuracy), each.accuracy.total)
        for each in check.by_type
    ]
    heads = ["type", "the passage", Column("right", "decimal"), Column("claims", "count")]
    yield Table("By type of claim", heads, rows)
    yield Text(list(reason_lines({"claims": dict(Counter(check.reasons).most_common())})))
    yield Section("Judgements")
    yield from _judgements(judgements)


def _judgements(judgements: Sequence[ClaimJudgement]) -> Iterator[Block]:
    """Each kind of judgement; the first wrong ones in the terminal too."""
    scored = has_scores(judgements)
    for title, is_right in (("Wrong", False), ("Without a verdict", None), ("Right", True)):
        of_kind = [each for each in judgements if each.is_right is is_right]
        rows: list[Sequence[Value]] = [
            (
                excerpt(each.claim.text, _CLAIM_CHARS),
                _said(each.claim.supported),
                _said(each.verdict),
                each.score if scored else None,
                each.claim.type.replace("_", " ") or "no type",
                each.claim.where,
                excerpt(f"{each.evidence}: {each.reason}" if each.evidence else each.reason, _EVIDENCE_CHARS),
            )
            for each in of_kind[:MOST_SHOWN]
        ]
        columns = ["claim", "people say", "judge says", Column("probability", "two"), "type", "where", "why"]
        named = f"{title}: {count(len(of_kind))}"
        if is_right is False:
            yield Table(named, columns, rows, most=WRONG_SHOWN, rest="the folder of --out")
        else:
            yield Table(named, columns, rows, folded=True)


def _said(supported: bool | None) -> str:
    if supported is None:
        return "no verdict"
    return "supported" if supported else "not supported"
