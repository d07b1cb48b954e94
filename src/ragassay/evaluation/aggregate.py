"""From values per example to a mean with its interval, and the arithmetic of uncertainty behind it.

What has no value is counted, never read as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import exp, isinf, isnan, lgamma, log, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Estimate, method_named

FloatArray = npt.NDArray[np.float64]
T = TypeVar("T")

CONFIDENCE = 0.95
SHARE = (0.0, 1.0)
"""Bounds of values that are shares: recall, nDCG, completeness."""
ROUNDING = 1e-9
"""By how much a value may exceed its bounds."""

_NORMAL_FROM = 1e7
"""Degrees of freedom from which the quantile is the normal one to seven digits."""
_TINY = 1e-300


def tail_probability(t: float, dof: float) -> float:
    """Chance that |T| is at least |t|, in [0, 1]: the two-sided p-value."""
    if isinf(t):
        return 0.0
    return _incomplete_beta(dof / 2, 0.5, dof / (dof + t * t), t * t / (dof + t * t))


@lru_cache(maxsize=10_000)
def two_sided_quantile(confidence: float, dof: float) -> float:
    """The t with |T| < t in a share ``confidence`` of the cases. dof: above 0."""
    if dof >= _NORMAL_FROM:
        return NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = 0.0, 2.0
    while tail_probability(high, dof) > 1 - confidence:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if tail_probability(middle, dof) > 1 - confidence else (low, middle)
    return high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Regularised incomplete beta function, from its continued fraction. rest: 1 - x, to its last digit.

    Source: DLMF 8.17.22 by Lentz's method, as in Press et al. 2007, section 6.4.
    """
    if not x or not rest:
        return x
    if x > (a + 1) / (a + b + 2):  # on this side of the mean the fraction converges fast for the other tail only
        return 1 - _incomplete_beta(b, a, rest, x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value, change, m = d, 0.0, 0
    while abs(change - 1) > 1e-15 and m < 10_000:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for coefficient in (even, odd):
            d = 1 / (1 + coefficient * d or _TINY)
            c = 1 + coefficient / c or _TINY
            change = c * d
            value *= change
    return front * value


QUESTIONS, DOCUMENTS, THESE_DOCUMENTS = "", "over documents", "within these documents"
"""Scopes: every value by itself; several have a document in common; so, and the documents tell nothing of others."""
_FEWEST_DOF = 3
"""Of documents, with which a variance over them is of use: four of one size have so many. With fewer
Student's t makes the interval as wide as the scale, whatever the values."""
_BLOCK = 2_000_000
"""Numbers held at once: 16 MB."""
_ROUNDING = 1e-9
"""A standard deviation below this share of the values is none: the last bits of a sum."""


class Spread(NamedTuple):
    """Of each column, (n_columns,); NaN where a column has too few values.

    n: values. mean: theirs. deviation: their standard deviation. variance: of the mean. dof: degrees of freedom of the
    variance. scope: what the variance is over.
    """

    n: npt.NDArray[np.int64]
    mean: FloatArray
    deviation: FloatArray
    variance: FloatArray
    dof: FloatArray
    scope: npt.NDArray[np.str_]

    @property
    def effective(self) -> FloatArray:
        """How many independent questions would tell as much; n where the values do not differ."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.variance > 0, self.deviation**2 / self.variance, self.n)


def spread(values: FloatArray, clusters: Clusters | None = None) -> Spread:
    """values: (n_examples, n_columns) float64, NaN where there is none. clusters: of the examples; None if each is one.

    Where several values belong to one cluster, the variance is that of Bell and McCaffrey 2002 (CR2, for a mean) with
    their degrees of freedom, and never less than that of independent values. With fewer than three degrees of freedom
    it is that of independent values: of other questions on these documents, while nothing is known of others.
    """
    parts = list(_parts(values, clusters))
    return Spread(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _parts(values: FloatArray, clusters: Clusters | None) -> Iterator[Spread]:
    order, starts = np.arange(len(values)), np.arange(len(values))
    if clusters is not None:
        order = np.argsort(clusters, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(clusters[order]) != 0])[: len(values)]
    step = max(1, _BLOCK // max(1, len(values)))
    for begin in range(0, max(1, values.shape[1]), step):
        # A column lies whole in memory: the last bits of its mean do not depend on the columns beside it.
        rows = np.ascontiguousarray(values[:, begin : begin + step].T)
        yield _of_rows(rows if clusters is None else np.ascontiguousarray(rows[:, order]), starts)


def _of_rows(rows: FloatArray, starts: npt.NDArray[np.intp]) -> Spread:
    """rows: (n_columns, n_examples), clusters one after the other; starts: where each begins."""
    present = ~np.isnan(rows)
    n = present.sum(axis=1)
    filled = np.where(present, rows, 0.0)
    mean = filled.sum(axis=1) / np.maximum(n, 1)
    away = np.where(present, filled - mean[:, None], 0.0)
    deviation = np.sqrt((away**2).sum(axis=1) / np.where(n > 1, n - 1, np.nan))
    deviation[deviation <= _ROUNDING * np.abs(filled).max(axis=1, initial=0)] = 0
    variance, dof = deviation**2 / np.maximum(n, 1), np.where(n > 1, n - 1.0, np.nan)
    scope = np.full(len(rows), QUESTIONS, dtype=f"U{len(THESE_DOCUMENTS)}")
    if len(starts) < rows.shape[1]:
        sizes = np.add.reduceat(present, starts, axis=1, dtype=np.float64)
        scope[sizes.max(axis=1) > 1] = THESE_DOCUMENTS
        over = (scope == THESE_DOCUMENTS) & ((sizes > 0).sum(axis=1) > 1)
        between, dof_between = _between(np.add.reduceat(away, starts, axis=1)[over], sizes[over], n[over])
        is_enough = dof_between >= _FEWEST_DOF - _ROUNDING
        over[over] = is_enough
        scope[over] = DOCUMENTS
        variance[over] = np.where(deviation[over] > 0, np.maximum(variance[over], between[is_enough]), 0.0)
        dof[over] = dof_between[is_enough]
    mean = np.where(n > 0, mean, np.nan)
    return Spread(n, mean, deviation, variance, dof, scope)


def _between(away: FloatArray, sizes: FloatArray, n: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Variance of the mean and its degrees of freedom, from sums of what clusters lie away from it, and their sizes."""
    left = 1 - sizes / n[:, None]
    variance = (away**2 / left).sum(axis=1) / n**2
    squares = sizes**2 / left
    cross = squares.sum(axis=1) ** 2 - (squares**2).sum(axis=1)
    return variance, 1 / ((sizes**2).sum(axis=1) / n**2 + cross / n.astype(np.float64) ** 4)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for being a family of tests, in their order: reject where the adjusted one is below the level.

    The i-th smallest of m is multiplied by m - i + 1, never falls below the ones before it, and is at most 1.
    Source: Holm 1979.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = highest
    return adjusted


RESAMPLES = 10_000
# The bootstrap knows only the values it has seen: where fewer than about ten differ from the most common one, its
# interval of a mean of shares held the true one in as few as 15 % of simulated samples.
_BOOTSTRAP_FROM = 10
# Numbers held at once while resampling: 16 MB.
_DRAWN = 2_000_000


def is_varied(column: FloatArray) -> bool:
    """Whether at least ten values differ from the most common one: enough for a bootstrap. NaN is no value."""
    occurrences = np.unique(column[~np.isnan(column)], return_counts=True)[1]
    return bool(occurrences.sum() - occurrences.max(initial=0) >= _BOOTSTRAP_FROM)


def resample_counts(n: int, seed: int, resamples: int = RESAMPLES) -> Iterator[FloatArray]:
    """How often each of n examples is drawn in each resample, in blocks of (n_resamples, n) float64.

    The same seed and n give the same resamples.
    """
    random = np.random.default_rng(seed)
    step = max(1, _DRAWN // n)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        drawn = random.integers(0, n, size=(rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


class Interval(NamedTuple):
    """None where nothing is known: no value at all, or without bounds a single one, or several that are the same."""

    low: float | None
    high: float | None


def estimate(
    values: Sequence[float | None],
    *,
    bounds: tuple[float, float] | None = SHARE,
    clusters: Clusters | None = None,
) -> Estimate:
    """Mean and interval of one column of values; see ``estimates``. None or NaN: the example has no value."""
    column = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return estimates(column[:, None], bounds=bounds, clusters=clusters)[0]


def estimates(
    values: FloatArray,
    *,
    bounds: tuple[float, float] | None = SHARE,
    clusters: Clusters | None = None,
) -> list[Estimate]:
    """Mean of every column with its 95 % interval, over the examples that have a value in it.

    values: (n_examples, n_columns) float64, NaN where an example has no value.
    bounds: the least and greatest value that the metric can take; None where it has none (tokens, seconds).
    clusters: of the examples, as ``clusters_of`` gives them; None if no two hang together.

    The spread is that between documents where several questions share one; ``spread``. Bounded values get
    Wilson's score interval (1927) for as many answers of right or wrong as would have that spread (Korn and Graubard
    1998), with Student's t in the place of z: for 20 right of 20 it is [0.82, 1]. Values that do not differ at all are
    such answers each. Without bounds it is the t interval, and none where they do not differ.
    Raises ValueError for a value outside the bounds.
    """
    _check(values, bounds)
    found = spread(values, clusters)
    made = []
    for n, mean, _, variance, dof, scope in zip(*(column.tolist() for column in found), strict=True):
        low, high = None, None
        if n:
            low, high = _t(mean, variance, dof) if bounds is None else wilson(mean, variance, dof, n, bounds)
        method = None if low is None else method_named("t" if bounds is None else "Wilson with t", scope)
        value = mean if n else None
        made.append(Estimate(value=value, low=low, high=high, n=n, total=len(values), method=method))
    return made


def _check(values: FloatArray, bounds: tuple[float, float] | None) -> None:
    if values.ndim != 2:
        raise ValueError(f"values have shape {values.shape}; give (n_examples, n_columns)")
    if np.isinf(values).any():
        raise ValueError("a value is infinite; what could not be scored is NaN or None")
    if bounds is not None and ((values < bounds[0] - ROUNDING) | (values > bounds[1] + ROUNDING)).any():
        raise ValueError(f"a value lies outside {bounds}; give the bounds of this metric, or None if it has none")


def _t(mean: float, variance: float, dof: float) -> Interval:
    if isnan(dof) or not variance:  # a single value says nothing about the spread, nor do values that are all the same
        return Interval(None, None)
    half = two_sided_quantile(CONFIDENCE, dof) * sqrt(variance)
    return Interval(mean - half, mean + half)


def wilson(mean: float, variance: float, dof: float, n: int, bounds: tuple[float, float]) -> Interval:
    """Wilson's score interval, with t, of as many answers of right or wrong as have that variance of the mean.

    n: values, which count where the variance is 0. dof: of the variance, NaN for a single value.
    """
    low, high = bounds
    if isnan(dof):
        return Interval(low, high)
    share = min(1.0, max(0.0, (mean - low) / (high - low)))
    within = share * (1 - share)
    answers = within * (high - low) ** 2 / variance if variance > 0 and within > 0 else n
    ratio = two_sided_quantile(CONFIDENCE, dof) ** 2 / answers
    centre = (share + ratio / 2) / (1 + ratio)
    half = sqrt(ratio * within + ratio**2 / 4) / (1 + ratio)
    # The last bits must not put the mean, or a bound, outside.
    least, most = max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))
    return Interval(low + (high - low) * least, low + (high - low) * most)


def pareto_front(points: Iterable[T], price: Callable[[T], float], quality: Callable[[T], float]) -> list[T]:
    """Return the points that no other one equals in quality at the same price or less; the cheapest first.

    quality: more is better; those that differ in their last bits alone are equal. Of points that are equal in both, the
    one that is given first: hand them over in the order of preference.
    """
    front: list[T] = []
    for point in sorted(points, key=lambda point: (price(point), -round(quality(point), 12))):
        if not front or round(quality(point), 12) > round(quality(front[-1]), 12):
            front.append(point)
    return front
