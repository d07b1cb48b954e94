"""Normalised discounted cumulative gain: right chunks count more the higher they stand."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import log2

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.ranks import Ranks, check_depth
from ragassay.metrics.retrieval.recall import ChunkId


def ndcg_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """DCG@k / ideal DCG@k, in [0, 1], with DCG@k = sum over the right chunks among the first k of 1 / log2(rank + 1).

    Gains are binary: a chunk is right for some ground span or it is not. The ideal puts all different right chunks of
    all spans first: sum over ranks 1 to min(k, number of right chunks). Where overlapping chunks hold the same span,
    the ideal therefore has them all, as in trec_eval.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    None when there is no ground span; 0 when there are ground spans but no chunk is right. Raises ValueError if k < 1.
    Source: Jarvelin and Kekalainen 2002, with the discount log2(rank + 1) of Burges et al. 2005 and trec_eval.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    gained = sum(1 / log2(rank + 1) for rank, chunk in enumerate(ranked[:k], start=1) if chunk in right)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(right)) + 1))
    return gained / ideal if ideal else 0.0


def ndcg_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``ndcg_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    discounts = 1 / np.log2(np.arange(2, k + 2))
    gained = ranks.first(k) @ discounts
    ideals = np.append(0, np.cumsum(discounts))[np.minimum(ranks.right_count, k)]
    return ranks.where_defined(np.divide(gained, ideals, out=np.zeros_like(gained), where=ideals > 0))
