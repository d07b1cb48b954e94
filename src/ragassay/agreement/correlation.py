"""Correlation of two columns of numbers: linear, and of their ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Floats = npt.NDArray[np.float64]

_CONSTANT = "all values of one column are the same"


def pearson(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Linear correlation, in [-1, 1]; None with fewer than two pairs, or where one column does not vary.

    Raises ValueError where the lengths differ.
    Source: Pearson 1895.
    """
    one, other = _columns(first, second)
    if len(one) < 2:
        return undefined("a correlation needs two pairs", len(one))
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one @ one) * (other @ other)))
    if scale <= 1e-12 * max(1.0, float(np.abs(one).max()) * float(np.abs(other).max())):
        return undefined(_CONSTANT, len(one))
    return defined(min(1.0, max(-1.0, float(one @ other) / scale)), len(one))


def spearman(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904). None and raises as ``pearson``."""
    one, other = _columns(first, second)
    return pearson(ranks(one), ranks(other))


def kendall(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Kendall's tau-b: pairs of items in the same order less those in the other, over pairs, corrected for ties.

    In [-1, 1]. None and raises as ``pearson``.
    Source: Kendall 1945. Fast where one column has few different values, as grades have.
    """
    one, other = _columns(first, second)
    n = len(one)
    if n < 2:
        return undefined("a correlation needs two pairs", n)
    if len(np.unique(one)) < len(np.unique(other)):
        one, other = other, one
    scale = float(n * n - _tied(one)) * float(n * n - _tied(other))
    if scale <= 0:
        return undefined(_CONSTANT, n)
    return defined(2 * _concordance(one, other) / scale**0.5, n)


def _tied(values: Floats) -> int:
    """Ordered pairs of equal values, each with itself too."""
    counts = np.unique(values, return_counts=True)[1]
    return int((counts.astype(np.int64) ** 2).sum())


def _concordance(values: Floats, grades: Floats) -> int:
    """Pairs of items in the same order in both less those in the other order, grade by grade: grades repeat."""
    total = 0
    lower = np.zeros(0)
    for grade in np.unique(grades):
        here = np.sort(values[grades == grade])
        total += int(np.searchsorted(lower, here, "left").sum())
        total -= len(here) * len(lower) - int(np.searchsorted(lower, here, "right").sum())
        lower = np.sort(np.concatenate((lower, here)))
    return total


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties at the mean of the ranks that they take together."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    mean_rank = last - (counts - 1) / 2
    return np.asarray(mean_rank[place], dtype=np.float64)


def _columns(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"columns of shape {one.shape} and {other.shape}; give two of the same length")
    return one, other
