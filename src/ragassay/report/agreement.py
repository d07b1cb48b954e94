"""How far people agree, and a judge with them, task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.machine import METRICS
from ragassay.agreement.measure import MeasureEstimate
from ragassay.report.blocks import Block, Column, Headline, Noted, Page, Section, Table, Text, Value, typed
from ragassay.report.html import render_page
from ragassay.report.wording import count
from ragassay.version import __version__

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
    return render_page(Page(kind="agreement", version=__version__, blocks=blocks, settings=settings, versions=versions))


def blocks_of_agreement(found: Mapping[str, TaskAgreement]) -> Iterator[Block]:
    """Yield what is known of each task; nothing of no task."""
    if not found:
        return
    yield Section("Agreement with people")
    yield Text(_SCALE, "note", on="page")
    for each in found.values():
        yield from _task(each)


def _task(each: TaskAgreement) -> Iterator[Block]:
    judge = each.judge
    yield Section(f"{each.task}: {counted(each)}", is_part=True)
    rows: list[Sequence[Value]] = [
        (name, measured(found), f"{count(found.n)} of {count(found.total)}") for name, found in _measures(each)
    ]
    yield Table("Agreement", ["measure", Column("value", "decimal"), "n"], rows)
    if judge is None and each.reason:
        yield Text(f"judge: {each.reason}")
    if len(each.people.pairs) > 1:  # one pair says what Fleiss' kappa says
        rows = [
            (f"{pair.first} and {pair.second}", measured(pair.same), measured(pair.kappa), pair.n)
            for pair in each.people.pairs
        ]
        columns = ["two people", Column("the same", "two"), Column("Cohen's kappa", "two"), Column("items", "count")]
        yield Table("Two by two", columns, rows)
    if judge is None:
        return
    if judge.means is not None:
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
         f"{count(check.difference.n)} of {count(check.difference.total)}")
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
