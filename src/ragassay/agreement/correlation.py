"""Correlation of two columns of numbers, linear and of their ranks, and whether a score tells good from bad."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, MeasureEstimate, defined, undefined
from ragassay.agreement.resampling import Drawn, wider, with_intervals
from ragassay.evaluation.statistics import is_varied

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Numbers = Sequence[float] | Floats
_Z = NormalDist().inv_cdf(0.975)
_TOO_FEW = "a correlation needs two pairs"
_CONSTANT = "all values in one column are equal"


def pearson(first: Numbers, second: Numbers) -> Measure:
    """Linear correlation, in [-1, 1] (Pearson 1895).

    None with fewer than two pairs, or where one column does not vary. Raises ValueError where the lengths differ.
    """
    pairs = pairs_of(first, second)
    return pearson_of(pairs, pairs.counts(np.arange(len(pairs.kind))))


def spearman(first: Numbers, second: Numbers) -> Measure:
    """Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904). None and raises as ``pearson``."""
    pairs = pairs_of(first, second)
    return spearman_of(pairs, pairs.counts(np.arange(len(pairs.kind))))


def kendall(first: Numbers, second: Numbers) -> Measure:
    """Kendall's tau-b: pairs of items in the same order less those in the other, over pairs, corrected for ties.

    In [-1, 1]. None and raises as ``pearson``. Source: Kendall 1945, counted as in Knight 1966.
    """
    pairs = pairs_of(first, second)
    return kendall_of(pairs, pairs.counts(np.arange(len(pairs.kind))))


class Pairs(NamedTuple):
    """Two columns of numbers; items with the same two numbers are one kind and counted together.

    kind: (n_items,). first_values, second_values: each column's different numbers, ascending. first, second: (n_kinds,)
    places in these, kinds in the order of the first and then of the second.
    """

    kind: Ints
    first_values: Floats
    second_values: Floats
    first: Ints
    second: Ints

    def counts(self, drawn: Ints) -> Ints:
        """Return how many of the items drawn are of each kind: (n_kinds,)."""
        return np.bincount(self.kind[drawn], minlength=len(self.first))

    def weighted(self, times: Ints) -> Ints:
        """Return the same where each item was drawn so many times. times: (n_items,)."""
        return np.bincount(self.kind, weights=times, minlength=len(self.first)).astype(np.int64)


def pairs_of(first: Numbers, second: Numbers) -> Pairs:
    """Raises ValueError where the lengths differ."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"columns of shape {one.shape} and {other.shape}; give two of the same length")
    first_values, a = np.unique(one, return_inverse=True)
    second_values, b = np.unique(other, return_inverse=True)
    kinds, kind = np.unique(a * max(1, len(second_values)) + b, return_inverse=True)
    return Pairs(kind, first_values, second_values, *np.divmod(kinds, max(1, len(second_values))))


def pearson_of(pairs: Pairs, counts: Ints) -> Measure:
    """Return ``pearson`` of so many items of each kind, as do the other two. counts: (n_kinds,)."""
    return _pearson(pairs.first_values[pairs.first], pairs.second_values[pairs.second], counts)


def spearman_of(pairs: Pairs, counts: Ints) -> Measure:
    one = _ranks_of_counts(np.bincount(pairs.first, weights=counts, minlength=len(pairs.first_values)))
    other = _ranks_of_counts(np.bincount(pairs.second, weights=counts, minlength=len(pairs.second_values)))
    return _pearson(one[pairs.first], other[pairs.second], counts)


def kendall_of(pairs: Pairs, counts: Ints) -> Measure:
    n = int(counts.sum())
    if n < 2:
        return undefined(_TOO_FEW, n)
    in_all = n * (n - 1) // 2
    tied_first, tied_second, tied_both = (
        int((counted * (counted - 1)).sum()) // 2
        for counted in (np.bincount(pairs.first, weights=counts), np.bincount(pairs.second, weights=counts), counts)
    )
    scale = float(in_all - tied_first) * float(in_all - tied_second)
    if scale <= 0:
        return undefined(_CONSTANT, n)
    discordant = _inversions(np.repeat(pairs.second, counts))
    return defined((in_all - tied_first - tied_second + tied_both - 2 * discordant) / scale**0.5, n)


def _pearson(one: Floats, other: Floats, counts: Ints) -> Measure:
    n = int(counts.sum())
    if n < 2:
        return undefined(_TOO_FEW, n)
    one, other = one - counts @ one / n, other - counts @ other / n
    scale = float(np.sqrt((counts @ one**2) * (counts @ other**2)))
    there = counts > 0
    if scale <= 1e-12 * max(1.0, float(np.abs(one[there]).max()) * float(np.abs(other[there]).max())):
        return undefined(_CONSTANT, n)
    return defined(min(1.0, max(-1.0, float(counts @ (one * other)) / scale)), n)


def _inversions(values: Ints) -> int:
    """Return the number of pairs of which the one in front is greater.

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
    """Return ranks from 1, ties at the mean of the ranks that they take together."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return _ranks_of_counts(counts)[place]


def _ranks_of_counts(counts: Floats | Ints) -> Floats:
    """counts: (n_values,) items with each value, values ascending."""
    return np.asarray(counts.cumsum() - (counts - 1) / 2, dtype=np.float64)


class Correlations(NamedTuple):
    pearson: MeasureEstimate
    spearman: MeasureEstimate
    kendall: MeasureEstimate


def correlations(first: Numbers, second: Numbers, *, seed: int = 0, total: int | None = None) -> Correlations:
    """Return all three, bootstrapped over items from the same resamples, and as ``guarded`` has it.

    total: items that should have been there. Raises ValueError where the lengths differ.
    """
    pairs = pairs_of(first, second)

    def of(drawn: Drawn) -> Sequence[Measure]:
        counts = pairs.counts(drawn)
        return pearson_of(pairs, counts), spearman_of(pairs, counts), kendall_of(pairs, counts)

    found = with_intervals(len(pairs.kind), of, seed=seed, total=total)
    columns = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return Correlations(*(guarded(each, columns, len(pairs.kind)) for each in found))


def guarded(found: MeasureEstimate, columns: Sequence[Floats], n: int) -> MeasureEstimate:
    """Widen to the normal interval of n pairs where fewer than ten items differ from the rest of a column.

    There the bootstrap knows too little of what other items may hold. At 1 and -1, where the normal interval has no
    width either, it stays as it is: without an interval.
    """
    if found.value is None or all(is_varied(column) for column in columns):
        return found
    low, high = normal_interval(found.value, n)
    return found if low == high else wider(found, low, high)


def normal_interval(value: float, n: int) -> tuple[float, float]:
    """95 % interval of any of the three correlations of n pairs, by the normal distribution of atanh(value).

    With variance 1.06 / (n - 3), that of Spearman's and the greatest of the three; (-1, 1) below four pairs, and no
    width at 1 and -1. Source: Fisher 1921; Fieller, Hartley and Pearson 1957.
    """
    if n < 4:
        return -1.0, 1.0
    half = _Z * float(np.sqrt(1.06 / (n - 3)))
    with np.errstate(divide="ignore"):
        centre = np.arctanh(value)
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


def auroc(scores: Numbers, good: Sequence[bool] | npt.NDArray[np.bool_]) -> Measure:
    """Chance that a good item has a higher score than a bad one, ties counted half, in [0, 1]; a coin has 0.5.

    None where one of the two classes is empty. Raises ValueError where the lengths differ.
    Source: Hanley and McNeil 1982 (Mann-Whitney's U over the number of pairs).
    """
    values, is_good = np.asarray(scores, dtype=np.float64), np.asarray(good, dtype=np.bool_)
    if values.shape != is_good.shape or values.ndim != 1:
        raise ValueError(f"{len(values)} scores and {len(is_good)} classes; give one class for each score")
    n_good = int(is_good.sum())
    n_bad = len(values) - n_good
    if not n_good or not n_bad:
        return undefined(f"all {len(values)} items are {'good' if n_good else 'bad'}", len(values))
    above = float(ranks(values)[is_good].sum()) - n_good * (n_good + 1) / 2
    return defined(above / (n_good * n_bad), len(values))


def placements(scores: Numbers, good: Sequence[bool] | npt.NDArray[np.bool_]) -> list[float]:
    """Return the share of the other class that each item of the rarer class is on the right side of, ties half.

    In [0, 1]; their mean is ``auroc``. Empty where one of the two classes is.
    """
    values, is_good = np.asarray(scores, dtype=np.float64), np.asarray(good, dtype=np.bool_)
    by_good = 2 * int(is_good.sum()) <= len(values)
    rarer, others = values[is_good == by_good], np.sort(values[is_good != by_good])
    if not len(others):
        return []
    below, not_above = (np.searchsorted(others, rarer, side) for side in ("left", "right"))
    shares = (below + not_above) / (2 * len(others))
    return [float(share) for share in (shares if by_good else 1 - shares)]


def pair_wins(better: Sequence[float], worse: Sequence[float]) -> list[float]:
    """Return 1 for each pair in which the better one has the higher score, one half for a tie, else 0.

    Their mean is the accuracy on pairs (RAGAS, WikiEval). Raises ValueError where the lengths differ.
    """
    return [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in zip(better, worse, strict=True)]
