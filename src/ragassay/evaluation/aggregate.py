"""From values per example to a mean with its interval. What has no value is counted, never read as a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.estimate import Estimate

FloatArray = npt.NDArray[np.float64]

RESAMPLES = 10_000
CONFIDENCE = 0.95
DRAWN_AT_MOST = 20_000_000
"""Examples drawn over all resamples: above 2 000 examples there are fewer resamples, whose ends then hardly move."""
FEWEST_RESAMPLES = 1_000
SHARE = (0.0, 1.0)
"""Bounds of values that are shares: recall, nDCG, completeness."""
ROUNDING = 1e-9
"""By how much a value may exceed its bounds."""

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
# The bootstrap knows only the values it has seen. In a simulation over seven distributions of shares, 5 to 200 values
# each, its interval held the true mean in as few as 15 % of the samples where fewer than about ten values differed from
# the most common one, and in 92 to 96 % from there on; the other interval in 94 % or more throughout.
_BOOTSTRAP_FROM = 10
# Numbers held at once while resampling: 16 MB.
_BLOCK = 2_000_000


def resamples_for(n: int) -> int:
    """How many resamples n examples get where there may be many: 10 000 up to 2 000 examples, fewer above.

    At least 1 000.
    """
    return max(FEWEST_RESAMPLES, min(RESAMPLES, DRAWN_AT_MOST // max(1, n)))


class Interval(NamedTuple):
    """None where nothing is known: no value at all, or a single one without bounds."""

    low: float | None
    high: float | None


def estimate(
    values: Sequence[float | None], *, seed: int, bounds: tuple[float, float] | None = SHARE, resamples: int = RESAMPLES
) -> Estimate:
    """Mean and interval of one column of values; see ``estimates``. None or NaN: the example has no value."""
    column = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return estimates(column[:, None], seed=seed, bounds=bounds, resamples=resamples)[0]


def estimates(
    values: FloatArray, *, seed: int, bounds: tuple[float, float] | None = SHARE, resamples: int = RESAMPLES
) -> list[Estimate]:
    """Mean of every column with its 95 % interval, over the examples that have a value in it.

    values: (n_examples, n_columns) float64, NaN where an example has no value; columns (configurations, metrics) share
        the resamples, so that their intervals move together.
    bounds: the least and greatest value that the metric can take; None where it has none (tokens, seconds).

    The interval is the percentile bootstrap over examples (Efron and Tibshirani 1993, chapter 13). Where fewer than ten
    values differ from the most common one it would be far too narrow, for 20 right of 20 even [1, 1]; there bounded
    values get a normal interval after z**2 / 2 values at either bound are added (z = 1.96). On 0 and 1 that is the
    interval of Agresti and Coull 1998, which holds for shares that are no plain counts too, as Wilson's and
    Clopper and Pearson's do not; for 20 of 20 it gives [0.81, 1].
    Raises ValueError for a value outside the bounds.
    """
    _check(values, bounds)
    scored = ~np.isnan(values)
    counts = scored.sum(axis=0)
    # Column by column in memory: the last bits of a mean must not depend on which columns stand beside it.
    means = np.ascontiguousarray(np.where(scored, values, 0).T).sum(axis=1) / np.maximum(counts, 1)
    by_bootstrap = [column for column in range(values.shape[1]) if bounds is None or is_varied(values[:, column])]
    intervals = dict(zip(by_bootstrap, _bootstrap(values[:, by_bootstrap], seed, resamples), strict=True))
    found = []
    for column, (n, mean) in enumerate(zip(counts.tolist(), means.tolist(), strict=True)):
        if column not in intervals and bounds is not None:
            intervals[column] = _with_bounds_added(values[scored[:, column], column], bounds)
        low, high = intervals[column]
        found.append(Estimate(value=mean if n else None, low=low, high=high, n=n, total=len(values)))
    return found


def estimate_of_counts(
    counts: Mapping[float, int], total: int, *, seed: int, bounds: tuple[float, float], resamples: int = RESAMPLES
) -> Estimate:
    """As ``estimate`` for few different values that many examples have, such as ratings from 1 to 5; takes no time.

    counts: value to how many examples have it; total: examples that should have one. A resample of the examples is a
    multinomial draw of how often each value comes, so the interval is the same bootstrap.
    """
    values = np.array(sorted(counts), dtype=np.float64)
    numbers = np.array([counts[value] for value in values.tolist()], dtype=np.int64)
    _check(values[:, None], bounds)
    n = int(numbers.sum())
    if not n:
        return Estimate(value=None, low=None, high=None, n=0, total=total)
    if n - int(numbers.max()) < _BOOTSTRAP_FROM:
        low, high = _with_bounds_added(np.repeat(values, numbers), bounds)
    else:
        means = np.random.default_rng(seed).multinomial(n, numbers / n, size=resamples) @ values / n
        low, high = np.percentile(means, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]).tolist()
    return Estimate(value=float(numbers @ values / n), low=low, high=high, n=n, total=total)


def _check(values: FloatArray, bounds: tuple[float, float] | None) -> None:
    if values.ndim != 2:
        raise ValueError(f"values have shape {values.shape}; give (n_examples, n_columns)")
    if np.isinf(values).any():
        raise ValueError("a value is infinite; what could not be scored is NaN or None")
    if bounds is not None and ((values < bounds[0] - ROUNDING) | (values > bounds[1] + ROUNDING)).any():
        raise ValueError(f"a value lies outside {bounds}; give the bounds of this metric, or None if it has none")


def is_varied(column: FloatArray) -> bool:
    """Whether at least ten values differ from the most common one: enough for a bootstrap. NaN is no value."""
    occurrences = np.unique(column[~np.isnan(column)], return_counts=True)[1]
    return bool(occurrences.sum() - occurrences.max(initial=0) >= _BOOTSTRAP_FROM)


def _with_bounds_added(column: FloatArray, bounds: tuple[float, float]) -> Interval:
    """Normal interval of the mean, with z**2 / 2 values added at either bound, clipped to the bounds."""
    if not len(column):
        return Interval(None, None)
    low, high = bounds
    shares = (column - low) / (high - low)
    n = len(shares) + _Z**2
    mean = (shares.sum() + _Z**2 / 2) / n
    variance = ((shares**2).sum() + _Z**2 / 2) / n - mean**2
    half = _Z * np.sqrt(max(0.0, variance) / n)
    least, most = max(0.0, min(mean - half, shares.mean())), min(1.0, max(mean + half, shares.mean()))
    return Interval(float(low + (high - low) * least), float(low + (high - low) * most))


def _bootstrap(values: FloatArray, seed: int, resamples: int) -> list[Interval]:
    """Percentile intervals of the means of all columns, from one and the same set of resamples."""
    if not values.size:
        return [Interval(None, None)] * values.shape[1]
    scored = ~np.isnan(values)
    filled, present = np.where(scored, values, 0.0), scored.astype(np.float64)
    means = np.empty((resamples, values.shape[1]))
    begin = 0
    for drawn in resample_counts(len(values), seed, resamples):
        with np.errstate(invalid="ignore"):  # a resample may hold no scored example at all
            means[begin : begin + len(drawn)] = (drawn @ filled) / (len(values) if scored.all() else drawn @ present)
        begin += len(drawn)
    tails = [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]
    lows, highs = (
        np.nanpercentile(means, tails, axis=0) if np.isnan(means).any() else np.percentile(means, tails, axis=0)
    )
    several = scored.sum(axis=0) > 1
    return [
        Interval(float(low), float(high)) if known else Interval(None, None)
        for low, high, known in zip(lows, highs, several, strict=True)
    ]


def resample_counts(n: int, seed: int, resamples: int = RESAMPLES) -> Iterator[FloatArray]:
    """How often each of n examples is drawn in each resample, in blocks of (n_resamples, n) float64.

    The same seed and n give the same resamples.
    """
    random = np.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        drawn = random.integers(0, n, size=(rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
