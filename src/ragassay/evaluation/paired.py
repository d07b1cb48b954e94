"""Two systems on the same examples: the difference of a metric, its interval, and whether chance would do as much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import RESAMPLES, estimates, resample_counts
from ragassay.evaluation.significance import holm, randomisation_p_value

FloatArray = npt.NDArray[np.float64]

DRAWN_AT_MOST = 100_000_000
"""Examples drawn over all resamples of a test; above 10 000 pairs there are fewer resamples."""
FEWEST_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """One metric of two systems, over the examples that both have a value for.

    a, b: the means; difference: b - a, with low and high, its 95 % interval. better, worse, same: examples on which b
    has a higher, a lower, an equal value than a, whatever is good.
    p_value: of the paired randomisation test; p_bootstrap: of the paired bootstrap test. p_adjusted: p_value after Holm
    over the family that it was tested in. n: pairs; total: examples that either should have a value for.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    p_bootstrap: float
    p_adjusted: float
    better: int
    worse: int
    same: int
    n: int
    total: int


def paired_test(a: FloatArray, b: FloatArray, *, bounds: tuple[float, float] | None, seed: int) -> PairedTest | None:
    """b against a; None without a pair, or with a single one of a metric without bounds: it has no interval.

    a, b: (n_examples,) float64, NaN where an example has no value, in the same order. bounds: of the metric.
    p_adjusted is p_value until ``adjusted`` has seen the family.
    """
    both = ~np.isnan(a) & ~np.isnan(b)
    first, second = a[both], b[both]
    differences = second - first
    spread = None if bounds is None else (bounds[0] - bounds[1], bounds[1] - bounds[0])
    mean = estimates(differences[:, None], seed=seed, bounds=spread)[0]
    if mean.value is None or mean.low is None or mean.high is None:
        return None
    p_value = randomisation_p_value(differences, seed=seed)
    return PairedTest(
        a=float(first.mean()),
        b=float(second.mean()),
        difference=mean.value,
        low=mean.low,
        high=mean.high,
        p_value=p_value,
        p_bootstrap=bootstrap_p_value(differences, seed=seed),
        p_adjusted=p_value,
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
        same=int((differences == 0).sum()),
        n=len(differences),
        total=len(a),
    )


def bootstrap_p_value(differences: FloatArray, *, seed: int, resamples: int = RESAMPLES) -> float:
    """Two-sided p-value of the paired bootstrap test, in (0, 1].

    The differences are shifted so that their mean is 0, as if both systems were alike: the share of resamples whose
    mean lies at least as far from 0 as the observed one, (1 + hits) / (1 + resamples). 1 where all differences are 0,
    or there is none. With a few pairs it is too small, since a resample may hold one pair many times: then read the
    randomisation test.
    differences: (n,) float64, no NaN.
    Source: Efron and Tibshirani 1993, section 16.4; for retrieval Sakai 2006.
    """
    if not differences.any():
        return 1.0
    n = len(differences)
    observed = abs(float(differences.mean()))
    centred = differences - differences.mean()
    resamples = max(FEWEST_RESAMPLES, min(resamples, DRAWN_AT_MOST // n))
    # Means of the same numbers in another order differ in their last bits; those are ties.
    reached = observed - 1e-9 * float(np.abs(differences).mean())
    hits = sum(int((np.abs(drawn @ centred) / n >= reached).sum()) for drawn in resample_counts(n, seed, resamples))
    return (1 + hits) / (1 + resamples)


def adjusted(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """The tests of one family with their p-values adjusted by Holm, in their order."""
    p_values = holm([test.p_value for test in tests])
    return [replace(test, p_adjusted=p_value) for test, p_value in zip(tests, p_values, strict=True)]
