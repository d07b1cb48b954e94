"""nDCG where some chunks are worth more than others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Literal

from ragassay.metrics.retrieval.ranks import ChunkId, check_depth

Gain = Literal["linear", "exponential"]
"""What a grade g is worth: ``linear`` g (Jarvelin and Kekalainen 2002, trec_eval), ``exponential`` 2^g - 1 (Burges et
al. 2005). With grades 0 and 1 both are the same."""


def graded_ndcg_at_k(ranked: Sequence[ChunkId], grades: Mapping[ChunkId, int], k: int, gain: Gain) -> float | None:
    """DCG@k / ideal DCG@k, in [0, 1], with DCG@k = sum over the first k of gain(grade) / log2(rank + 1).

    ranked: chunk ids, best first, no repeats. grades: of the chunks that are judged; others, and those below 0, count
    as 0. The ideal has all judged chunks in the order of their grades.
    None when nothing is judged; 0 when nothing has a grade above 0. Raises ValueError if k < 1.
    Source: Jarvelin and Kekalainen 2002, with the discount log2(rank + 1) of Burges et al. 2005 and trec_eval.
    """
    check_depth(k, max(k, len(ranked)))
    if not grades:
        return None
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]
    if not best:
        return 0.0
    found = [grades.get(chunk, 0) for chunk in ranked[:k]]
    return _dcg(found, gain, best[0]) / _dcg(best, gain, best[0])


_MOST_EXPONENT = 1_000
"""Of two; from 1 024 on there is no such float."""


def _dcg(grades: Sequence[int], gain: Gain, highest: int) -> float:
    return sum(_worth(grade, gain, highest) / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def _worth(grade: int, gain: Gain, highest: int) -> float:
    """Gain of a grade; with a ``highest`` that no float can be 2 to the power of, in units of that."""
    if grade <= 0 or gain == "linear":
        return float(max(0, grade))
    return 2.0 ** (grade - highest) if highest > _MOST_EXPONENT else 2.0**grade - 1
