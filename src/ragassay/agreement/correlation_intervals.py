"""Correlations of two columns with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ragassay.agreement.correlation import (
    Floats,
    kendall_of_pairs,
    normal_interval,
    pairs_of,
    pearson_of_pairs,
    spearman_of_pairs,
)
from ragassay.agreement.measure import Measure, MeasureEstimate
from ragassay.agreement.resampling import Drawn, with_intervals
from ragassay.evaluation.resamples import is_varied


class Correlations(NamedTuple):
    pearson: MeasureEstimate
    spearman: MeasureEstimate
    kendall: MeasureEstimate


def correlations(
    first: Sequence[float] | Floats, second: Sequence[float] | Floats, *, seed: int = 0, total: int | None = None
) -> Correlations:
    """All three, bootstrapped over items from the same resamples, and as ``guarded`` has it.

    total: items that should have been there. Raises ValueError where the lengths differ.
    """
    pairs = pairs_of(first, second)

    def of(drawn: Drawn) -> Sequence[Measure]:
        counts = pairs.counts(drawn)
        return pearson_of_pairs(pairs, counts), spearman_of_pairs(pairs, counts), kendall_of_pairs(pairs, counts)

    found = with_intervals(len(pairs.kind), of, seed=seed, total=total)
    columns = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return Correlations(*(guarded(each, columns, len(pairs.kind)) for each in found))


def guarded(found: MeasureEstimate, columns: Sequence[Floats], n: int) -> MeasureEstimate:
    """At least as wide as the normal interval of n pairs where fewer than ten items differ from the rest of a column.

    There the bootstrap knows too little of what other items may hold. At 1 and -1, where the normal interval has no
    width either, it stays as it is: without an interval.
    """
    if found.value is None or all(is_varied(column) for column in columns):
        return found
    low, high = normal_interval(found.value, n)
    if low == high:
        return found
    return replace(
        found,
        low=low if found.low is None else min(low, found.low),
        high=high if found.high is None else max(high, found.high),
        reason=None,
    )
