"""Mean average precision: how soon each of what is to be found is found."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import ChunkId, Ranks, check_depth, counting_ranks, total


def map_at_k(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> float | None:
    """Mean over all ground spans of spans found by then / rank where this one is found, 0 beyond rank k, in [0, 1].

    rank: from which the span counts (``counting_ranks``). The mean over questions is MAP@k. All spans count, found or
    not and even beyond k, as in trec_eval's map_cut; so the value cannot reach 1 where there are more than k.
    ranked: chunk ids, best first, no repeats. ground: for each ground span the chunks that are right for it.
    None when there is no ground span. Raises ValueError if k < 1.
    Source: Manning et al. 2008, section 8.4, and trec_eval, which it equals where each span has one right chunk of its
    own.
    """
    check_depth(k, max(k, len(ranked)))
    if not ground:
        return None
    found = counting_ranks(ranked, ground, k)
    return total(number / rank for number, rank in enumerate(found, start=1)) / len(ground)


def map_at_k_all(ranks: Ranks, k: int) -> npt.NDArray[np.float64]:
    """``map_at_k`` of every question, (n_questions,) float64, NaN where undefined."""
    check_depth(k, ranks.right.shape[1])
    counts_at = ranks.counts_at
    counted = counts_at <= k
    totals = ranks.totals(ranks.span_number[counted] / counts_at[counted], counted)
    return ranks.where_defined(totals / np.maximum(ranks.span_count, 1))


FAMILY = Family("map", map_at_k, map_at_k_all, "Manning et al. 2008, chapter 8")
