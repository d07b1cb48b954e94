"""Precision: how much of what is found is right."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth


def precision_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Number of right chunks among the first k, divided by k, in [0, 1].

    The divisor is k even where fewer chunks were retrieved, as in trec_eval: to return less is not to be more right.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it; right for
    any span counts. None when there is no ground span. Raises ValueError if k < 1.
    Source: Manning et al. 2008, section 8.4.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    return sum(chunk in right for chunk in ranked[:k]) / k


def precision_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``precision_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    return ranks.where_defined(ranks.first(k).sum(axis=1) / k)


FAMILY = Family("precision", precision_at_k, precision_at_k_all, "Manning et al. 2008, chapter 8")
