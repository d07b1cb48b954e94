"""Measures of agreement, or None with the reason why they cannot be worked out, and their 95 % intervals over items."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import numbered
from ragassay.evaluation.estimate import Estimate

Drawn = npt.NDArray[np.int64]

RESAMPLES = 1000
CONFIDENCE = 0.95
LEAST_GROUPS = 10
"""Of fewer groups a bootstrap knows too little: its intervals are far too narrow (Cameron et al. 2008, section 4)."""
_LEAST_DEFINED = 0.5
"""Where fewer resamples than this share give a value, there is no interval: what is left of them is no sample."""
_SAME = 1e-12
_ONE_ITEM = "no interval: it rests on a single item"
_SELDOM_DEFINED = "no interval: it is undefined on most resamples of these items"
_ALL_ALIKE = "no interval: all resamples of these items give the same value"


class Measure(NamedTuple):
    """value: None where the measure is undefined; ``reason`` then says why. n: items that it rests on."""

    value: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureEstimate(Estimate):
    """A measure over items with its 95 % interval. reason: why it has no value, or none of its bounds."""

    reason: str | None = None


def defined(value: float, n: int) -> Measure:
    return Measure(float(value), n)


def undefined(reason: str, n: int = 0) -> Measure:
    return Measure(None, n, reason)


def without_interval(measure: Measure, total: int, reason: str | None = None) -> MeasureEstimate:
    """Return a measure as it is. reason: why it has no interval, where it has a value."""
    why = measure.reason if measure.value is None else reason
    return MeasureEstimate(value=measure.value, low=None, high=None, n=measure.n, total=total, reason=why)


def with_interval(
    n: int, statistic: Callable[[Drawn], Measure], *, seed: int = 0, total: int | None = None
) -> MeasureEstimate:
    """A statistic of all n items and its percentile bootstrap interval over them (Efron and Tibshirani 1993, 13.3).

    statistic: of the items drawn, by their places, with repeats. total: items that should have been there; n if None.
    The interval is None, with the reason, where the statistic is undefined, or undefined on most resamples, and where
    all of these give one value: complete agreement on ten items is not known to the last digit.
    """
    return with_intervals(n, lambda drawn: [statistic(drawn)], seed=seed, total=total)[0]


def with_intervals(
    n: int,
    statistics: Callable[[Drawn], Sequence[Measure]],
    *,
    seed: int = 0,
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
    draws = _resampled(n if groups is None else len(groups), seed)
    items = draws if groups is None else (np.concatenate([groups[place] for place in drawn]) for drawn in draws)
    found = np.array([[each.value for each in statistics(drawn)] for drawn in items], dtype=np.float64)
    return [_bounded(measure, column, total) for measure, column in zip(whole, found.T, strict=True)]


def _resampled(n: int, seed: int) -> Iterator[Drawn]:
    """Places of n items, drawn with repeats; the same ones for the same seed."""
    generator = np.random.default_rng(seed)
    for _ in range(RESAMPLES):
        yield generator.integers(0, n, n)


def _bounded(measure: Measure, found: npt.NDArray[np.float64], total: int) -> MeasureEstimate:
    """found: (n_resamples,) the measure of each resample, NaN where it is undefined."""
    known = found[np.isfinite(found)]
    if measure.value is None or measure.n < 2:
        return without_interval(measure, total, _ONE_ITEM)
    if len(known) < _LEAST_DEFINED * len(found):
        return without_interval(measure, total, _SELDOM_DEFINED)
    low, high = np.percentile(known, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]).tolist()
    if high - low < _SAME:
        return without_interval(measure, total, _ALL_ALIKE)
    return MeasureEstimate(value=measure.value, low=low, high=high, n=measure.n, total=total, method="bootstrap")


def mean_with_interval(
    values: Sequence[float],
    *,
    bounds: tuple[float, float],
    total: int,
    reason: str = "no items",
    keys: Sequence[Hashable] | None = None,
) -> MeasureEstimate:
    """Return the mean of values with the interval that all means in Ragassay have; see ``evaluation/aggregate.py``.

    bounds: the least and greatest that a value can be. total: items that should have a value. reason: why none has.
    keys: of each value what it hangs together with, such as the passage of a claim.
    """
    missing = [None] * (total - len(values))
    clusters = None if keys is None else numbered([*keys, *missing])
    found = estimate([*values, *missing], bounds=bounds, clusters=clusters)
    return MeasureEstimate(**asdict(found), reason=None if values else reason)


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
