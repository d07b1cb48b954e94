"""A share of items that come in groups, with an interval that knows it: claims about one passage hang together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from ragassay.agreement.measure import Measure, MeasureEstimate, undefined, without_interval
from ragassay.agreement.resampling import RESAMPLES, Drawn, bounded, bounds
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.resamples import is_varied, resample_counts

LEAST_GROUPS = 10
"""Of fewer groups a bootstrap knows too little: its intervals are far too narrow (Cameron et al. 2008, section 4)."""


def groups_of(keys: Sequence[Hashable]) -> list[Drawn]:
    """The places of the items of each group, in the order in which groups first come."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return [np.array(each, dtype=np.int64) for each in places.values()]


def too_few_groups(n: int, n_groups: int) -> str | None:
    """Why n items in so many groups have no interval; None where they have one.

    Items that are each a group of their own need no groups.
    """
    if n_groups >= LEAST_GROUPS or n_groups == n:
        return None
    return f"no interval: the {n} items are from {n_groups} passage{'' if n_groups == 1 else 's'}, too few to resample"


def grouped_share(
    flags: Sequence[bool], keys: Sequence[Hashable], *, total: int, seed: int = 0, reason: str = "no items"
) -> MeasureEstimate:
    """The share of true flags and its percentile bootstrap interval over groups.

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


def at_least(found: MeasureEstimate, other: Estimate) -> MeasureEstimate:
    """A measure whose interval reaches at least as far as another one."""
    if other.low is None or other.high is None:
        return found
    return replace(
        found,
        low=other.low if found.low is None else min(found.low, other.low),
        high=other.high if found.high is None else max(found.high, other.high),
        reason=None,
    )
