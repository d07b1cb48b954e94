"""The retrieval metrics by the names that tables and scores call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.average_precision import map_at_k, map_at_k_all
from ragassay.metrics.retrieval.hit_rate import hit_rate_at_k, hit_rate_at_k_all
from ragassay.metrics.retrieval.mrr import mrr_at_k, mrr_at_k_all
from ragassay.metrics.retrieval.ndcg import ndcg_at_k, ndcg_at_k_all
from ragassay.metrics.retrieval.precision import precision_at_k, precision_at_k_all
from ragassay.metrics.retrieval.r_precision import r_precision_at_k, r_precision_at_k_all
from ragassay.metrics.retrieval.ranks import Ranks
from ragassay.metrics.retrieval.recall import recall_at_k, recall_at_k_all

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
        raise ValueError(
            f"unknown ranking metric {name!r}; choose one of {', '.join(f'{each}@k' for each in _FAMILIES)}"
        )
    one, many = _FAMILIES[family]
    return RankingMetric(name, partial(one, k=int(depth)), partial(many, k=int(depth)))


RANKING_METRICS = tuple(
    map(ranking_metric, "recall@1 recall@3 recall@5 recall@10 hit_rate@5 mrr@10 ndcg@10 precision@5".split())
)
"""Those that every run measures."""
