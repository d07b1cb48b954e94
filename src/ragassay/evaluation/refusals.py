"""The row of unanswerable questions: how often a system rightly refused them, and how often it answered nonetheless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.answer.abstention import has_refused, is_unanswerable
from ragassay.records import Example, Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswerable:
    """right: share of the questions that were rightly refused, of those whose document is known to lack the answer.

    wrong: how many of these were answered. undecided: further unanswerable questions that a system may be right to
    answer, since only the passage that they were asked of is known to lack the answer.
    """

    right: Estimate
    wrong: int
    undecided: int


def unanswerable(examples: Sequence[Example], predictions: Sequence[Prediction]) -> Unanswerable | None:
    """Of one system. A question that it failed at, or only retrieved for, has no value.

    None where no question is unanswerable, or none of these was answered or refused.
    """
    by_id: Mapping[str, Prediction] = {each.example_id: each for each in predictions}
    asked = [each for each in examples if each.label == "unanswerable" or each.requested_label == "unanswerable"]
    decided = [each for each in asked if is_unanswerable(each)[0]]
    values = [_refused(by_id.get(each.id)) for each in decided]
    if not any(_refused(by_id.get(each.id)) is not None for each in asked):
        return None
    return Unanswerable(
        right=estimate(values, clusters=clusters_of(decided)),
        wrong=values.count(0.0),
        undecided=len(asked) - len(decided),
    )


def _refused(prediction: Prediction | None) -> float | None:
    if prediction is None or prediction.error is not None or (prediction.answer is None and not prediction.abstained):
        return None
    return float(has_refused(prediction))
