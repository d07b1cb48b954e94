"""Does a judge's score mean what it says? Of claims with a score of 0.8, four in five should be supported."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.resampling import grouped_share

BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Scores from low up to high, the last bin with its upper end. mean_score: None where there is none.

    supported: share of the claims that people say are supported.
    """

    low: float
    high: float
    n: int
    mean_score: float | None
    supported: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """bins: of equal width, from 0 to 1. expected_error: mean distance of score and share, weighted by n.

    Source: expected calibration error of Naeini et al. 2015; figure of Guo et al. 2017, section 2.
    """

    bins: tuple[Bin, ...]
    expected_error: float
    n: int


def reliability(
    scores: Sequence[float], supported: Sequence[bool], keys: Sequence[Hashable], *, seed: int = 0
) -> Reliability:
    """The bins of at least one score. keys: the passage of each.

    Raises ValueError for no scores, or for one outside [0, 1].
    """
    values = np.array(scores, dtype=np.float64)
    if not len(values) or values.min() < 0 or values.max() > 1:
        raise ValueError("give one score or more, all of them in [0, 1]")
    edges = np.arange(BINS + 1) / BINS
    numbers = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
    bins = []
    for number in range(BINS):
        places = np.flatnonzero(numbers == number).tolist()
        bins.append(
            Bin(
                low=float(edges[number]),
                high=float(edges[number + 1]),
                n=len(places),
                mean_score=float(values[places].mean()) if places else None,
                supported=grouped_share(
                    [supported[place] for place in places],
                    [keys[place] for place in places],
                    total=len(places),
                    seed=seed,
                    reason="no score falls into this bin",
                ),
            )
        )
    return Reliability(bins=tuple(bins), expected_error=_expected_error(bins), n=len(values))


def _expected_error(bins: Sequence[Bin]) -> float:
    off = [
        each.n * abs(each.mean_score - each.supported.value)
        for each in bins
        if each.mean_score is not None and each.supported.value is not None
    ]
    return sum(off) / sum(each.n for each in bins)
