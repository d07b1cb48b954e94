"""Normalised discounted cumulative gain: what is found counts more the higher it stands."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import log2

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth, counting_ranks, total


def ndcg_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """DCG@k / ideal DCG@k, in [0, 1], with DCG@k = sum over the ground spans found up to k of 1 / log2(rank + 1).

    rank: from which the span counts (``counting_ranks``). The ideal finds a further span at each of the ranks
    1 to min(k, number of spans): it is the same for all rankings, and for all ways to cut the documents.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    None when there is no ground span. Raises ValueError if k < 1.
    Source: Jarvelin and Kekalainen 2002, with the discount log2(rank + 1) of Burges et al. 2005 and trec_eval, which it
    equals where each span has one right chunk of its own; that a span gains once is Clarke et al. 2008, alpha = 1.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    gained = total(map(_discount, counting_ranks(ranked, ground, k)))
    return gained / total(map(_discount, range(1, min(k, len(ground)) + 1)))


def ndcg_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``ndcg_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    check_depth(k, ranks.right.shape[1])
    discounts = np.array([_discount(rank) for rank in range(1, k + 1)])
    counts_at = ranks.counts_at
    counted = counts_at <= k
    ideals = np.cumsum(discounts)[np.clip(ranks.span_count, 1, k) - 1]
    return ranks.where_defined(ranks.totals(discounts[counts_at[counted] - 1], counted) / ideals)


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)


FAMILY = Family("ndcg", ndcg_at_k, ndcg_at_k_all, "Jarvelin and Kekalainen 2002")
