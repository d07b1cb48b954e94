"""Two systems on the same examples: the difference of a metric, its interval, and whether chance would do as much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import CONFIDENCE, SHARE
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Comparison, Method, method_named
from ragassay.evaluation.significance import holm
from ragassay.evaluation.spread import Spread, spread
from ragassay.evaluation.student_t import tail_probability, two_sided_quantile

FloatArray = npt.NDArray[np.float64]
Bounds = tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """One metric of two systems, over the examples that both have a value for.

    a, b: the means; difference: b - a, with low and high, its 95 % interval. better, worse, same: examples on which b
    has a higher, a lower, an equal value than a, whatever is good.
    p_value: two-sided, of the t test that the interval comes from: below 0.05 exactly if the interval leaves 0 out.
    p_adjusted: p_value after Holm over the family that it was tested in. method: of both. n: pairs; total: examples
    that either should have a value for.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    method: Method
    better: int
    worse: int
    same: int
    n: int
    total: int


class Differences:
    """The paired differences of many columns, and how far each mean is from 0 for what is known of it.

    The t interval and the t test over questions or documents (see ``spread.py``), of one pair more than there are: half
    of it in favour of either system, by as much as the pairs differ that do differ (root mean square), or by the whole
    range where none does. So pairs that all differ alike, or not at all, are not certain; after Agresti and Min 2005,
    who add two such pairs to those of right and wrong answers.
    """

    def __init__(self, differences: FloatArray, bounds: Sequence[Bounds], clusters: Clusters | None = None) -> None:
        """differences: (n_examples, n_columns) float64, NaN where there is no pair. bounds: of each metric."""
        self.spread: Spread = spread(differences, clusters)
        self._range = np.array([0.0 if each is None else each[1] - each[0] for each in bounds])
        self._is_bounded = np.array([each is not None for each in bounds], dtype=np.bool_)
        found, n = self.spread, self.spread.n
        squares = (n - 1) * np.nan_to_num(found.deviation) ** 2 + n * np.nan_to_num(found.mean) ** 2
        differing = np.count_nonzero(np.nan_to_num(differences), axis=0)
        pair = np.where(differing > 0, squares / np.maximum(differing, 1), self._range**2)
        effective = found.effective
        with np.errstate(divide="ignore", invalid="ignore"):
            self._centre = found.mean * effective / (effective + 1)
            square = (effective * squares / n + pair) / (effective + 1)
            variance = (square - self._centre**2) * n / (n - 1) / (effective + 1)
        self._error = np.sqrt(np.maximum(variance, 0))

    def interval(self, column: int) -> tuple[float, float] | None:
        """None without a pair, or with a single one of a metric without bounds."""
        widest = float(self._range[column])
        if self.spread.n[column] < 2:
            return (-widest, widest) if self.spread.n[column] and self._is_bounded[column] else None
        half = two_sided_quantile(CONFIDENCE, float(self.spread.dof[column])) * float(self._error[column])
        low, high = float(self._centre[column]) - half, float(self._centre[column]) + half
        return (max(-widest, low), min(widest, high)) if self._is_bounded[column] else (low, high)

    def p_values(self) -> list[float]:
        """Of each column, in [0, 1]; 1 with fewer than two pairs, which cannot show a difference."""
        known = self.spread.n > 1
        found = []
        for centre, error, dof, has in zip(self._centre, self._error, self.spread.dof, known, strict=True):
            distance = (abs(centre) / error if error else inf) if centre else 0.0
            found.append(tail_probability(float(distance), float(dof)) if has else 1.0)
        return found


def paired_tests(
    a: FloatArray, b: FloatArray, *, bounds: Sequence[Bounds], clusters: Clusters | None = None
) -> list[PairedTest | None]:
    """b against a in every column; None without a pair, or with a single one of a metric without bounds.

    a, b: (n_examples, n_metrics) float64, NaN where an example has no value, rows in the same order. bounds: of each
    metric. clusters: of the examples. p_adjusted is p_value until ``adjusted`` has seen the family.
    """
    differences = Differences(b - a, bounds, clusters)
    p_values = differences.p_values()
    return [_test(a[:, place], b[:, place], differences, place, p_values[place]) for place in range(a.shape[1])]


def _test(a: FloatArray, b: FloatArray, differences: Differences, place: int, p_value: float) -> PairedTest | None:
    interval, found = differences.interval(place), differences.spread
    if interval is None:
        return None
    both = ~np.isnan(a) & ~np.isnan(b)
    apart = b[both] - a[both]
    return PairedTest(
        a=float(a[both].mean()),
        b=float(b[both].mean()),
        difference=float(found.mean[place]),
        low=interval[0],
        high=interval[1],
        p_value=p_value,
        p_adjusted=p_value,
        method=method_named("t", str(found.scope[place])),
        better=int((apart > 0).sum()),
        worse=int((apart < 0).sum()),
        same=int((apart == 0).sum()),
        n=int(found.n[place]),
        total=len(a),
    )


def compare(
    best: FloatArray,
    others: Sequence[tuple[str, FloatArray]],
    *,
    bounds: Bounds = SHARE,
    clusters: Clusters | None = None,
) -> tuple[Comparison, ...]:
    """Every other configuration against the best one, on the examples that both have a value for.

    best, and the array beside each name: (n_examples,) float64 within bounds, NaN where there is no value. bounds: of
    the metric. p-values are adjusted by Holm over all the others given. One with no example in common with the best is
    left out.
    """
    if not others:
        return ()
    differences = Differences(
        np.column_stack([of_other for _, of_other in others]) - best[:, None], [bounds] * len(others), clusters
    )
    found, p_values = differences.spread, differences.p_values()
    known = [(place, each) for place in range(len(others)) if (each := differences.interval(place)) is not None]
    family = holm([p_values[place] for place, _ in known])
    return tuple(
        Comparison(
            other=others[place][0],
            difference=float(found.mean[place]),
            low=low,
            high=high,
            p_value=p_values[place],
            p_adjusted=p_adjusted,
            n=int(found.n[place]),
            method=method_named("t", str(found.scope[place])),
        )
        for (place, (low, high)), p_adjusted in zip(known, family, strict=True)
    )


def adjusted(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """The tests of one family with their p-values adjusted by Holm, in their order."""
    p_values = holm([test.p_value for test in tests])
    return [replace(test, p_adjusted=p_value) for test, p_value in zip(tests, p_values, strict=True)]
