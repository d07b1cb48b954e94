"""Correct a judge by people's verdicts on some of its items: prediction-powered inference.

Source: Angelopoulos et al. 2023; the weight of the judge is that of PPI++ (Angelopoulos et al. 2023b), as ARES (NAACL
2024) uses it for RAG. People's items are among the judge's here, as in double sampling (Cochran 1977, section 12.6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import SHARE, spread, wilson
from ragassay.evaluation.aggregate import estimate as plain_estimate
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Estimate

FloatArray = npt.NDArray[np.float64]
METHOD = "prediction-powered"
_FEWEST = 5
"""Items by people below which the judge's bias cannot be told from chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A mean by people and a judge together.

    estimate: corrected, with its 95 % interval; that of people alone where the judge makes it no narrower. people,
    judge: by either alone. worth: items by people alone that would make an interval as narrow. weight: of the judge, 0
    where it tells nothing. missing: items without a value of the judge; bias: its mean less people's on common items.
    """

    estimate: Estimate
    people: Estimate
    judge: Estimate
    worth: int
    weight: float
    missing: int
    bias: float | None


def corrected(
    people: FloatArray, judge: FloatArray, *, bounds: tuple[float, float] = SHARE, clusters: Clusters | None = None
) -> Corrected | None:
    """Estimate the mean over all items from a judge on all of them and people on some, chosen without regard to values.

    people, judge: (n_items,) float64 within bounds, NaN where there is no value; for the difference of two systems both
    hold differences, and bounds those of differences. None without a value by people.
    As in ``paired.Differences`` two items on which both differ, half an item each, are added to what is seen, so that a
    judge that happens to agree on all of a few items is not taken for one that never errs.
    """
    alone = plain_estimate(people.tolist(), bounds=bounds, clusters=clusters)
    if not alone.n:
        return None
    judged, by_people = ~np.isnan(judge), ~np.isnan(people)
    both = judged & by_people
    bias = float((judge[both] - people[both]).mean()) if both.any() else None
    found = Corrected(
        estimate=alone,
        people=alone,
        judge=plain_estimate(judge.tolist(), bounds=bounds, clusters=clusters),
        worth=alone.n,
        weight=0.0,
        missing=int((~judged).sum()),
        bias=bias,
    )
    n = alone.n
    if n < _FEWEST or len(people) <= n or not both.any() or alone.low is None or alone.high is None:
        return found
    if not np.ptp(people[by_people]):  # nothing is known of how answers differ
        return found
    # any stand-in for a missing value is valid, as people's items have it too; without one, what the judge fails on
    # would be left out of the mean
    judge = np.where(judged, judge, judge[judged].mean())
    weight, variance = _weight_and_variance(people[by_people], judge[by_people], bounds)
    rest = np.where(by_people, people - weight * judge, np.nan)
    columns = np.column_stack([rest, weight * judge])
    hanging, free = spread(columns, clusters), spread(columns)
    with np.errstate(divide="ignore", invalid="ignore"):  # questions on one document tell less than as many others
        inflated = np.where(free.variance > 0, hanging.variance / free.variance, 1.0)
    value = float(np.clip(free.mean[0] + free.mean[1], *bounds))
    whole = variance * inflated[0] + hanging.variance[1]
    low, high = wilson(value, float(whole), min(n - 2.0, float(hanging.dof[0])), n, bounds)
    if low is None or high is None or high - low >= alone.high - alone.low:
        return found
    worth = round(alone.n * ((alone.high - alone.low) / (high - low)) ** 2)
    estimate = replace(alone, value=value, low=low, high=high, n=n, method=METHOD)
    return replace(found, estimate=estimate, worth=worth, weight=weight)


def _weight_and_variance(people: FloatArray, judge: FloatArray, bounds: tuple[float, float]) -> tuple[float, float]:
    """The weight of the judge that leaves least variance, in [0, 1], and the variance of the mean of what is left.

    The two added items are apart by the range of a metric: the bounds of a difference are twice as wide.
    """
    middle, half = sum(bounds) / 2, (bounds[1] - bounds[0]) / (2 if bounds[0] >= 0 else 4)
    y = np.r_[people, middle + half, middle - half]
    f = np.r_[judge, middle - half, middle + half]
    share = np.r_[np.ones(len(people)), 0.5, 0.5] / (len(people) + 1)
    y, f = y - share @ y, f - share @ f
    weight = float(np.clip((share @ (y * f)) / (share @ (f * f)), 0, 1))
    left = y - weight * f
    return weight, float(share @ (left * left)) / (len(people) - 1)
