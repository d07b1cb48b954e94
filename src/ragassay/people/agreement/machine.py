"""How far a judge agrees with people on one task; of keypoints, what metrics are by either (RAGEval's check)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, takewhile
from statistics import fmean

import numpy as np

from ragassay.errors import UsageError
from ragassay.evaluation.aggregate import SHARE
from ragassay.metrics.catalogue import metric_named
from ragassay.people.agreement.correlation import Correlations, Floats, correlations
from ragassay.people.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.people.agreement.people import LeftOut, Means, leave_one_out
from ragassay.people.agreement.raters import VERDICTS, Judgements, Scale
from ragassay.records import Example, Score

COVERAGE_METRIC = "completeness"
"""The metric whose evidence holds the verdicts on keypoints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeValues:
    """task to item to value.

    other_scale: tasks whose values are numbers of another scale than people's: those of ``metric``, of which less is
    better where ``less_is_better``.
    """

    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    other_scale: frozenset[str] = frozenset()
    metric: str = ""
    less_is_better: bool = False


RIGHT = 0.75
"""Correctness from which on an answer is nearer to right (1) than to partly (.5); as far from 0, to wrong."""


def values_of_examples(examples: Iterable[Example]) -> JudgeValues:
    """Verified labels, and critiques that have a value."""
    found: dict[str, dict[str, str]] = {}
    for example in examples:
        if example.verified_label is not None:
            found.setdefault("label", {})[example.id] = example.verified_label
        for critique in example.critiques:
            if critique.value is not None:
                found.setdefault(f"critique:{critique.name}", {})[example.id] = str(critique.value)
    return JudgeValues(of=found)


def values_of_scores(scores: Iterable[Score], metric: str | None, items: Iterable[str] = ()) -> JudgeValues:
    """Verdicts on keypoints out of the evidence of completeness; with a metric, qualities and preferences too.

    metric: whose value is set against people's ratings of answers; of two systems' answers the judge prefers the one
    with the better value, by the catalogue of metrics; of a metric that is not in it, the higher one. items: those
    that people judged: preferences are of ``EXAMPLE@FIRST|SECOND``.
    """
    less_is_better = metric is not None and _less_is_better(metric)
    keypoints: dict[str, str] = {}
    correct: dict[str, str] = {}
    values: dict[tuple[str, str], float] = {}
    for score in scores:
        if score.metric == COVERAGE_METRIC:
            keypoints.update(_keypoints(f"{score.example_id}@{score.system}", score))
        if score.metric == "correctness" and score.value is not None:
            verdict = "right" if score.value >= RIGHT else "wrong" if score.value <= 1 - RIGHT else "partly"
            correct[f"{score.example_id}@{score.system}"] = verdict
        if score.metric == metric and score.value is not None:
            values[score.example_id, score.system] = score.value
    found = {
        "keypoint": keypoints,
        "correctness": correct,
        "quality": {f"{example_id}@{system}": repr(value) for (example_id, system), value in values.items()},
        "preference": _preferences({key: -value for key, value in values.items()} if less_is_better else values, items),
    }
    return JudgeValues(
        of={task: of for task, of in found.items() if of},
        other_scale=frozenset({"quality"}),
        metric=metric or "",
        less_is_better=less_is_better,
    )


def _less_is_better(metric: str) -> bool:
    try:
        return not metric_named(metric)[0].higher_is_better
    except UsageError:  # scores of a metric of somebody else's
        return False


def _keypoints(subject: str, score: Score) -> dict[str, str]:
    """Verdicts by item: the evidence begins with one line for each keypoint, in their order.

    Other lines, such as the prompt's, come after these; where one stands between, what follows it has no number.
    """
    lines = (line.partition(": ")[0] for line in score.evidence)
    verdicts = takewhile(lambda verdict: verdict in VERDICTS, lines)
    return {f"{subject}#{number}": verdict for number, verdict in enumerate(verdicts, 1)}


def _preferences(goodness: Mapping[tuple[str, str], float], pairs: Iterable[str]) -> dict[str, str]:
    """goodness: of the answer to an example by a system; more is better. Ids and names may hold the signs between."""
    by_example: dict[str, dict[str, float]] = {}
    for (example_id, system), value in goodness.items():
        by_example.setdefault(example_id, {})[system] = value
    judged = {
        f"{example_id}@{one}|{other}": "first" if first > second else "second" if second > first else "tie"
        for example_id, values in by_example.items()
        for (one, first), (other, second) in permutations(values.items(), 2)
    }
    return {item: judged[item] for item in pairs if item in judged}


_NO_MAJORITY = "on no item that the judge judged do most people say the same"
_OTHER_SCALE = "the judge's numbers are of another scale than people's"
_NO_PREFERENCE = "no items with both a preference of people and a verdict of the judge"
METRICS: Mapping[str, str] = {"completeness": "covered", "hallucination": "contradicted", "irrelevancy": "neither"}
"""Metric to the verdict of which it is the share among the keypoints of an answer."""
_REACH = (-1.0, 1.0)
_NO_ANSWER = "no answer has a majority of people and a verdict of the judge on each of its keypoints"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """counts[row][column]: items to which the majority of people gave the row's value and the judge the column's."""

    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric:
    """A judge's numbers and the means of people's, over items that both judged.

    difference: mean of the judge less mean of people, in the units of the scale. None where the judge's numbers are of
    another scale than people's.
    """

    pearson: MeasureEstimate
    spearman: MeasureEstimate
    kendall: MeasureEstimate
    difference: MeasureEstimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCheck:
    """One metric over answers, in [0, 1], by the majority of people on each keypoint and by the judge.

    difference: of the two means, the judge's less that of people. absolute_difference: its size, which RAGEval reports
    (below 0.026 over 420 answers); its interval holds the sizes of what the other interval holds. n: answers with a
    majority and a verdict of the judge on every keypoint; total: those that people judged.
    """

    metric: str
    people: MeasureEstimate
    judge: MeasureEstimate
    difference: MeasureEstimate
    absolute_difference: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPeople:
    """n: items that the judge and people both judged. accuracy: share of those with a majority where it says the same.

    left_out: the paper's leave-one-out scheme, one row a person; means over them; neither where the judge's numbers are
    of another scale. numeric: where values are numbers.
    pairwise: where people prefer one of two, the share of items on which the judge prefers the same; its ties count
    half, items that people leave tied do not count.
    keypoint_shares: of verdicts on keypoints, RAGEval's check of the metrics that count them.
    """

    n: int
    accuracy: MeasureEstimate
    confusion: Confusion
    left_out: tuple[LeftOut, ...]
    means: Means | None
    numeric: Numeric | None = None
    pairwise: MeasureEstimate | None = None
    keypoint_shares: tuple[ShareCheck, ...] = ()


def against_people(
    people: Judgements, judge: Mapping[str, str], scale: Scale, *, same_scale: bool = True, seed: int = 0
) -> AgainstPeople:
    """All measures of a judge. judge: item to value; a number as text where people gave numbers.

    same_scale: whether the judge's values are those that people chose from; where they are other numbers, only
    correlations are worked out. Intervals of correlations and kappas are bootstrapped over items, with ``seed``.
    """
    both = [item for item in people.of if item in judge]
    majorities = people.majorities()
    settled = [item for item in both if item in majorities] if same_scale else []
    hits = [float(judge[item] == majorities[item]) for item in settled]
    scheme = leave_one_out(people, judge, seed=seed) if same_scale else None
    why = _NO_MAJORITY if same_scale else _OTHER_SCALE
    return AgainstPeople(
        n=len(both),
        accuracy=mean_with_interval(hits, bounds=SHARE, total=len(people.of), reason=why),
        confusion=confusion({item: majorities[item] for item in settled}, judge, scale.values),
        left_out=scheme.rows if scheme else (),
        means=scheme.means if scheme else None,
        numeric=_numeric(people, judge, both, scale, same_scale=same_scale, seed=seed) if scale.is_numeric else None,
        pairwise=_pairwise(judge, majorities) if scale.values[:2] == ("first", "second") else None,
        keypoint_shares=keypoint_shares(people, judge) if scale.values == VERDICTS else (),
    )


def _numeric(
    people: Judgements, judge: Mapping[str, str], items: Sequence[str], scale: Scale, *, same_scale: bool, seed: int
) -> Numeric:
    theirs = np.array([fmean(map(float, people.of[item].values())) for item in items])
    its = np.array([float(judge[item]) for item in items])
    differences = (its - theirs).tolist()
    total, reach = len(people.of), float(scale.values[-1]) - float(scale.values[0])

    found = correlations(its, theirs, seed=seed, total=total)
    if found.pearson.value is None:
        found = Correlations(*(replace(each, reason=_why_none(its, len(items))) for each in found))
    difference = mean_with_interval(differences, bounds=(-reach, reach), total=total) if same_scale else None
    return Numeric(**found._asdict(), difference=difference)


def _why_none(its: Floats, n: int) -> str:
    if n < 2:
        return f"a correlation needs two items, and judge and people have {n} in common"
    if len(np.unique(its)) == 1:
        return f"the judge gave all {n} items the same number: correlation is 0 / 0"
    return f"the means of people are the same for all {n} items: correlation is 0 / 0"


def _pairwise(judge: Mapping[str, str], majorities: Mapping[str, str]) -> MeasureEstimate:
    decided = [item for item, value in majorities.items() if value != "tie"]
    wins = [
        0.5 if judge[item] == "tie" else float(judge[item] == majorities[item]) for item in decided if item in judge
    ]
    return mean_with_interval(wins, bounds=SHARE, total=len(decided), reason=_NO_PREFERENCE)


def confusion(majorities: Mapping[str, str], judge: Mapping[str, str], values: Sequence[str] = ()) -> Confusion:
    """The matrix over the items that have both; values in the order given, others after them in alphabetical order."""
    items = [item for item in majorities if item in judge]
    found = {majorities[item] for item in items} | {judge[item] for item in items}
    order = (*values, *sorted(found - set(values)))
    counts = Counter((majorities[item], judge[item]) for item in items)
    return Confusion(values=order, counts=tuple(tuple(counts[row, column] for column in order) for row in order))


def keypoint_shares(people: Judgements, judge: Mapping[str, str]) -> tuple[ShareCheck, ...]:
    """Completeness, hallucination and irrelevancy. Items are ``ANSWER#NUMBER``; values are verdicts.

    An answer of which any keypoint lacks a majority or a verdict counts in none of the means: a share of the others
    would be another one.
    Source: RAGEval (ACL 2025), generation metrics and human evaluation.
    """
    majorities = people.majorities()
    answers: dict[str, list[str]] = {answer_of(item): [] for item in people.of}
    for item in dict.fromkeys([*people.of, *judge]):
        if answer_of(item) in answers:
            answers[answer_of(item)].append(item)
    whole = [items for items in answers.values() if all(item in majorities and item in judge for item in items)]
    by_people = [[majorities[item] for item in items] for items in whole]
    by_judge = [[judge[item] for item in items] for items in whole]
    return tuple(
        _check(metric, _shares(by_people, verdict), _shares(by_judge, verdict), len(answers))
        for metric, verdict in METRICS.items()
    )


def answer_of(item: str) -> str:
    """Return which answer a keypoint is of."""
    return item.rpartition("#")[0]


def _shares(verdicts: Sequence[Sequence[str]], verdict: str) -> list[float]:
    return [of_answer.count(verdict) / len(of_answer) for of_answer in verdicts]


def _check(metric: str, people: Sequence[float], judge: Sequence[float], total: int) -> ShareCheck:
    def over_answers(values: Sequence[float], bounds: tuple[float, float]) -> MeasureEstimate:
        return mean_with_interval(values, bounds=bounds, total=total, reason=_NO_ANSWER)

    difference = over_answers([its - theirs for its, theirs in zip(judge, people, strict=True)], _REACH)
    return ShareCheck(
        metric=metric,
        people=over_answers(people, SHARE),
        judge=over_answers(judge, SHARE),
        difference=difference,
        absolute_difference=_size(difference),
    )


def _size(signed: MeasureEstimate) -> MeasureEstimate:
    value, low, high = signed.value, signed.low, signed.high
    if low is not None and high is not None:
        low, high = (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    return replace(signed, value=None if value is None else abs(value), low=low, high=high, method=None)
