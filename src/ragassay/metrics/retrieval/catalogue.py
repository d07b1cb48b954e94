"""The retrieval metrics by the names that tables and scores call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.hit_rate import hit_rate_at_k, hit_rate_at_k_all
from ragassay.metrics.retrieval.mrr import mrr_at_k, mrr_at_k_all
from ragassay.metrics.retrieval.ndcg import ndcg_at_k, ndcg_at_k_all
from ragassay.metrics.retrieval.precision import precision_at_k, precision_at_k_all
from ragassay.metrics.retrieval.ranks import Ranks
from ragassay.metrics.retrieval.recall import recall_at_k, recall_at_k_all
from ragassay.records import Score

NO_GROUND_SPAN = "the example names no ground span that a retriever could find"


@dataclass(frozen=True, slots=True)
class RankingMetric:
    """One metric at one depth. one: of a single ranking; all: of many at once, (n_questions,), NaN where undefined."""

    name: str
    one: Callable[[Sequence[str], Sequence[Set[str]]], float | None]
    all: Callable[[Ranks], npt.NDArray[np.float64]]


RANKING_METRICS = (
    *(RankingMetric(f"recall@{k}", partial(recall_at_k, k=k), partial(recall_at_k_all, k=k)) for k in (1, 3, 5, 10)),
    RankingMetric("hit_rate@5", partial(hit_rate_at_k, k=5), partial(hit_rate_at_k_all, k=5)),
    RankingMetric("mrr@10", partial(mrr_at_k, k=10), partial(mrr_at_k_all, k=10)),
    RankingMetric("ndcg@10", partial(ndcg_at_k, k=10), partial(ndcg_at_k_all, k=10)),
    RankingMetric("precision@5", partial(precision_at_k, k=5), partial(precision_at_k_all, k=5)),
)


def score_ranking(example_id: str, system: str, ranked: Sequence[str], ground: Sequence[Set[str]]) -> tuple[Score, ...]:
    """All ranking metrics of one prediction, None with the reason where one is undefined.

    ranked: chunk ids, best first. ground: for each ground span the ids of the chunks that are right for it.
    Raises ValueError where a chunk id repeats: a chunk that is counted twice inflates precision and nDCG.
    """
    if len(set(ranked)) < len(ranked):
        raise ValueError(f"example {example_id}: {system} returned a chunk twice; drop the repeats before scoring")
    scores = []
    for metric in RANKING_METRICS:
        value = metric.one(ranked, ground)
        reason = NO_GROUND_SPAN if value is None else None
        scores.append(Score(example_id=example_id, system=system, metric=metric.name, value=value, reason=reason))
    return tuple(scores)
