"""Agreement of raters beyond what chance would give: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_NO_CHANCE = 1e-12
"""Where disagreement by chance is no more than this, it is 0 but for rounding."""


class Table(NamedTuple):
    """Items that were given the same values are one kind, so that a resample of the items is a count of each kind.

    kind: (n_items,). kinds: (n_kinds, n_values) float64, how many raters gave an item of a kind each value.
    """

    kind: Ints
    kinds: Floats

    def counts(self, drawn: Ints) -> Ints:
        """Return how many of the items drawn, by their places, are of each kind: (n_kinds,)."""
        return np.bincount(self.kind[drawn], minlength=len(self.kinds))


def table_of(units: Sequence[Sequence[str]], values: Sequence[str]) -> Table:
    """units: what raters gave each item, all of it in ``values``."""
    place = {value: number for number, value in enumerate(values)}
    counted = np.zeros((len(units), len(values)))
    for row, unit in enumerate(units):
        for value in unit:
            counted[row, place[value]] += 1
    kinds, kind = np.unique(counted, axis=0, return_inverse=True)
    return Table(kind.reshape(-1), kinds)


def fleiss_kappa(counts: npt.ArrayLike) -> Measure:
    """Agreement of any number of raters, not the same ones for every item, at most 1; 0 is what chance gives.

    counts: (n_items, n_categories), how many raters put an item into a category. Items with fewer than two raters are
    left out. Every item weighs the same, in the observed agreement and in the shares that chance is worked out from;
    with equal numbers of raters that is Fleiss' formula (1971).
    None where no item has two raters, or all judgements are of one category. Raises ValueError for another shape.
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"counts have shape {table.shape}; give (n_items, n_categories)")
    return fleiss_kappa_of(Table(np.arange(len(table)), table), np.ones(len(table), dtype=np.int64))


def fleiss_kappa_of(table: Table, counts: Ints) -> Measure:
    """Return the same of so many items of each kind. counts: (n_kinds,)."""
    raters = table.kinds.sum(axis=1)
    counts = np.where(raters >= 2, counts, 0)
    n = int(counts.sum())
    if not n:
        return undefined("no item was judged by two raters")
    agreeing = (table.kinds * (table.kinds - 1)).sum(axis=1) / np.maximum(raters * (raters - 1), 1)
    shares = (counts / np.maximum(raters, 1)) @ table.kinds / n
    by_chance = float(shares @ shares)
    if by_chance >= 1 - _NO_CHANCE:
        return undefined(_all_alike(raters[counts > 0], n), n)
    return defined((float(counts @ agreeing) / n - by_chance) / (1 - by_chance), n)


def _all_alike(raters: Floats, n_items: int) -> str:
    n = int(raters[0])
    who = ("both" if n == 2 else f"all {n} raters") if (raters == n).all() else "all who judged them"
    items = "the one item" if n_items == 1 else f"all {n_items} items"
    return f"{who} gave {items} the same value: kappa is 0 / 0"


def krippendorff_alpha(
    items: Iterable[Sequence[str]], level: Level = "nominal", *, scale: Sequence[str] = ()
) -> Measure:
    """1 - observed disagreement / disagreement by chance, at most 1; 0 is what chance gives.

    items: the values that raters gave each item; items with fewer than two are left out. level: "nominal" takes any
    two values as equally far apart; "ordinal" counts the judgements between them, in the order of ``scale``;
    "interval" takes values as numbers and squares their distance.
    None where no item has two values, or all values are the same. Raises ValueError for a value that is not on the
    scale, or is no number where numbers are needed.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    units = [list(values) for values in items if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, level, scale)
    table = table_of(units, values)
    return krippendorff_alpha_of(table, table.counts(np.arange(len(units))), values, level)


def krippendorff_alpha_of(table: Table, counts: Ints, values: Sequence[str], level: Level) -> Measure:
    """Return the same of so many items of each kind. counts: (n_kinds,). values: in their order."""
    raters = table.kinds.sum(axis=1)
    counts = np.where(raters >= 2, counts, 0)
    n = int(counts.sum())
    if not n:
        return undefined("no item was judged by two raters")
    totals = counts @ table.kinds
    if level == "nominal":
        apart = 1 - np.eye(len(values))
    elif level == "interval":
        apart = np.subtract.outer(*[np.array([_number(value) for value in values])] * 2) ** 2
    else:  # judgements below the middle of each value
        apart = np.subtract.outer(*[np.cumsum(totals) - totals / 2] * 2) ** 2
    by_chance = float(totals @ apart @ totals) / (totals.sum() - 1)
    if by_chance == 0:
        return undefined(f"all judgements of {n} items are the same value: alpha is 0 / 0", n)
    weights = counts / np.maximum(raters - 1, 1)
    observed = float(((table.kinds.T @ (table.kinds * weights[:, None])) * apart).sum())
    return defined(1 - observed / by_chance, n)


def ordered_values(found: set[str], level: Level, scale: Sequence[str] = ()) -> list[str]:
    """Return the values in their order. Raises ValueError as ``krippendorff_alpha``."""
    if level != "ordinal":
        return sorted(found) if level == "nominal" else sorted(sorted(found), key=_number)
    missing = sorted(found - set(scale))
    if missing:
        raise ValueError(f"the value {missing[0]!r} is not on the scale {', '.join(scale) or '(none was given)'}")
    return [value for value in scale if value in found]


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(
            f"the value {value!r} is not a number; use the level nominal, or ordinal with a scale"
        ) from None


def cohen_kappa(
    first: Sequence[str], second: Sequence[str], *, scale: Sequence[str] = (), weights: Weights = "none"
) -> Measure:
    """Agreement of two raters, (observed - by chance) / (1 - by chance), at most 1; 0 is what chance gives.

    first, second: the values that each gave the same items, in the same order. weights: how bad a disagreement is that
    lies several steps apart on ``scale``, the values in their order ("none": all are equally bad).
    None without items, or where both gave one and the same value throughout. Raises ValueError where the lengths
    differ, or a value is not on the scale.
    Source: Cohen 1960; weights Cohen 1968.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values of one rater and {len(second)} of the other; give both of each item")
    values = list(scale) or sorted({*first, *second})
    missing = next((value for value in (*first, *second) if value not in values), None)
    if missing is not None:
        raise ValueError(f"the value {missing!r} is not on the scale {', '.join(values)}")
    return cohen_kappa_of(cells(first, second, values), weights)


class Cells(NamedTuple):
    """The cells of the table of two raters' values that are not empty: there may be many values.

    first, second: (n_cells,) values by their numbers. counts: (n_cells,) items.
    """

    first: Ints
    second: Ints
    counts: Ints
    n_values: int


def cells(first: Sequence[str], second: Sequence[str], values: Sequence[str]) -> Cells:
    """first, second: what each gave the same items."""
    place = {value: number for number, value in enumerate(values)}
    codes = np.array([place[a] * len(values) + place[b] for a, b in zip(first, second, strict=True)], dtype=np.int64)
    found, counts = np.unique(codes, return_counts=True)
    return Cells(*np.divmod(found, max(1, len(values))), counts, len(values))


def cohen_kappa_of(table: Cells, weights: Weights = "none") -> Measure:
    """Return the same from a table."""
    n = int(table.counts.sum())
    if not n:
        return undefined("no item was judged by both")
    value = float(cohen_kappas(table, table.counts[None].astype(np.float64), weights)[0])
    return (
        undefined(f"both gave all {n} items the same value: kappa is 0 / 0", n)
        if np.isnan(value)
        else defined(value, n)
    )


def cohen_kappas(table: Cells, counts: Floats, weights: Weights = "none") -> Floats:
    """Return the same of many tables at once: (n_tables,), NaN where a kappa is 0 / 0.

    counts: (n_tables, n_cells), items in the cells of ``table``; an item at least in each table.
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    one, other = (shares @ np.eye(table.n_values)[side] for side in (table.first, table.second))
    steps = np.abs(table.first - table.second).astype(np.float64)
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    if power:
        apart = np.abs(np.subtract.outer(*[np.arange(table.n_values)] * 2)).astype(np.float64)
        by_chance = np.einsum("tv,vw,tw->t", one, apart**power, other)
        steps = steps**power
    else:
        by_chance, steps = 1 - np.einsum("tv,tv->t", one, other), (steps > 0).astype(np.float64)
    kappas = np.full(len(counts), np.nan)
    np.divide(by_chance - shares @ steps, by_chance, out=kappas, where=by_chance > _NO_CHANCE)
    return kappas
