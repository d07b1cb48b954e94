"""The retrieval metrics by the names that tables and scores call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.average_precision import map_at_k, map_at_k_all
from ragassay.metrics.retrieval.graded_ndcg import span_ndcg_at_k, span_ndcg_at_k_all
from ragassay.metrics.retrieval.hit_rate import hit_rate_at_k, hit_rate_at_k_all
from ragassay.metrics.retrieval.mrr import mrr_at_k, mrr_at_k_all
from ragassay.metrics.retrieval.ndcg import ndcg_at_k, ndcg_at_k_all
from ragassay.metrics.retrieval.precision import precision_at_k, precision_at_k_all
from ragassay.metrics.retrieval.r_precision import r_precision_at_k, r_precision_at_k_all
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


_FAMILIES: dict[str, tuple[Callable[..., float | None], Callable[..., npt.NDArray[np.float64]]]] = {
    "recall": (recall_at_k, recall_at_k_all),
    "precision": (precision_at_k, precision_at_k_all),
    "hit_rate": (hit_rate_at_k, hit_rate_at_k_all),
    "mrr": (mrr_at_k, mrr_at_k_all),
    "map": (map_at_k, map_at_k_all),
    "ndcg": (ndcg_at_k, ndcg_at_k_all),
    "ndcg_linear": (partial(span_ndcg_at_k, gain="linear"), partial(span_ndcg_at_k_all, gain="linear")),
    "ndcg_exponential": (partial(span_ndcg_at_k, gain="exponential"), partial(span_ndcg_at_k_all, gain="exponential")),
    "r_precision": (r_precision_at_k, r_precision_at_k_all),
}
RANKING_FAMILIES = tuple(_FAMILIES)


@lru_cache(maxsize=256)
def ranking_metric(name: str) -> RankingMetric:
    """The metric of a name such as ``recall@5``: a family of ``RANKING_FAMILIES`` at any depth from 1.

    Raises ValueError for other names.
    """
    family, _, depth = name.partition("@")
    if family not in _FAMILIES or not depth.isdecimal() or int(depth) < 1:
        raise ValueError(f"{name!r} is no ranking metric; they are {', '.join(f'{each}@k' for each in _FAMILIES)}")
    one, many = _FAMILIES[family]
    return RankingMetric(name, partial(one, k=int(depth)), partial(many, k=int(depth)))


RANKING_METRICS = tuple(
    map(ranking_metric, "recall@1 recall@3 recall@5 recall@10 hit_rate@5 mrr@10 ndcg@10 precision@5".split())
)
"""Those that every run measures."""


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
