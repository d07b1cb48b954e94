"""Correlation of two columns of numbers, linear and of their ranks, and whether a score tells good from bad."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import estimate, is_varied
from ragassay.people.agreement.measure import (
    Drawn,
    Measure,
    MeasureEstimate,
    at_least,
    defined,
    undefined,
    wider,
    with_interval,
    with_intervals,
)

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Numbers = Sequence[float] | Floats
_Z = NormalDist().inv_cdf(0.975)
_TOO_FEW = "a correlation needs two pairs"
_CONSTANT = "all values in one column are equal"


def pearson(first: Numbers, second: Numbers) -> Measure:
    """Linear correlation, in [-1, 1] (Pearson 1895).

    None with fewer than two pairs, or where one column does not vary. Raises ValueError where the lengths differ.
    """
    one, other = _columns(first, second)
    n = len(one)
    if n < 2:
        return undefined(_TOO_FEW, n)
    reach = max(1.0, float(np.abs(one).max()) * float(np.abs(other).max()))
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one @ one) * (other @ other)))
    if scale <= 1e-12 * reach:
        return undefined(_CONSTANT, n)
    return defined(min(1.0, max(-1.0, float(one @ other) / scale)), n)


def spearman(first: Numbers, second: Numbers) -> Measure:
    """Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904). None and raises as ``pearson``."""
    one, other = _columns(first, second)
    return pearson(ranks(one), ranks(other))


def kendall(first: Numbers, second: Numbers) -> Measure:
    """Kendall's tau-b: pairs of items in the same order less those in the other, over pairs, corrected for ties.

    In [-1, 1]. None and raises as ``pearson``. Source: Kendall 1945, counted as in Knight 1966.
    """
    one, other = (np.unique(each, return_inverse=True)[1] for each in _columns(first, second))
    n = len(one)
    if n < 2:
        return undefined(_TOO_FEW, n)
    in_all = n * (n - 1) // 2
    tied_one, tied_other, tied_both = map(_tied, (one, other, one * n + other))
    scale = float(in_all - tied_one) * float(in_all - tied_other)
    if scale <= 0:
        return undefined(_CONSTANT, n)
    discordant = _inversions(other[np.lexsort((other, one))])
    return defined((in_all - tied_one - tied_other + tied_both - 2 * discordant) / scale**0.5, n)


def _columns(first: Numbers, second: Numbers) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"columns of shape {one.shape} and {other.shape}; give two of the same length")
    return one, other


def _tied(codes: npt.NDArray[np.int64]) -> int:
    """Pairs of items with the same code."""
    counts = np.unique(codes, return_counts=True)[1]
    return int((counts * (counts - 1)).sum()) // 2


def _inversions(values: npt.NDArray[np.int64]) -> int:
    """Return the number of pairs of which the one in front is greater.

    values: (n,), not negative. Bit by bit from the highest: of values that agree in all bits above, each 0 behind a 1
    is an inversion; then both are put apart in their order, as radix sort does.
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
    return np.asarray((counts.cumsum() - (counts - 1) / 2)[place], dtype=np.float64)


class Correlations(NamedTuple):
    pearson: MeasureEstimate
    spearman: MeasureEstimate
    kendall: MeasureEstimate


def correlations(first: Numbers, second: Numbers, *, seed: int = 0, total: int | None = None) -> Correlations:
    """Return all three, bootstrapped over items from the same resamples, and as ``guarded`` has it.

    total: items that should have been there. Raises ValueError where the lengths differ.
    """
    one, other = _columns(first, second)

    def of(drawn: Drawn) -> Sequence[Measure]:
        return [measure(one[drawn], other[drawn]) for measure in (pearson, spearman, kendall)]

    found = with_intervals(len(one), of, seed=seed, total=total)
    return Correlations(*(guarded(each, (one, other), len(one)) for each in found))


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


def auroc(scores: Numbers, good: Sequence[bool] | Flags) -> Measure:
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


def auroc_with_interval(scores: Floats, good: Flags, *, seed: int = 0, total: int) -> MeasureEstimate:
    """Return AUROC with its interval by bootstrap over items, as ``with_clear_classes`` has it."""
    found = with_interval(len(scores), lambda drawn: auroc(scores[drawn], good[drawn]), seed=seed, total=total)
    return with_clear_classes(found, scores, good)


def with_clear_classes(found: MeasureEstimate, scores: Floats, good: Flags) -> MeasureEstimate:
    """Widen an AUROC of classes told apart nearly without fault, or with hardly an item.

    There a bootstrap is far too narrow, down to [1, 1]; they get at least the interval for means, over the items of
    the rarer class.
    """
    places = placements(scores, good)
    return found if found.value is None or is_varied(np.array(places)) else at_least(found, estimate(places))


def placements(scores: Numbers, good: Sequence[bool] | Flags) -> list[float]:
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
