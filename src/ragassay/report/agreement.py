"""How far people agree, and a judge with them, task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.calibration import Threshold
from ragassay.agreement.measure import MeasureEstimate
from ragassay.report.blocks import Block, Column, Headline, Noted, Page, Section, Table, Text, Value, typed
from ragassay.report.html import render_page
from ragassay.report.wording import count, estimate_words, share

MOST_THRESHOLDS = 100
"""Shown of a judge whose numbers hardly repeat: those nearest to the best; all of them are in ``--json``."""
_SCALE = (
    "Kappa and alpha count agreement beyond chance: 1 is complete, 0 is what chance gives. What one person reaches "
    "against the others is the noise ceiling: no judge can be shown to do better."
)


@dataclass(frozen=True)
class AgreementPage:
    """found: task to all that is known of it. version: of ragassay; versions: of all that took part."""

    found: Mapping[str, TaskAgreement]
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def render_agreement(page: AgreementPage) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    judged = any(each.judge for each in page.found.values())
    title = "How far people agree" + (", and a judge with them" if judged else "")
    blocks = [Headline(title, [count(len(page.found), "task")]), *blocks_of_agreement(page.found)]
    return render_page(
        Page(kind="agreement", version=page.version, blocks=blocks, settings=page.settings, versions=page.versions)
    )


def blocks_of_agreement(found: Mapping[str, TaskAgreement]) -> Iterator[Block]:
    """Yield what is known of each task, and the best thresholds side by side; nothing of no task."""
    if not found:
        return
    yield Section("Agreement with people")
    yield Text(_SCALE, "note", on="page")
    for each in found.values():
        yield from _task(each)
    best = [(each, each.advice.best) for each in found.values() if each.advice and each.advice.best]
    best.sort(key=lambda each: -(each[1].agreement.value or 0.0))
    if len(best) > 1:
        yield Section("Thresholds side by side", is_part=True)
        rows = [_threshold(at, less_is_better=each.less_is_better, name=_judged(each)) for each, at in best]
        yield Table("The best threshold on each rating, the one that agrees best with people first", _THRESHOLDS, rows)


_THRESHOLDS = ["threshold", Column("kappa", "two"), "keeps", Column("too many", "count"), Column("too few", "count")]


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
    yield Text(advice_words(each) or ())
    if each.advice is not None:
        shown = sorted(each.advice.thresholds, key=lambda at: -(at.agreement.value or 0.0))[:MOST_THRESHOLDS]
        shown.sort(key=lambda at: at.value)
        rows = [_threshold(at, less_is_better=each.advice.less_is_better) for at in shown]
        yield Table("All thresholds", _THRESHOLDS, rows, folded=True)


def counted(each: TaskAgreement) -> str:
    """Return how much was judged: ``24 judgements of 8 items by 3 people, 8 of them by two or more``."""
    people = each.people
    shared = f"{count(people.n_shared)} of them by two or more"
    judged = f"{count(people.n_judgements, 'judgement')} of {count(people.n_items, 'item')}"
    return f"{judged} by {count(len(people.raters), 'person', 'people')}, {shared}"


def _measures(each: TaskAgreement) -> Iterator[tuple[str, MeasureEstimate]]:
    """Of people among themselves, of one person, and of the judge."""
    people, judge = each.people, each.judge
    yield "people: Fleiss' kappa", people.fleiss
    yield "people: Krippendorff's alpha", people.alpha
    yield "one person, share as the majority of the others", people.ceiling.accuracy
    yield "one person, kappa with that majority", people.ceiling.kappa
    if people.ceiling.rank_correlation is not None:
        yield "one person, Spearman's rho with the mean of the others", people.ceiling.rank_correlation
    for name, measured in each.preferred.items():
        yield f"people prefer {name}, of its comparisons", measured
    for name, place in each.places.items():
        yield f"place of {name} among {len(place.shares)}, mean", place.mean
        for number, measured in enumerate(place.shares, 1):
            yield f"place of {name}: share of place {number}", measured
    for name, rated in each.ratings.items():
        yield f"ratings of {name}: mean, 0 to 5", rated.mean
        yield f"ratings of {name}: share of 4 and 5", rated.good
    if judge is None:
        return
    yield "judge: share as the majority of people", judge.accuracy
    if judge.pairwise is not None:
        yield "judge: prefers what people prefer", judge.pairwise
    if judge.numeric is not None:
        less = f" (less {each.metric} is better: below 0 agrees)" if each.less_is_better else ""
        yield f"judge: Pearson's r{less}", judge.numeric.pearson
        yield f"judge: Spearman's rho{less}", judge.numeric.spearman
        yield f"judge: Kendall's tau-b{less}", judge.numeric.kendall
        if judge.numeric.difference is not None:
            yield "judge: its mean less that of people", judge.numeric.difference


def measured(found: MeasureEstimate) -> Value:
    """Return a measure as a cell: with the reason beside a value without an interval."""
    return Noted(found, found.reason) if found.value is not None and found.reason else found


def _threshold(at: Threshold, *, less_is_better: bool, name: str = "") -> Sequence[Value]:
    """name: of what it is a threshold on, where thresholds on several ratings stand in one table."""
    kept = f"{_bound(less_is_better)} {at.value:g}"
    share_kept = share(round(1000 * at.kept), 1000)
    named = f"{name} of {kept}" if name else kept
    return named, measured(at.agreement), share_kept, at.wrongly_kept, at.wrongly_dropped


def _bound(less_is_better: bool) -> str:
    return "at most" if less_is_better else "at least"


def advice_words(each: TaskAgreement) -> str:
    """Return which threshold to take; empty where there is no advice to give."""
    advice = each.advice
    if advice is None:
        return ""
    best = advice.best
    if best is None:
        return f"Threshold: none can be advised; {advice.reason}."
    kept = share(round(1000 * (advice.people_keep or 0)), 1000)
    kept_by = f"{_judged(each)} of {_bound(advice.less_is_better)} {best.value:g}"
    return (
        f"Threshold: {kept_by} agrees best with what people would keep "
        f"({kept} of {count(advice.n, 'item')}): kappa {estimate_words(best.agreement)}, "
        f"{count(best.wrongly_kept)} wrongly kept, {count(best.wrongly_dropped)} wrongly dropped. "
        "It was picked on these same items, so expect a little less on others."
    )


def _judged(each: TaskAgreement) -> str:
    """What the judge's numbers are of: ``stand alone`` of ``critique:stand_alone``."""
    return each.metric or (each.task.partition(":")[2] or each.task).replace("_", " ")


def agreement_object(found: Mapping[str, TaskAgreement]) -> dict[str, Any]:
    """Return what ``--json`` prints: task to all its measures, undefined ones as null with their reason."""
    tasks = {task: asdict(each) for task, each in found.items()}
    return {"tasks": {task: {name: each[name] for name in each if name != "task"} for task, each in tasks.items()}}
