"""From values per example to a mean with its interval. What has no value is counted, never read as a number."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Estimate, method_named
from ragassay.evaluation.statistics import spread, two_sided_quantile

FloatArray = npt.NDArray[np.float64]

CONFIDENCE = 0.95
SHARE = (0.0, 1.0)
"""Bounds of values that are shares: recall, nDCG, completeness."""
ROUNDING = 1e-9
"""By how much a value may exceed its bounds."""


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

    The spread is that between documents where several questions share one; ``statistics.spread``. Bounded values get
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
            low, high = _t(mean, variance, dof) if bounds is None else _wilson(mean, variance, dof, n, bounds)
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


def _wilson(mean: float, variance: float, dof: float, n: int, bounds: tuple[float, float]) -> Interval:
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
