"""How far people agree, and a judge with them; a judge on claims, and against itself in a second run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ragassay.people.agreement.agree import TaskAgreement
from ragassay.people.agreement.check_statistics import MeasureName, QualityCheck, Row
from ragassay.people.agreement.check_values import Repeated
from ragassay.people.agreement.claims import ClaimCheck, ClaimJudgement, has_scores
from ragassay.people.agreement.machine import METRICS, RIGHT
from ragassay.people.agreement.measure import MeasureEstimate
from ragassay.report.blocks import Block, Column, Headline, Missing, Noted, Section, Table, Text, Value, typed
from ragassay.report.html import render_page
from ragassay.report.safe_text import excerpt
from ragassay.report.scores import reason_lines
from ragassay.report.wording import count, decimal, portion

_SCALE = (
    "Kappa and alpha count agreement beyond chance: 1 is complete, 0 is what chance gives. What one person reaches "
    "against the others is the noise ceiling: no judge can be shown to do better."
)


_MEASURES = {
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "accuracy": "share as the majority",
    "kappa": "kappa with that majority",
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "kendall": "Kendall's tau-b",
    "pairwise_accuracy": "prefers what people prefer",
    "mean_difference": "its mean less that of people",
}
_RATINGS = ("pearson", "spearman", "kendall")


def render_agreement(
    found: Mapping[str, TaskAgreement], settings: Mapping[str, str], versions: Mapping[str, str]
) -> str:
    """Return the whole page as text, to be written as UTF-8. found: by task; versions: of all that took part."""
    judged = any(each.judge for each in found.values())
    title = "How far people agree" + (", and a judge with them" if judged else "")
    blocks = [Headline(title, [count(len(found), "task")]), *blocks_of_agreement(found)]
    return render_page("agreement", blocks, settings=settings, versions=versions)


def blocks_of_agreement(found: Mapping[str, TaskAgreement]) -> Iterator[Block]:
    """Yield what is known of each task; nothing of no task."""
    if not found:
        return
    yield Section("Agreement with people")
    yield Text(_SCALE, "note", on="page")
    for each in found.values():
        yield from _task(each)


def _task(each: TaskAgreement) -> Iterator[Block]:
    judge, is_shared = each.judge, each.people.n_shared > 0
    yield Section(f"{each.task}: {counted(each)}", is_part=True)
    rows: list[Sequence[Value]] = [
        (name, measured(found), portion(found.n, found.total))
        for name, found in _measures(each)
        if is_shared or found.value is not None or name.startswith("judge")
    ]
    yield Table("Agreement", ["measure", Column("value", "decimal"), "n"], rows)
    if not is_shared:
        yield Text("No item was judged by two people: their agreement is unknown, and the majority is one person.")
    if judge is not None and each.task == "correctness":
        yield Text(
            f"The judge's correctness counts as right from {RIGHT:g} up, as wrong up to {1 - RIGHT:g}, else as partly."
        )
    if judge is None and each.reason:
        yield Text(f"judge: {each.reason}")
    if judge is None:
        return
    if judge.means is not None and is_shared:
        means = judge.means
        rows = [
            (row.rater, *map(measured, (row.person, row.model, row.relative_drop)), row.person.n, row.without_majority)
            for row in judge.left_out
        ]
        rows.append(("mean", *map(measured, (means.person, means.model, means.relative_drop)), means.person.n, None))
        columns = ["left out", *typed("two", "this person", "the judge", "drop"),
                   Column("items", "count"), Column("tied", "count")]  # fmt: skip
        yield Table("Fleiss' kappa with the majority of the other people", columns, rows, has_total=True)
    rows = [
        (check.metric, *map(measured, (check.people, check.judge, check.difference, check.absolute_difference)),
         portion(check.difference.n, check.difference.total))
        for check in judge.keypoint_shares
    ]  # fmt: skip
    names = ("by people", "by the judge", "difference", "its size")
    columns = ["metric", *typed("two", *names), "n"]
    yield Table("RAGEval's check: metrics by people's verdicts on keypoints, and by the judge's", columns, rows)
    matrix = judge.confusion
    if any(map(any, matrix.counts)) and len(matrix.values) > 1:
        rows = [(value, *of, sum(of)) for value, of in zip(matrix.values, matrix.counts, strict=True) if sum(of)]
        heads = ["people, judge", *(Column(value, "count") for value in matrix.values), Column("items", "count")]
        note = "Rows: what most people say; columns: what the judge says. Stronger colour: a larger share of its row."
        yield Table("What the judge says where most people say the same", heads, rows, note, shaded=True)


def counted(each: TaskAgreement) -> str:
    """Return how much was judged: ``24 judgements of 8 items by 3 people, 8 of them by two or more``."""
    people = each.people
    shared = f"{count(people.n_shared)} of them by two or more"
    judged = f"{count(people.n_judgements, 'judgement')} of {count(people.n_items, 'item')}"
    return f"{judged} by {count(len(people.raters), 'person', 'people')}, {shared}"


def _measures(each: TaskAgreement) -> Iterator[tuple[str, MeasureEstimate]]:
    """All but what stands in tables of its own: the judge's kappas and the check of keypoints."""
    for who, measure, found in each.measures():
        kind, _, name = measure.partition(":")
        if (who, kind) == ("judge", "kappa") or kind.startswith(tuple(METRICS)):
            continue
        less = who == "judge" and kind in _RATINGS and each.less_is_better
        direction = f" (less {each.metric} is better: below 0 agrees)" if less else ""
        words = _MEASURES.get(kind) or kind.replace("_", " ")
        yield f"{'one person' if who == 'person' else who}: {words}{f' of {name}' if name else ''}{direction}", found


def measured(found: MeasureEstimate) -> Value:
    """Return a measure as a cell: with the reason beside a value without an interval."""
    return Noted(found, found.reason) if found.value is not None and found.reason else found


def agreement_object(found: Mapping[str, TaskAgreement]) -> dict[str, Any]:
    """Return what ``--json`` prints: task to all its measures, undefined ones as null with their reason."""
    tasks = {task: asdict(each) for task, each in found.items()}
    return {"tasks": {task: {name: each[name] for name in each if name != "task"} for task, each in tasks.items()}}


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
            f"Tokens of the {count(items)} rated answers: {count(read)} in, {count(written)} out, "
            f"{count(round((read + written) / items))} each"
            for items, read, written in tokens
        ]
    )


def _check_table(check: QualityCheck, rows: Sequence[Row]) -> Table:
    names = [name for name in MEASURE_WORDS if any(name in row.measures for row in rows)]
    cells: list[Sequence[Value]] = [
        (row.scorer.replace("_", " "), row.role, *(_measure(row, name) for name in names)) for row in rows
    ]
    aspect = f": {rows[0].aspect}" if rows and rows[0].aspect else ""
    counted = f"{count(check.items)} {check.shape}"
    if check.shape == "ratings":
        counted += f", mean {check.mean_rating:.3f}, {count(check.good)} good and {count(check.bad)} bad for AUROC"
    columns = ["", "role", *(Column(MEASURE_WORDS[name], "decimal") for name in names)]
    note = "With 95 % intervals; right leaves out what people call a tie." if aspect else "With 95 % intervals."
    return Table(f"{check.quality.replace('_', ' ')}{aspect} ({counted})", columns, cells, note)


def _measure(row: Row, name: MeasureName) -> Value:
    found = row.measures.get(name)
    if found is None or found.value is None:
        return None if found is None else Missing(row.undefined[name])
    most = max(each.total for each in row.measures.values())
    return Noted(found, f"n = {count(found.n)}") if found.n == found.total < most else found


def blocks_of_repeated(measures: Sequence[Repeated]) -> Iterator[Block]:
    """Yield a row for each metric: how far two runs of the same judge differ."""
    rows: list[Sequence[Value]] = []
    for each in measures:
        name = each.metric if each.metric == each.quality else f"{each.quality}: {each.metric}"
        rows.append((f"{name} ({each.aspect})" if each.aspect else name, each.pearson, each.difference, each.same))
    columns = ["metric", *typed("decimal", "Pearson", "mean absolute difference", "the same")]
    yield Section("Figures")
    yield Table("Two runs of the same judge, with 95 % intervals", columns, rows)


def blocks_of_claims(check: ClaimCheck, judgements: Sequence[ClaimJudgement], folder: str) -> Iterator[Block]:
    """Yield all claims, each type, and every judgement.

    judgements: wrong ones first, the surest mistakes before others. folder: that holds all of them, "" for none.
    """
    yield Section("Figures")
    figures = check.figures
    title = (
        f"{count(figures.accuracy.total, 'claim')} about {count(figures.passages, 'passage')}, "
        f"{count(figures.supported)} supported (always saying the commoner of the two is right on "
        f"{decimal(check.commonest)}), with 95 % intervals over passages"
    )
    columns = ["", *typed("decimal", "right", "balanced accuracy", "AUROC")]
    yield Table(title, columns, [("all", *map(measured, (figures.accuracy, figures.balanced_accuracy, figures.auroc)))])
    rows: list[Sequence[Value]] = [
        (each.type.replace("_", " ") or "no type", _said(each.supported), measured(each.accuracy), each.accuracy.total)
        for each in check.by_type
    ]
    heads = ["type", "the passage", Column("right", "decimal"), Column("claims", "count")]
    yield Table("By type of claim", heads, rows)
    yield Text(list(reason_lines({"claims": dict(Counter(check.reasons).most_common())})))
    yield Section("Judgements")
    yield from _judgements(judgements, folder)


def _judgements(judgements: Sequence[ClaimJudgement], folder: str) -> Iterator[Block]:
    """Each kind of judgement; the first wrong ones in the terminal too."""
    scored = has_scores(judgements)
    for title, is_right in (("Wrong", False), ("Without a verdict", None)):
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
            yield Table(named, columns, rows, most=WRONG_SHOWN, rest=folder)
        else:
            yield Table(named, columns, rows, folded=True)


def _said(supported: bool | None) -> str:
    if supported is None:
        return "no verdict"
    return "supported" if supported else "not supported"
