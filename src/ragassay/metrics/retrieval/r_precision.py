"""R-precision: precision at the depth at which it could be perfect."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth, counting_ranks


def r_precision_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Ground spans found among the first R chunks, divided by R, the number of ground spans, in [0, 1].

    Of rankings that are cut at k, the first min(R, k) are looked at, where no more than as many spans count
    (``counting_ranks``), and the divisor stays R.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    None when there is no ground span. Raises ValueError if k < 1.
    Source: Manning et al. 2008, section 8.4, and for k of at least R trec_eval, which it equals where each span has one
    right chunk of its own.
    """
    check_depth(k, max(k, len(ranked)))
    return len(counting_ranks(ranked, ground, min(k, len(ground)))) / len(ground) if ground else None


def r_precision_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``r_precision_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    check_depth(k, ranks.right.shape[1])
    counted = ranks.counts_at <= np.minimum(ranks.span_count, k)[ranks.span_question]
    found = np.bincount(ranks.span_question[counted], minlength=len(ranks.right))
    return ranks.where_defined(found / np.maximum(ranks.span_count, 1))


FAMILY = Family("r_precision", r_precision_at_k, r_precision_at_k_all, "Manning et al. 2008, chapter 8")
