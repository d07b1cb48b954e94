"""Recall: how much of what should be found is found."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth


def recall_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Share of the ground spans of which a right chunk is among the first k, in [0, 1].

    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    A ground span without any right chunk (the chunking lost it) counts as not found.
    None when there is no ground span. Raises ValueError if k < 1.
    Source: Know Your RAG (COLING 2025), retrieval per label, whose recall is this one with a single ground span per
    question. With one
    right chunk per span it is the recall of Manning et al. 2008, section 8.3, cut at rank k; with several, finding
    one of them is enough, because overlapping chunks hold the same text twice.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    first = set(ranked[:k])
    return sum(not first.isdisjoint(right) for right in ground) / len(ground)


def recall_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``recall_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    check_depth(k, ranks.right.shape[1])
    found = np.bincount(ranks.span_question[ranks.span_rank <= k], minlength=len(ranks.right))
    return ranks.where_defined(found / np.maximum(ranks.span_count, 1))


FAMILY = Family("recall", recall_at_k, recall_at_k_all, "Know Your RAG (COLING 2025), retrieval per label")
