"""Statistics over items with their 95 % intervals: any statistics, unlike the means of ``evaluation/aggregate.py``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, MeasureEstimate, undefined, without_interval
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.statistics import is_varied, resample_counts

Drawn = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
CONFIDENCE = 0.95
_LEAST_DEFINED = 0.5
"""Where fewer resamples than this share give a value, there is no interval: what is left of them is no sample."""
_SAME = 1e-12
_FEW_VALUES = 100
"""So many different values are counted, and the counts resampled, which takes no time."""
_ONE_ITEM = "no interval: it rests on a single item"
_SELDOM_DEFINED = "no interval: it is undefined on most resamples of these items"
_ALL_ALIKE = "no interval: all resamples of these items give the same value"


def with_interval(
    n: int,
    statistic: Callable[[Drawn], Measure],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    total: int | None = None,
) -> MeasureEstimate:
    """A statistic of all n items and its percentile bootstrap interval over them (Efron and Tibshirani 1993, 13.3).

    statistic: of the items drawn, by their places, with repeats. total: items that should have been there; n if None.
    The interval is None, with the reason, where the statistic is undefined, or undefined on most resamples, and where
    all of these give one value: complete agreement on ten items is not known to the last digit.
    """
    return with_intervals(n, lambda drawn: [statistic(drawn)], seed=seed, resamples=resamples, total=total)[0]


def with_intervals(
    n: int,
    statistics: Callable[[Drawn], Sequence[Measure]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    total: int | None = None,
    groups: Sequence[Drawn] | None = None,
) -> list[MeasureEstimate]:
    """Several statistics of the same items, all of them from the same resamples; else as ``with_interval``.

    What a statistic says of its n stays: it may rest on a part of the items. groups: places of items that hang
    together, such as claims about one passage; they are drawn as a whole (Davison and Hinkley 1997, section 3.8).
    """
    total = n if total is None else total
    whole = statistics(np.arange(n))
    if not n:
        return [without_interval(each if each.value is None else undefined("no items"), total) for each in whole]
    if not any(each.value is not None for each in whole):
        return [without_interval(each, total) for each in whole]
    draws = resampled(n, seed, resamples) if groups is None else resampled_groups(groups, seed, resamples)
    found = [[each.value for each in statistics(drawn)] for drawn in draws]
    limits = bounds(np.array(found, dtype=np.float64))
    return [bounded(measure, each, total) for measure, each in zip(whole, limits, strict=True)]


def counts_with_interval(
    counts: Drawn, measure: Measure, statistic: Callable[[Floats], Floats], *, seed: int = 0, resamples: int = RESAMPLES
) -> MeasureEstimate:
    """Return a statistic of counts with its interval over the items that are counted in them; takes little time.

    counts: (n_cells,), an item in each. measure: of the counts themselves. statistic: of many resamples of them,
    (n_resamples, n_cells), NaN where it is undefined. Of few cells, a resample of the items is a multinomial draw of
    how many fall into each, so the interval is the same bootstrap.
    """
    n = int(counts.sum())
    if measure.value is None:
        return without_interval(measure, n)
    found = [statistic(drawn) for drawn in _drawn_counts(counts, n, seed, resamples)]
    return bounded(measure, bounds(np.concatenate(found)[:, None])[0], n)


def _drawn_counts(counts: Drawn, n: int, seed: int, resamples: int) -> Iterator[Floats]:
    if len(counts) > _FEW_VALUES:
        starts = np.r_[0, counts.cumsum()[:-1]]
        for drawn in resample_counts(n, seed, resamples):
            yield np.add.reduceat(drawn, starts, axis=1)
        return
    generator = np.random.default_rng(seed)
    yield generator.multinomial(n, counts / n, size=resamples).astype(np.float64)


def mean_with_interval(
    values: Sequence[float], *, bounds: tuple[float, float], total: int, reason: str = "no items"
) -> MeasureEstimate:
    """Return the mean of values with the interval that all means in Ragassay have; see ``evaluation/aggregate.py``.

    bounds: the least and greatest that a value can be. total: items that should have a value. reason: why none has.
    """
    found = estimate([*values, *[None] * (total - len(values))], bounds=bounds)
    why = None if values else reason
    return MeasureEstimate(
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        total=found.total,
        method=found.method,
        reason=why,
    )


def resampled(n: int, seed: int, resamples: int = RESAMPLES) -> Iterator[Drawn]:
    """Places of n items, drawn with repeats; the same ones for the same seed."""
    generator = np.random.default_rng(seed)
    for _ in range(resamples):
        yield generator.integers(0, n, n)


def resampled_groups(groups: Sequence[Drawn], seed: int, resamples: int = RESAMPLES) -> Iterator[Drawn]:
    """Places of the items of groups that are drawn with repeats, as many groups as there are."""
    for drawn in resampled(len(groups), seed, resamples):
        yield np.concatenate([groups[place] for place in drawn])


class Bounds(NamedTuple):
    """low, high: None where there is no interval; ``reason`` then says why."""

    low: float | None
    high: float | None
    reason: str | None = None


def bounds(found: npt.NDArray[np.float64]) -> list[Bounds]:
    """Return the percentile interval of each column, over the resamples that gave a value.

    found: (n_resamples, n_statistics), NaN where a statistic is undefined.
    """
    enough = np.isfinite(found).sum(axis=0) >= _LEAST_DEFINED * len(found)
    limits = np.full((2, found.shape[1]), np.nan)
    if enough.any():
        edges = [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]
        percentile = np.percentile if np.isfinite(found).all() else np.nanpercentile  # the latter takes far longer
        limits[:, enough] = percentile(found[:, enough], edges, axis=0)
    return [_bounds(float(low), float(high)) for low, high in limits.T]


def _bounds(low: float, high: float) -> Bounds:
    if np.isnan(low):
        return Bounds(None, None, _SELDOM_DEFINED)
    return Bounds(None, None, _ALL_ALIKE) if high - low < _SAME else Bounds(low, high)


def bounded(measure: Measure, limits: Bounds, total: int) -> MeasureEstimate:
    """Return a measure with the bounds that were found for it, if it has any."""
    if measure.value is None or measure.n < 2 or limits.low is None:
        return without_interval(measure, total, _ONE_ITEM if measure.n < 2 else limits.reason)
    return MeasureEstimate(
        value=measure.value, low=limits.low, high=limits.high, n=measure.n, total=total, method="bootstrap"
    )


def wider(found: MeasureEstimate, low: float | None, high: float | None) -> MeasureEstimate:
    """Return a measure whose interval reaches at least from low to high; as it is where one of these is None."""
    if low is None or high is None:
        return found
    return replace(
        found,
        low=low if found.low is None else min(low, found.low),
        high=high if found.high is None else max(high, found.high),
        reason=None,
    )


def at_least(found: MeasureEstimate, other: Estimate) -> MeasureEstimate:
    """Return a measure whose interval reaches at least as far as another one."""
    return wider(found, other.low, other.high)


LEAST_GROUPS = 10
"""Of fewer groups a bootstrap knows too little: its intervals are far too narrow (Cameron et al. 2008, section 4)."""


def groups_of(keys: Sequence[Hashable]) -> list[Drawn]:
    """Return the places of the items of each group, in the order in which groups first come."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return [np.array(each, dtype=np.int64) for each in places.values()]


def too_few_groups(n: int, n_groups: int) -> str | None:
    """Return why n items in so many groups have no interval; None where they have one.

    Items that are each a group of their own need no groups.
    """
    if n_groups >= LEAST_GROUPS or n_groups == n:
        return None
    return f"no interval: the {n} items are from {n_groups} passage{'' if n_groups == 1 else 's'}, too few to resample"


def grouped_share(
    flags: Sequence[bool], keys: Sequence[Hashable], *, total: int, seed: int = 0, reason: str = "no items"
) -> MeasureEstimate:
    """Return the share of true flags and its percentile bootstrap interval over groups.

    keys: the group of each flag. total: items that should have a flag. reason: why none has. Where fewer than ten flags
    differ from the rest, the interval is at least as wide as that of all means in Ragassay: the bootstrap of 12 right
    of 12 has no width.
    """
    n = len(flags)
    if not n:
        return without_interval(undefined(reason), total)
    values = np.array(flags, dtype=np.float64)
    measure = Measure(float(values.mean()), n)
    groups = groups_of(keys)
    if why := too_few_groups(n, len(groups)):
        return without_interval(measure, total, why)
    sums = np.array([values[places].sum() for places in groups])
    sizes = np.array([len(places) for places in groups], dtype=np.float64)
    shares = np.concatenate([drawn @ sums / (drawn @ sizes) for drawn in resample_counts(len(groups), seed, RESAMPLES)])
    found = bounded(measure, bounds(shares[:, None])[0], total)
    return found if is_varied(values) else at_least(found, estimate(values.tolist()))
