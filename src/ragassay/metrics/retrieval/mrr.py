"""Mean reciprocal rank: how far down the first right chunk stands."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth


def mrr_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """1 / rank of the first right chunk if it is among the first k, else 0; its mean is the MRR.

    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it; a right
    chunk of any span counts. None when there is no ground span. Raises ValueError if k < 1.
    Source: Voorhees 1999 (TREC-8 question answering track), cut at rank k.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    return next((1 / rank for rank, chunk in enumerate(ranked[:k], start=1) if chunk in right), 0.0)


def mrr_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``mrr_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    first = ranks.first(k)
    return ranks.where_defined(np.where(first.any(axis=1), 1 / (first.argmax(axis=1) + 1), 0.0))


FAMILY = Family("mrr", mrr_at_k, mrr_at_k_all, "Voorhees 1999")
