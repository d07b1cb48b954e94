"""nDCG on graded relevance of documents, as BEIR and TREC judge it: where a document is worth more than another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ragassay.metrics.judged.answered import failure
from ragassay.metrics.retrieval.graded_ndcg import Gain, graded_ndcg_at_k
from ragassay.records import Prediction, Score

_NAME = re.compile(r"(ndcg|ndcg_linear|ndcg_exponential)(?:@|_at_)([1-9]\d{0,5})\Z")

NOT_JUDGED = "no document is relevant to this question"

Grades = Mapping[str, Mapping[str, int]]
"""Example id to the ids of its relevant documents and their grades, 1 or more."""


def is_graded(name: str) -> bool:
    """Whether a metric of this name takes grades into account."""
    return _NAME.fullmatch(name) is not None


def graded_scores(predictions: Sequence[Prediction], grades: Grades, name: str) -> list[Score]:
    """The scores of every prediction: of the ranking of documents, each at the place of its first chunk.

    name: ndcg@k; its gain is linear, as trec_eval's, and that of ndcg_exponential@k exponential.
    A system that failed has no value, one that found nothing 0.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name} does not support grades")
    gain: Gain = "exponential" if match[1] == "ndcg_exponential" else "linear"
    return [_score(each, grades.get(each.example_id, {}), name, int(match[2]), gain) for each in predictions]


def _score(prediction: Prediction, grades: Mapping[str, int], name: str, k: int, gain: Gain) -> Score:
    value, reason = None, failure(prediction) or (None if grades else NOT_JUDGED)
    if reason is None:
        ranked = [*dict.fromkeys(chunk.document_id for chunk in prediction.chunks if chunk.document_id)]
        value = graded_ndcg_at_k(ranked, grades, k, gain)
    return Score(
        example_id=prediction.example_id,
        system=prediction.system,
        metric=name,
        value=value,
        reason=reason,
    )
