"""Krippendorff's alpha: agreement of any number of raters, with values missing, on any level of measurement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Level = Literal["nominal", "ordinal", "interval"]
FloatArray = npt.NDArray[np.float64]


def krippendorff_alpha(
    items: Iterable[Sequence[str]], level: Level = "nominal", *, scale: Sequence[str] = ()
) -> Measure:
    """1 - observed disagreement / disagreement by chance, at most 1; 0 is what chance gives.

    items: the values that raters gave each item; items with fewer than two are left out. level and scale as in
    ``alpha_of_counts``; the scale may hold more values than were given.
    Raises ValueError for a value that is not on the scale, or is no number where numbers are needed.
    """
    units = [list(values) for values in items if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, level, scale)
    return alpha_of_counts(table_of(units, values), values, level)


def table_of(units: Sequence[Sequence[str]], values: Sequence[str]) -> FloatArray:
    """How many raters gave each item each value: (n_items, n_values) float64."""
    place = {value: number for number, value in enumerate(values)}
    table = np.zeros((len(units), len(values)))
    for row, unit in zip(table, units, strict=True):
        for value in unit:
            row[place[value]] += 1
    return table


def alpha_of_counts(counts: FloatArray, values: Sequence[str], level: Level = "nominal") -> Measure:
    """The same of a table, quick enough for a thousand resamples of ten thousand items.

    counts: (n_items, n_values), how many raters gave an item a value. values: in their order.
    level: "nominal" takes any two values as equally far apart; "ordinal" counts the judgements between them;
    "interval" takes values as numbers and squares their distance.
    None where no item has two values, or all values are the same.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    raters = counts.sum(axis=1)
    counts, raters = counts[raters >= 2], raters[raters >= 2]
    if not len(counts):
        return undefined("no item was judged by two raters")
    weighted = counts / (raters - 1)[:, None]
    coincidences = counts.T @ weighted - np.diag(weighted.sum(axis=0))
    totals = counts.sum(axis=0)
    distances = _distances(values, totals, level)
    by_chance = float((np.outer(totals, totals) * distances).sum()) / (totals.sum() - 1)
    if by_chance == 0:
        return undefined(
            f"all judgements of {len(counts)} items are one and the same value: alpha is 0 / 0", len(counts)
        )
    return defined(1 - float((coincidences * distances).sum()) / by_chance, len(counts))


def ordered_values(found: set[str], level: Level, scale: Sequence[str] = ()) -> list[str]:
    """The values that were found, in their order. Raises ValueError as ``krippendorff_alpha``."""
    if level == "nominal":
        return sorted(found)
    if level == "interval":
        return sorted(sorted(found), key=_number)
    missing = sorted(found - set(scale))
    if missing:
        raise ValueError(f"the value {missing[0]!r} is not on the scale {', '.join(scale) or '(none was given)'}")
    return [value for value in scale if value in found]


def _distances(values: Sequence[str], totals: FloatArray, level: Level) -> FloatArray:
    """Squared distance of each two values."""
    if level == "nominal":
        apart: FloatArray = 1 - np.eye(len(values))
        return apart
    if level == "interval":
        numbers = np.array([_number(value) for value in values])
        apart = np.square(numbers[:, None] - numbers)
        return apart
    before = np.cumsum(totals) - totals / 2  # judgements below the middle of each value
    return np.square(before[:, None] - before)


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"the value {value!r} is no number; use the level nominal, or ordinal with a scale") from None
