"""Correlation of two columns of numbers: linear, and of their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Floats = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.int64]

_Z = NormalDist().inv_cdf(0.975)
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
    Source: Kendall 1945, counted as in Knight 1966: time grows with n log n.
    """
    one, other = _columns(first, second)
    n = len(one)
    if n < 2:
        return undefined("a correlation needs two pairs", n)
    a, b = (np.unique(column, return_inverse=True)[1].astype(np.int64) for column in (one, other))
    pairs = n * (n - 1) // 2
    tied_a, tied_b, tied_both = (_tied(each) for each in (a, b, a * (int(b.max()) + 1) + b))
    scale = float(pairs - tied_a) * float(pairs - tied_b)
    if scale <= 0:
        return undefined(_CONSTANT, n)
    discordant = _inversions(b[np.lexsort((b, a))])
    return defined((pairs - tied_a - tied_b + tied_both - 2 * discordant) / scale**0.5, n)


def normal_interval(value: float, n: int) -> tuple[float, float]:
    """95 % interval of any of the three correlations of n pairs, by the normal distribution of atanh(value).

    With variance 1.06 / (n - 3), that of Spearman's and the greatest of the three; (-1, 1) below four pairs, and no
    width at 1 and -1.
    Source: Fisher 1921; Fieller, Hartley and Pearson 1957.
    """
    if n < 4:
        return -1.0, 1.0
    half = _Z * float(np.sqrt(1.06 / (n - 3)))
    with np.errstate(divide="ignore"):
        centre = np.arctanh(value)
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


def _tied(values: Ranks) -> int:
    """Pairs of items with equal values."""
    counts = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(values: Ranks) -> int:
    """Pairs of which the one in front is greater.

    values: (n,) int64, not negative. Bit by bit from the highest: of values that agree in all bits above, each 0 behind
    a 1 is an inversion; then both are put apart in their order, as radix sort does.
    """
    count = 0
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        ones = (values >> bit) & 1
        before = np.cumsum(ones) - ones
        groups = values >> (bit + 1)
        starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        in_group = before - np.repeat(before[starts], np.diff(np.r_[starts, len(values)]))
        count += int(in_group[ones == 0].sum())
        values = values[np.argsort(values >> bit, kind="stable")]
    return count


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
