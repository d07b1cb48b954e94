"""A statistic over items with its 95 % interval: any statistic, unlike the means of ``evaluation/aggregate.py``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure
from ragassay.evaluation.estimate import Estimate

Drawn = npt.NDArray[np.int64]

RESAMPLES = 1000
CONFIDENCE = 0.95
_LEAST_DEFINED = 0.5
"""Where fewer resamples than this share give a value, there is no interval: what is left of them is no sample."""


def with_interval(
    n: int,
    statistic: Callable[[Drawn], Measure],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    total: int | None = None,
) -> Estimate:
    """A statistic of all n items and its percentile bootstrap interval over them (Efron and Tibshirani 1993, 13.3).

    statistic: of the items drawn, by their places, with repeats. total: items that should have been there; n if None.
    The interval is None where the statistic is undefined, or undefined on most resamples.
    """
    total = n if total is None else total
    value = statistic(np.arange(n)).value if n else None
    if value is None:
        return Estimate(value=None, low=None, high=None, n=n, total=total)
    generator = np.random.default_rng(seed)
    found = [statistic(generator.integers(0, n, n)).value for _ in range(resamples)]
    known = [each for each in found if each is not None]
    if n < 2 or len(known) < _LEAST_DEFINED * resamples:
        return Estimate(value=value, low=None, high=None, n=n, total=total)
    low, high = np.percentile(known, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)])
    return Estimate(value=value, low=float(low), high=float(high), n=n, total=total)
