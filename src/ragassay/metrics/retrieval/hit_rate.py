"""Hit rate: whether anything right is found at all."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth


def hit_rate_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """1 if a right chunk of any ground span is among the first k, else 0; its mean is the hit rate (success@k).

    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    None when there is no ground span. Raises ValueError if k < 1.
    Source: success@k of trec_eval (Voorhees and Harman 2005).
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    first = set(ranked[:k])
    return float(any(not first.isdisjoint(right) for right in ground))


def hit_rate_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``hit_rate_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    return ranks.where_defined(np.where(ranks.first(k).any(axis=1), 1.0, 0.0))


FAMILY = Family("hit_rate", hit_rate_at_k, hit_rate_at_k_all, "Voorhees and Harman 2005 (trec_eval)")
