"""Agreement of raters on categories, beyond what chance would give: Cohen's and Fleiss' kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragassay.agreement.measure import Measure, defined, undefined

Weights = Literal["none", "linear", "quadratic"]


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
    counts = np.zeros((len(values), len(values)))
    np.add.at(counts, ([place[value] for value in first], [place[value] for value in second]), 1.0)
    return cohen_kappa_of_table(counts, weights)


def cohen_kappa_of_table(counts: npt.ArrayLike, weights: Weights = "none") -> Measure:
    """The same from a table: counts[i][j], the items to which one rater gave value i and the other j."""
    table = np.asarray(counts, dtype=np.float64)
    n = int(table.sum())
    if not n:
        return undefined("no item was judged by both")
    value = float(cohen_kappas(table[None], weights)[0])
    if np.isnan(value):
        return undefined(f"both gave all {n} items one and the same value: kappa is 0 / 0", n)
    return defined(value, n)


def cohen_kappas(tables: npt.NDArray[np.float64], weights: Weights = "none") -> npt.NDArray[np.float64]:
    """The same of many tables at once: (n_tables,), NaN where a kappa is 0 / 0.

    tables: (n_tables, n_values, n_values), each with an item.
    """
    shares = tables / tables.sum(axis=(1, 2), keepdims=True)
    disagreement = _disagreement(tables.shape[1], weights)
    by_chance = np.einsum("ti,ij,tj->t", shares.sum(axis=2), disagreement, shares.sum(axis=1))
    observed = (shares * disagreement).sum(axis=(1, 2))
    kappas = np.full(len(tables), np.nan)
    np.divide(by_chance - observed, by_chance, out=kappas, where=by_chance > 0)
    return kappas


def fleiss_kappa_of_table(counts: npt.ArrayLike) -> Measure:
    """``fleiss_kappa`` of two raters from a table, as that of ``cohen_kappa_of_table``: quick for many items."""
    table = np.asarray(counts, dtype=np.float64)
    n = int(table.sum())
    if not n:
        return undefined("no item was judged by both")
    shares = (table.sum(axis=0) + table.sum(axis=1)) / (2 * n)
    by_chance = float(shares @ shares)
    if by_chance >= 1 - 1e-12:
        return undefined(f"both gave all {n} items one and the same value: kappa is 0 / 0", n)
    return defined((float(table.trace()) / n - by_chance) / (1 - by_chance), n)


def fleiss_kappa(counts: npt.ArrayLike) -> Measure:
    """Agreement of any number of raters, not the same ones for every item, at most 1; 0 is what chance gives.

    counts: (n_items, n_categories), how many raters put an item into a category. Items with fewer than two raters say
    nothing about agreement and are left out. Where items have different numbers of raters, every item weighs the same,
    in the observed agreement and in the shares that chance is worked out from; with equal numbers that is Fleiss'
    formula.
    None where no item has two raters, or all judgements are of one category.
    Source: Fleiss 1971.
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"counts have shape {table.shape}; give (n_items, n_categories)")
    table = table[table.sum(axis=1) >= 2]
    if not len(table):
        return undefined("no item was judged by two raters")
    raters = table.sum(axis=1)
    observed = float((((table**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())
    shares = (table / raters[:, None]).mean(axis=0)
    by_chance = float((shares**2).sum())
    if by_chance >= 1 - 1e-12:
        return undefined(_all_alike(table), len(table))
    return defined((observed - by_chance) / (1 - by_chance), len(table))


def _all_alike(table: npt.NDArray[np.float64]) -> str:
    n = int(table[0].sum())
    same = bool((table.sum(axis=1) == n).all())
    who = ("both" if n == 2 else f"all {n} raters") if same else "all who judged them"
    items = "the one item" if len(table) == 1 else f"all {len(table)} items"
    return f"{who} gave {items} one and the same value: kappa is 0 / 0"


def _disagreement(n: int, weights: Weights) -> npt.NDArray[np.float64]:
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(np.float64)
    if weights == "none":
        return (steps > 0).astype(np.float64)
    return steps if weights == "linear" else steps**2
