"""Agreement of raters on categories, beyond what chance would give: Cohen's and Fleiss' kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined
from ragassay.agreement.tallies import Tallies, tallies_of_table

Weights = Literal["none", "linear", "quadratic"]
_NO_CHANCE = 1e-12
"""Where disagreement by chance is no more than this, it is 0 but for rounding."""


def cohen_kappa(
    first: Sequence[str], second: Sequence[str], *, scale: Sequence[str] = (), weights: Weights = "none"
) -> Measure:
    """Agreement of two raters, (observed - by chance) / (1 - by chance), at most 1; 0 is what chance gives.

    first, second: the values that each gave the same items, in the same order. weights: how bad a disagreement is that
    lies several steps apart on ``scale``, the values in their order ("none": all are equally bad).
    None without items, or where both gave one and the same value throughout: chance would agree as well.
    Raises ValueError where the lengths differ, or a value is not on the scale.
    Source: Cohen 1960; weights Cohen 1968.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values of one rater and {len(second)} of the other; give both of each item")
    if not first:
        return undefined("no item was judged by both")
    values = list(scale) or sorted({*first, *second})
    place = {value: number for number, value in enumerate(values)}
    missing = next((value for value in (*first, *second) if value not in place), None)
    if missing is not None:
        raise ValueError(f"the value {missing!r} is not on the scale {', '.join(values)}")
    found = cells([place[value] for value in first], [place[value] for value in second], len(values))
    return cohen_kappa_of_cells(found, weights)


class Cells(NamedTuple):
    """The table of two raters' values, cell by cell of those that are not empty: there may be many values.

    first, second: (n_cells,) values by their numbers, in the order of the first and then of the second. counts:
    (n_cells,) items.
    """

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    n_values: int


def cells(first: Sequence[int], second: Sequence[int], n_values: int) -> Cells:
    """first, second: what each gave the same items, by the numbers of the values."""
    codes = np.asarray(first, dtype=np.int64) * n_values + np.asarray(second, dtype=np.int64)
    found, counts = np.unique(codes, return_counts=True)
    return Cells(found // n_values, found % n_values, counts, n_values)


def cohen_kappa_of_cells(table: Cells, weights: Weights = "none") -> Measure:
    """The same from a table."""
    n = int(table.counts.sum())
    if not n:
        return undefined("no item was judged by both")
    value = float(cohen_kappas(table, table.counts[None].astype(np.float64), weights)[0])
    if np.isnan(value):
        return undefined(f"both gave all {n} items the same value: kappa is 0 / 0", n)
    return defined(value, n)


def cohen_kappas(table: Cells, counts: npt.NDArray[np.float64], weights: Weights = "none") -> npt.NDArray[np.float64]:
    """The same of many tables at once: (n_tables,), NaN where a kappa is 0 / 0.

    counts: (n_tables, n_cells), items in the cells of ``table``; an item at least in each table.
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    one, other = (_marginals(shares, side, table.n_values) for side in (table.first, table.second))
    steps = np.abs(table.first - table.second).astype(np.float64)
    if weights == "none":
        by_chance = 1 - np.einsum("tv,tv->t", one, other)
        steps = (steps > 0).astype(np.float64)
    else:
        apart = np.abs(np.subtract.outer(np.arange(table.n_values), np.arange(table.n_values))).astype(np.float64)
        power = 1 if weights == "linear" else 2
        by_chance = np.einsum("tv,vw,tw->t", one, apart**power, other)
        steps = steps**power
    kappas = np.full(len(counts), np.nan)
    np.divide(by_chance - shares @ steps, by_chance, out=kappas, where=by_chance > _NO_CHANCE)
    return kappas


def _marginals(shares: npt.NDArray[np.float64], side: npt.NDArray[np.int64], n_values: int) -> npt.NDArray[np.float64]:
    """(n_tables, n_values), the shares of one rater's values. side: (n_cells,) the value of each cell."""
    order = np.argsort(side, kind="stable")
    values, starts = np.unique(side[order], return_index=True)
    found = np.zeros((len(shares), n_values))
    found[:, values] = np.add.reduceat(shares[:, order], starts, axis=1)
    return found


def fleiss_kappa_of_two(
    agreed: npt.NDArray[np.bool_],
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    n_values: int,
) -> Measure:
    """``fleiss_kappa`` of two raters from a table, quick for many items.

    first, second, counts: (n_cells,) as those of ``Cells``, in any order and with cells that come several times.
    agreed: (n_cells,) whether first and second are the same.
    """
    n = int(counts.sum())
    if not n:
        return undefined("no item was judged by both")
    said = np.bincount(first, weights=counts, minlength=n_values) + np.bincount(
        second, weights=counts, minlength=n_values
    )
    shares = said / (2 * n)
    by_chance = float(shares @ shares)
    if by_chance >= 1 - _NO_CHANCE:
        return undefined(f"both gave all {n} items the same value: kappa is 0 / 0", n)
    return defined((float(counts @ agreed) / n - by_chance) / (1 - by_chance), n)


def fleiss_kappa(counts: npt.ArrayLike) -> Measure:
    """Agreement of any number of raters, not the same ones for every item, at most 1; 0 is what chance gives.

    counts: (n_items, n_categories), how many raters put an item into a category. Items with fewer than two raters say
    nothing about agreement and are left out. Where items have different numbers of raters, every item weighs the same,
    in the observed agreement and in the shares that chance is worked out from; with equal numbers that is Fleiss'
    formula.
    None where no item has two raters, or all judgements are of one category.
    Source: Fleiss 1971.
    """
    found = tallies_of_table(counts)
    return fleiss_kappa_of_tallies(found, np.ones(found.n_kinds, dtype=np.int64))


def fleiss_kappa_of_tallies(found: Tallies, counts: npt.NDArray[np.int64]) -> Measure:
    """The same of so many items of each kind, quick enough for a thousand resamples. counts: (n_kinds,)."""
    counts = np.where(found.raters >= 2, counts, 0)
    n = int(counts.sum())
    if not n:
        return undefined("no item was judged by two raters")
    pairs = np.maximum(found.raters * (found.raters - 1), 1)
    observed = float(counts @ (found.agreeing / pairs)) / n
    shares = found.of_values(counts / np.maximum(found.raters, 1)) / n
    by_chance = float(shares @ shares)
    if by_chance >= 1 - _NO_CHANCE:
        return undefined(_all_alike(found.raters[counts > 0], n), n)
    return defined((observed - by_chance) / (1 - by_chance), n)


def _all_alike(raters: npt.NDArray[np.int64], n_items: int) -> str:
    n = int(raters[0])
    same = bool((raters == n).all())
    who = ("both" if n == 2 else f"all {n} raters") if same else "all who judged them"
    items = "the one item" if n_items == 1 else f"all {n_items} items"
    return f"{who} gave {items} the same value: kappa is 0 / 0"
