"""RAGEval's check of its metrics: what they are by people's verdicts on keypoints, and what they are by the judge's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.aggregate import SHARE

METRICS: Mapping[str, str] = {"completeness": "covered", "hallucination": "contradicted", "irrelevancy": "neither"}
"""Metric to the verdict of which it is the share among the keypoints of an answer."""
_REACH = (-1.0, 1.0)
_NO_ANSWER = "no answer has a majority of people and a verdict of the judge on each of its keypoints"


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


def keypoint_shares(people: Judgements, judge: Mapping[str, str], *, seed: int = 0) -> tuple[ShareCheck, ...]:
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
        _check(metric, _shares(by_people, verdict), _shares(by_judge, verdict), len(answers), seed)
        for metric, verdict in METRICS.items()
    )


def answer_of(item: str) -> str:
    """Return which answer a keypoint is of."""
    return item.rpartition("#")[0]


def _shares(verdicts: Sequence[Sequence[str]], verdict: str) -> list[float]:
    return [of_answer.count(verdict) / len(of_answer) for of_answer in verdicts]


def _check(metric: str, people: Sequence[float], judge: Sequence[float], total: int, seed: int) -> ShareCheck:
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
    return MeasureEstimate(
        value=None if value is None else abs(value),
        low=low,
        high=high,
        n=signed.n,
        total=signed.total,
        reason=signed.reason,
    )
