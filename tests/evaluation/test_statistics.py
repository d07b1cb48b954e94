"""The variance of a mean, by hand and against the matrix formula of Bell and McCaffrey."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.evaluation.aggregate import DOCUMENTS, QUESTIONS, spread

Floats = npt.NDArray[np.float64]
NAN = float("nan")


def bell_mccaffrey(values: Floats, clusters: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Variance and degrees of freedom of the mean as of a regression on 1, with matrices (2002, sections 3 and 4)."""
    n = len(values)
    away = np.eye(n) - np.full((n, n), 1 / n)
    rows = []
    for name in np.unique(clusters):
        own = np.flatnonzero(clusters == name)
        kept = away[np.ix_(own, own)]
        vectors, sizes = np.linalg.eigh(kept)[::-1]
        root = vectors @ np.diag(sizes.clip(1e-12) ** -0.5) @ vectors.T
        rows.append(away[own].T @ root @ np.full(len(own), 1 / n))
    variance = sum(float(row @ values) ** 2 for row in rows)
    products = np.array(rows) @ np.array(rows).T
    return variance, float(np.trace(products) ** 2 / (products**2).sum())


def test_by_hand() -> None:
    values = np.array([[1.0], [0], [1], [0], [1], [1]])
    # alone: mean 2/3, sum of squares 4 * 1/9 + 2 * 4/9 = 4/3, variance 4/3 / 5 / 6
    alone = spread(values)
    assert (alone.n[0], alone.mean[0], alone.dof[0]) == (6, pytest.approx(2 / 3), 5)
    assert alone.variance[0] == pytest.approx(4 / 3 / 5 / 6)
    assert alone.scope[0] == QUESTIONS
    # documents of two: they lie 2 - 4/3 = 2/3, -1/3, -1/3 away from it; each is 1/3 of all, so
    # (4/9 + 1/9 + 1/9) / (1 - 1/3) / 36 = 1/36, less than that of values by themselves: never below it
    low = spread(values[[0, 2, 1, 4, 3, 5]], np.array([0, 0, 1, 1, 2, 2]))
    assert low.variance[0] == pytest.approx(4 / 3 / 5 / 6)
    assert low.dof[0] == pytest.approx(2)
    # all alike within each document: 2 - 4/3 = 2/3, 2/3, -4/3; (4/9 + 4/9 + 16/9) / (2/3) / 36 = 1/9
    high = spread(values[[0, 2, 1, 3, 4, 5]], np.array([0, 0, 1, 1, 2, 2]))
    assert high.variance[0] == pytest.approx(1 / 9)
    assert high.effective[0] == pytest.approx((4 / 15) / (1 / 9))
    assert high.scope[0] == DOCUMENTS


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 4, 2), (7, 1), (3, 1, 1, 1, 6, 2)])
def test_agrees_with_the_matrix_formula(sizes: tuple[int, ...]) -> None:
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(3).normal(size=len(clusters)) + 5 * clusters
    variance, dof = bell_mccaffrey(values, clusters)
    found = spread(values[:, None], clusters)
    assert (found.variance[0], found.dof[0]) == (pytest.approx(variance), pytest.approx(dof))


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 6))
def test_laws(seed: int, n: int, documents: int) -> None:
    random = np.random.default_rng(seed)
    values, clusters = random.random((n, 3)), random.integers(0, documents, n)
    values[random.random((n, 3)) < 0.2] = NAN
    found = spread(values, clusters)
    order = random.permutation(n)
    shuffled, alone = spread(values[order], clusters[order]), spread(values[:, 1:2], clusters)
    known = ~np.isnan(found.variance)
    assert shuffled.variance[known] == pytest.approx(found.variance[known])
    assert alone.mean.tobytes() == found.mean[1:2].tobytes()
    assert alone.variance.tobytes() == found.variance[1:2].tobytes()
    assert (found.variance[known] >= spread(values).variance[known] - 1e-12).all()
    assert (found.dof[known] >= 1 - 1e-9).all()
    assert (found.dof[known] <= found.n[known] - 1 + 1e-9).all()
