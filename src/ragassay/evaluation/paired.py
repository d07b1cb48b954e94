"""Two systems on the same examples: the difference of a metric, its interval, and whether chance would do as much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import SHARE, estimates, resample_counts, resamples_for
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.significance import holm, randomisation_p_values

FloatArray = npt.NDArray[np.float64]


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


def paired_tests(
    a: FloatArray, b: FloatArray, *, bounds: Sequence[tuple[float, float] | None], seed: int
) -> list[PairedTest | None]:
    """b against a in every column; None without a pair, or with a single one of a metric without bounds.

    a, b: (n_examples, n_metrics) float64, NaN where an example has no value, rows in the same order. bounds: of each
    metric. Columns share the resamples and the random signs. p_adjusted is p_value until ``adjusted`` has seen the
    family.
    """
    differences = b - a
    means = _intervals(differences, bounds, seed)
    p_values = randomisation_p_values(differences, seed=seed)
    by_bootstrap = bootstrap_p_values(differences, seed=seed)
    return [
        _test(a[:, place], b[:, place], means[place], p_values[place], by_bootstrap[place])
        for place in range(differences.shape[1])
    ]


def _test(a: FloatArray, b: FloatArray, mean: Estimate, p_value: float, p_bootstrap: float) -> PairedTest | None:
    if mean.value is None or mean.low is None or mean.high is None:
        return None
    both = ~np.isnan(a) & ~np.isnan(b)
    differences = b[both] - a[both]
    return PairedTest(
        a=float(a[both].mean()),
        b=float(b[both].mean()),
        difference=mean.value,
        low=mean.low,
        high=mean.high,
        p_value=p_value,
        p_bootstrap=p_bootstrap,
        p_adjusted=p_value,
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
        same=int((differences == 0).sum()),
        n=mean.n,
        total=mean.total,
    )


def _intervals(differences: FloatArray, bounds: Sequence[tuple[float, float] | None], seed: int) -> dict[int, Estimate]:
    """Place of each column to the mean of its differences and its interval."""
    found: dict[int, Estimate] = {}
    for each in dict.fromkeys(bounds):
        places = [place for place, other in enumerate(bounds) if other == each]
        spread = None if each is None else (each[0] - each[1], each[1] - each[0])
        resamples = resamples_for(len(differences))
        found.update(
            zip(
                places,
                estimates(differences[:, places], seed=seed, bounds=spread, resamples=resamples),
                strict=True,
            )
        )
    return found


def bootstrap_p_values(differences: FloatArray, *, seed: int, resamples: int | None = None) -> list[float]:
    """Two-sided p-value of the paired bootstrap test of every column, in (0, 1].

    The differences are shifted so that their mean is 0, as if both systems were alike: the share of resamples whose
    mean lies at least as far from 0 as the observed one, (1 + hits) / (1 + resamples). 1 where all differences are 0,
    or there is none. With a few pairs it is too small, since a resample may hold one pair many times: then read the
    randomisation test.
    differences: (n, n_columns) float64, NaN where there is no pair. resamples: ``resamples_for(n)`` if None.
    Source: Efron and Tibshirani 1993, section 16.4; for retrieval Sakai 2006.
    """
    if not differences.size:
        return [1.0] * differences.shape[1]
    resamples = resamples or resamples_for(len(differences))
    present = (~np.isnan(differences)).astype(np.float64)
    filled = np.nan_to_num(differences, nan=0.0)
    means = filled.sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    centred = (filled - means) * present
    # Means of the same numbers in another order differ in their last bits; those are ties.
    reached = np.abs(means) - 1e-9 * np.abs(filled).max(axis=0)
    hits = np.zeros(len(means), dtype=np.int64)
    for drawn in resample_counts(len(differences), seed, resamples):
        shifted = (drawn @ centred) / np.maximum(drawn @ present, 1)
        hits += (np.abs(shifted) >= reached).sum(axis=0)
    return [float(value) for value in np.where(filled.any(axis=0), (1 + hits) / (1 + resamples), 1.0)]


def compare(
    best: FloatArray,
    others: Sequence[tuple[str, FloatArray]],
    *,
    bounds: tuple[float, float] | None = SHARE,
    seed: int,
) -> tuple[Comparison, ...]:
    """Every other configuration against the best one, on the examples that both have a value for.

    best, and the array beside each name: (n_examples,) float64 within bounds, NaN where there is no value. bounds: of
    the metric. p-values are adjusted by Holm over all the others given. One with no example in common with the best is
    left out.
    """
    if not others:
        return ()
    values = np.column_stack([of_other for _, of_other in others])
    tests = paired_tests(np.tile(best[:, None], len(others)), values, bounds=[bounds] * len(others), seed=seed)
    names = [name for (name, _), test in zip(others, tests, strict=True) if test is not None]
    return tuple(
        Comparison(
            other=name,
            difference=test.difference,
            low=test.low,
            high=test.high,
            p_value=test.p_adjusted,
            n=test.n,
        )
        for name, test in zip(names, adjusted([test for test in tests if test is not None]), strict=True)
    )


def adjusted(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """The tests of one family with their p-values adjusted by Holm, in their order."""
    p_values = holm([test.p_value for test in tests])
    return [replace(test, p_adjusted=p_value) for test, p_value in zip(tests, p_values, strict=True)]
