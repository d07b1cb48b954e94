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

    items: the values that raters gave each item; items with fewer than two are left out.
    level: "nominal" takes any two values as equally far apart; "ordinal" counts the judgements between them on
    ``scale``, the values in their order; "interval" takes values as numbers and squares their distance.
    None where no item has two values, or all values are the same.
    Raises ValueError for a value that is not on the scale, or is no number where numbers are needed.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    units = [list(values) for values in items if len(values) >= 2]
    values = _ordered({value for unit in units for value in unit}, level, scale)
    if not units:
        return undefined("no item was judged by two raters")
    if len(values) == 1:
        return undefined("all judgements are the same value: disagreement by chance is none", len(units))
    place = {value: number for number, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit in units:
        counts = np.bincount([place[value] for value in unit], minlength=len(values)).astype(np.float64)
        coincidences += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = coincidences.sum(axis=1)
    n = totals.sum()
    distances = _distances(values, totals, level)
    by_chance = float((np.outer(totals, totals) * distances).sum()) / (n - 1)
    return defined(1 - float((coincidences * distances).sum()) / by_chance, len(units))


def _ordered(found: set[str], level: Level, scale: Sequence[str]) -> list[str]:
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
