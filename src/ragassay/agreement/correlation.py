"""Correlation of two columns of numbers: linear, and of their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Floats = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.int64]

_Z = NormalDist().inv_cdf(0.975)
_SMALL_TABLE = 2500
"""So many cells are summed up faster than items are sorted."""
_CONSTANT = "all values in one column are equal"


def pearson(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Linear correlation, in [-1, 1]; None with fewer than two pairs, or where one column does not vary.

    Raises ValueError where the lengths differ.
    Source: Pearson 1895.
    """
    one, other = _columns(first, second)
    return _pearson(one, other, np.ones(len(one), dtype=np.int64))


def spearman(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904). None and raises as ``pearson``."""
    found = pairs_of(first, second)
    return spearman_of_pairs(found, found.counts(np.arange(len(found.kind))))


def kendall(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Measure:
    """Kendall's tau-b: pairs of items in the same order less those in the other, over pairs, corrected for ties.

    In [-1, 1]. None and raises as ``pearson``.
    Source: Kendall 1945, counted as in Knight 1966: time grows with n log n.
    """
    found = pairs_of(first, second)
    return kendall_of_pairs(found, found.counts(np.arange(len(found.kind))))


class Pairs(NamedTuple):
    """Two columns of numbers; items with the same two numbers are one kind and counted together.

    kind: (n_items,). first_values, second_values: each column's different numbers, ascending. first, second: (n_kinds,)
    places in these.
    """

    kind: Ranks
    first_values: Floats
    second_values: Floats
    first: Ranks
    second: Ranks

    def counts(self, drawn: Ranks) -> Ranks:
        """(n_kinds,) how many of the items drawn are of each kind."""
        return np.bincount(self.kind[drawn], minlength=len(self.first))

    def weighted(self, times: Ranks) -> Ranks:
        """(n_kinds,) the same where each item was drawn so many times. times: (n_items,)."""
        return np.bincount(self.kind, weights=times, minlength=len(self.first)).astype(np.int64)


def pairs_of(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Pairs:
    """Raises ValueError where the lengths differ."""
    one, other = _columns(first, second)
    first_values, a = np.unique(one, return_inverse=True)
    second_values, b = np.unique(other, return_inverse=True)
    n_second = max(1, len(second_values))
    kinds, kind = np.unique(a * n_second + b, return_inverse=True)
    return Pairs(kind, first_values, second_values, kinds // n_second, kinds % n_second)


def pearson_of_pairs(pairs: Pairs, counts: Ranks) -> Measure:
    """``pearson`` of so many items of each kind, as are the other two. counts: (n_kinds,)."""
    return _pearson(pairs.first_values[pairs.first], pairs.second_values[pairs.second], counts)


def spearman_of_pairs(pairs: Pairs, counts: Ranks) -> Measure:
    one = _ranks_of_counts(np.bincount(pairs.first, weights=counts, minlength=len(pairs.first_values)))
    other = _ranks_of_counts(np.bincount(pairs.second, weights=counts, minlength=len(pairs.second_values)))
    return _pearson(one[pairs.first], other[pairs.second], counts)


def kendall_of_pairs(pairs: Pairs, counts: Ranks) -> Measure:
    n = int(counts.sum())
    if n < 2:
        return undefined("a correlation needs two pairs", n)
    n_first, n_second = len(pairs.first_values), len(pairs.second_values)
    a = np.bincount(pairs.first, weights=counts, minlength=n_first)
    b = np.bincount(pairs.second, weights=counts, minlength=n_second)
    pairs_in_all = n * (n - 1) // 2
    tied_a, tied_b, tied_both = _tied(a), _tied(b), _tied(counts)
    scale = float(pairs_in_all - tied_a) * float(pairs_in_all - tied_b)
    if scale <= 0:
        return undefined(_CONSTANT, n)
    if n_first * n_second <= max(_SMALL_TABLE, len(pairs.first)):
        table = np.bincount(pairs.first * n_second + pairs.second, weights=counts, minlength=n_first * n_second)
        discordant = _discordant(table.reshape(n_first, n_second))
    else:  # kinds are in the order of the first and then of the second
        discordant = _inversions(np.repeat(pairs.second, counts))
    return defined((pairs_in_all - tied_a - tied_b + tied_both - 2 * discordant) / scale**0.5, n)


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


def _pearson(one: Floats, other: Floats, counts: Ranks) -> Measure:
    """Of columns of which each pair comes so many times. counts: (n_pairs,)."""
    n = int(counts.sum())
    if n < 2:
        return undefined("a correlation needs two pairs", n)
    one, other = one - counts @ one / n, other - counts @ other / n
    scale = float(np.sqrt((counts @ one**2) * (counts @ other**2)))
    there = counts > 0
    if scale <= 1e-12 * max(1.0, float(np.abs(one[there]).max()) * float(np.abs(other[there]).max())):
        return undefined(_CONSTANT, n)
    return defined(min(1.0, max(-1.0, float(counts @ (one * other)) / scale)), n)


def _tied(counts: Ranks | Floats) -> int:
    """Pairs of items of one and the same kind. counts: (n_kinds,) whole numbers."""
    return int((counts * (counts - 1)).sum()) // 2


def _discordant(table: Floats | Ranks) -> int:
    """Pairs of items of which one has more of the first and less of the second. table: (n_first, n_second) items."""
    below = table[::-1].cumsum(axis=0)[::-1]
    left_of = below.cumsum(axis=1)
    return int((table[:-1, 1:] * left_of[1:, :-1]).sum())


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
    return _ranks_of_counts(counts)[place]


def _ranks_of_counts(counts: Floats | Ranks) -> Floats:
    """The mean rank of the items with each value. counts: (n_values,) items, values ascending."""
    return np.asarray(counts.cumsum() - (counts - 1) / 2, dtype=np.float64)


def _columns(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"columns of shape {one.shape} and {other.shape}; give two of the same length")
    return one, other
