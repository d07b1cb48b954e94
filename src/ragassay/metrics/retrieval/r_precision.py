"""R-precision: precision at the depth at which it could be perfect."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.ranks import Ranks, check_depth
from ragassay.metrics.retrieval.recall import ChunkId


def r_precision_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Right chunks among the first R, divided by R, where R is the number of right chunks, in [0, 1].

    Of rankings that are cut at k, the first min(R, k) are looked at and the divisor stays R. For k of at least R it is
    the R-precision of trec_eval.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it; right for
    any span counts, once. None when there is no ground span; 0 when there are ground spans but no chunk is right.
    Raises ValueError if k < 1.
    Source: Manning et al. 2008, section 8.4; trec_eval.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    right = set[ChunkId]().union(*ground)
    return sum(chunk in right for chunk in ranked[: min(k, len(right))]) / len(right) if right else 0.0


def r_precision_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``r_precision_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    looked_at = np.arange(k) < ranks.right_count[:, None]
    found = (ranks.first(k) & looked_at).sum(axis=1)
    return ranks.where_defined(found / np.maximum(ranks.right_count, 1))
