"""Krippendorff's alpha: agreement of any number of raters, with values missing, on any level of measurement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined
from ragassay.agreement.tallies import Tallies, tallies

Level = Literal["nominal", "ordinal", "interval"]
FloatArray = npt.NDArray[np.float64]


def krippendorff_alpha(
    items: Iterable[Sequence[str]], level: Level = "nominal", *, scale: Sequence[str] = ()
) -> Measure:
    """1 - observed disagreement / disagreement by chance, at most 1; 0 is what chance gives.

    items: the values that raters gave each item; items with fewer than two are left out. level and scale as in
    ``alpha_of_tallies``; the scale may hold more values than were given.
    Raises ValueError for a value that is not on the scale, or is no number where numbers are needed.
    """
    units = [list(values) for values in items if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, level, scale)
    found = tallies(units, values)
    return alpha_of_tallies(found, found.counts(np.arange(len(units))), values, level)


def alpha_of_tallies(found: Tallies, counts: npt.NDArray[np.int64], values: Sequence[str], level: Level) -> Measure:
    """The same of so many items of each kind, quick enough for a thousand resamples of ten thousand items.

    counts: (n_kinds,). values: in their order.
    level: "nominal" takes any two values as equally far apart; "ordinal" counts the judgements between them;
    "interval" takes values as numbers and squares their distance.
    None where no item has two values, or all values are the same.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    counts = np.where(found.raters >= 2, counts, 0)
    n = int(counts.sum())
    if not n:
        return undefined("no item was judged by two raters")
    totals = found.of_values(counts.astype(np.float64))
    if level == "nominal":
        pairs = float(totals.sum() ** 2 - (totals**2).sum())
        observed = float(
            (counts / np.maximum(found.raters - 1, 1)) @ (found.raters * (found.raters - 1) - found.agreeing)
        )
    else:
        distances = _distances(values, totals, level)
        pairs = float(totals @ distances @ totals)
        observed = _disagreement(found, counts, distances)
    by_chance = pairs / (totals.sum() - 1)
    if by_chance == 0:
        return undefined(f"all judgements of {n} items are the same value: alpha is 0 / 0", n)
    return defined(1 - observed / by_chance, n)


def _disagreement(found: Tallies, counts: npt.NDArray[np.int64], distances: FloatArray) -> float:
    """Distances of each two raters' values of an item, an item with m raters weighted by 1 / (m - 1)."""
    table = np.zeros((found.n_kinds, found.n_values))
    table[found.owner, found.value] = found.number
    weighted = table * (counts / np.maximum(found.raters - 1, 1))[:, None]
    return float(((table.T @ weighted) * distances).sum())


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
    """Squared distance of each two values, 0 of a value and itself."""
    if level == "interval":
        numbers = np.array([_number(value) for value in values])
        apart: FloatArray = np.square(numbers[:, None] - numbers)
        return apart
    before = np.cumsum(totals) - totals / 2  # judgements below the middle of each value
    return np.square(before[:, None] - before)


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(
            f"the value {value!r} is not a number; use the level nominal, or ordinal with a scale"
        ) from None
