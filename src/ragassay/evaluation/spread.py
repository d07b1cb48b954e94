"""Means of many columns, and how far each would move with other questions: by documents where they share some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.clusters import Clusters

FloatArray = npt.NDArray[np.float64]

QUESTIONS, DOCUMENTS, ONE_DOCUMENT = "", "over documents", "within one document"
"""Scopes: every value by itself; several have a document in common; all are of a single one."""
_BLOCK = 2_000_000
"""Numbers held at once: 16 MB."""
_ROUNDING = 1e-9
"""A standard deviation below this share of the values is none: the last bits of a sum."""


class Spread(NamedTuple):
    """Of each column, (n_columns,); NaN where a column has too few values.

    n: values. mean: theirs. deviation: their standard deviation. variance: of the mean. dof: degrees of freedom of the
    variance. scope: what the variance is over.
    """

    n: npt.NDArray[np.int64]
    mean: FloatArray
    deviation: FloatArray
    variance: FloatArray
    dof: FloatArray
    scope: npt.NDArray[np.str_]

    @property
    def effective(self) -> FloatArray:
        """How many independent questions would tell as much; n where the values do not differ."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.variance > 0, self.deviation**2 / self.variance, self.n)


def spread(values: FloatArray, clusters: Clusters | None = None) -> Spread:
    """values: (n_examples, n_columns) float64, NaN where there is none. clusters: of the examples; None if each is one.

    Where several values belong to one cluster, the variance is that of Bell and McCaffrey 2002 (CR2, for a mean) with
    their degrees of freedom, and never less than that of independent values. Where all of them belong to one, it is
    that of independent values: nothing is then known of other documents.
    """
    parts = list(_parts(values, clusters))
    return Spread(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _parts(values: FloatArray, clusters: Clusters | None) -> Iterator[Spread]:
    order, starts = np.arange(len(values)), np.arange(len(values))
    if clusters is not None:
        order = np.argsort(clusters, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(clusters[order]) != 0])[: len(values)]
    step = max(1, _BLOCK // max(1, len(values)))
    for begin in range(0, max(1, values.shape[1]), step):
        # A column lies whole in memory: the last bits of its mean do not depend on the columns beside it.
        rows = np.ascontiguousarray(values[:, begin : begin + step].T)
        yield _of_rows(rows if clusters is None else np.ascontiguousarray(rows[:, order]), starts)


def _of_rows(rows: FloatArray, starts: npt.NDArray[np.intp]) -> Spread:
    """rows: (n_columns, n_examples), clusters one after the other; starts: where each begins."""
    present = ~np.isnan(rows)
    n = present.sum(axis=1)
    filled = np.where(present, rows, 0.0)
    mean = filled.sum(axis=1) / np.maximum(n, 1)
    away = np.where(present, filled - mean[:, None], 0.0)
    deviation = np.sqrt((away**2).sum(axis=1) / np.where(n > 1, n - 1, np.nan))
    deviation[deviation <= _ROUNDING * np.abs(filled).max(axis=1, initial=0)] = 0
    variance, dof = deviation**2 / np.maximum(n, 1), np.where(n > 1, n - 1.0, np.nan)
    scope = np.full(len(rows), QUESTIONS, dtype=f"U{len(ONE_DOCUMENT)}")
    if len(starts) < rows.shape[1]:
        sizes = np.add.reduceat(present, starts, axis=1, dtype=np.float64)
        scope[sizes.max(axis=1) > 1] = DOCUMENTS
        scope[(sizes.max(axis=1) > 1) & ((sizes > 0).sum(axis=1) == 1)] = ONE_DOCUMENT
        over = scope == DOCUMENTS
        between, dof_between = _between(np.add.reduceat(away, starts, axis=1)[over], sizes[over], n[over])
        variance[over] = np.where(deviation[over] > 0, np.maximum(variance[over], between), 0.0)
        dof[over] = dof_between
    mean = np.where(n > 0, mean, np.nan)
    return Spread(n, mean, deviation, variance, dof, scope)


def _between(away: FloatArray, sizes: FloatArray, n: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Variance of the mean and its degrees of freedom, from sums of what clusters lie away from it, and their sizes."""
    left = 1 - sizes / n[:, None]
    variance = (away**2 / left).sum(axis=1) / n**2
    squares = sizes**2 / left
    cross = squares.sum(axis=1) ** 2 - (squares**2).sum(axis=1)
    return variance, 1 / ((sizes**2).sum(axis=1) / n**2 + cross / n.astype(np.float64) ** 4)
