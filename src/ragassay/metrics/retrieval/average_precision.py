"""Mean average precision: how right chunks stand before wrong ones over the whole ranking."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.ranks import Ranks, check_depth
from ragassay.metrics.retrieval.recall import ChunkId


def map_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Sum of the precisions at the ranks of the right chunks among the first k, / number of right chunks, in [0, 1].

    Its mean over questions is MAP@k. The divisor counts all right chunks, found or not and even beyond k, as
    trec_eval's map_cut does; so the value cannot reach 1 where there are more than k.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it; right for
    any span counts, once. None when there is no ground span; 0 when there are ground spans but no chunk is right.
    Raises ValueError if k < 1.
    Source: Manning et al. 2008, section 8.4; trec_eval.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    found, total = 0, 0.0
    for rank, chunk in enumerate(ranked[:k], start=1):
        if chunk in right:
            found += 1
            total += found / rank
    return total / len(right) if right else 0.0


def map_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``map_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    first = ranks.first(k)
    precisions = np.cumsum(first, axis=1, dtype=np.int32) / np.arange(1, k + 1)
    totals = np.einsum("qk,qk->q", precisions, first)
    return ranks.where_defined(totals / np.maximum(ranks.right_count, 1))
