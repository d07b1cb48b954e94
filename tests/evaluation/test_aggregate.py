"""Means, their intervals and the arithmetic behind them: by hand, against scipy, and laws."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest
from by_hand import example_of
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import (
    DOCUMENTS,
    QUESTIONS,
    THESE_DOCUMENTS,
    estimate,
    estimates,
    holm,
    spread,
    tail_probability,
    two_sided_quantile,
)
from ragassay.evaluation.clusters import clusters_of
from ragassay.records import NO_CONTEXT, Example, Span


def test_what_has_no_value_is_counted_and_not_read_as_a_number() -> None:
    found = estimate([1.0, None, 0.0, float("nan"), 1.0, 1.0])
    assert (found.value, found.n, found.total) == (0.75, 4, 6)
    nothing = estimate([None, None])
    assert (nothing.value, nothing.low, nothing.high, nothing.n, nothing.total) == (None, None, None, 0, 2)
    assert nothing.method is None
    assert estimate([]).total == 0


def test_twenty_of_twenty_is_not_certain() -> None:
    found = estimate([1.0] * 20)
    # Wilson's lower end for 20 of 20 is 1 / (1 + t^2 / 20); t = 2.0930 with 19 degrees of freedom, t^2 = 4.3807
    assert found.value == 1
    assert found.low == pytest.approx(20 / 24.3807, abs=5e-6)
    assert found.high == 1
    assert found.method == "Wilson with t"


def test_right_and_wrong_get_wilsons_interval_with_t() -> None:
    found = estimate([1.0] * 45 + [0.0] * 5)
    # the variance is p (1 - p) / 49: that of 49 answers
    squared, n, p = stats.t.ppf(0.975, 49) ** 2, 49, 0.9
    centre, half = p + squared / (2 * n), sqrt(squared * (p * (1 - p) / n + squared / (4 * n * n)))
    assert (found.low, found.high) == pytest.approx(
        ((centre - half) / (1 + squared / n), (centre + half) / (1 + squared / n))
    )


def test_values_without_bounds_get_the_t_interval() -> None:
    for same in ([120.0], [120.0, 120.0]):  # which say nothing about their spread
        found = estimate(same, bounds=None)
        assert (found.value, found.low, found.high, found.method) == (120, None, None, None)
    assert (estimate([1.0]).low, estimate([1.0]).high) == (0, 1)
    found = estimate([100.0, 140.0, 120.0], bounds=None)
    theirs = stats.ttest_1samp([100.0, 140.0, 120.0], 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.method == "t"


def test_questions_of_a_document_tell_less_than_questions_of_many() -> None:
    values = [1.0] * 10 + [0.0] * 10
    alone = estimate(values)
    together = estimate(values, clusters=np.repeat(np.arange(4), 5))
    # documents lie 2.5 away: 4 * 6.25 / (3/4) / 400 = 1/12, as of 3 answers; t = 3.1824 with 3 degrees of freedom
    squared = stats.t.ppf(0.975, 3) ** 2
    half = sqrt(squared * (0.25 / 3 + squared / 36)) / (1 + squared / 3)
    assert (together.low, together.high) == (pytest.approx(0.5 - half), pytest.approx(0.5 + half))
    assert alone.low is not None
    assert together.low is not None
    assert together.low < alone.low
    assert together.method == "Wilson with t over documents"
    assert estimate(values, clusters=np.zeros(20, dtype=np.int64)).method == "Wilson with t within these documents"
    assert estimate(values, clusters=np.arange(20)) == alone


@pytest.mark.parametrize(
    ("values", "chances", "n"),
    [
        ([0.0, 1.0], [0.03, 0.97], 20),
        ([0.0, 0.5, 1.0], [0.01, 0.04, 0.95], 20),
        ([0.0, 0.33, 0.5, 1.0], [0.02, 0.03, 0.1, 0.85], 30),
        ([0.0, 0.25, 0.33, 0.5, 1.0], [0.2, 0.05, 0.1, 0.15, 0.5], 60),
    ],
)
def test_intervals_hold_the_true_mean_nineteen_times_in_twenty(
    values: list[float], chances: list[float], n: int
) -> None:
    drawn = np.random.default_rng(9).choice(values, p=chances, size=(n, 2000))
    truth = float(np.dot(values, chances))
    covered = [e.low is not None and e.high is not None and e.low <= truth <= e.high for e in estimates(drawn)]
    assert 0.93 <= np.mean(covered) <= 1


@given(st.lists(st.none() | st.floats(0, 1), max_size=40), st.integers(1, 5))
@example([0.0, 4.5e-159], 1)  # a variance that is nearly nothing
def test_laws(values: list[float | None], documents: int) -> None:
    found = estimate(values, clusters=np.arange(len(values)) % documents)
    assert found.n == sum(value is not None for value in values)
    if found.n:
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value <= found.high + 1e-12
        assert found.high <= 1


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


def test_spread_by_hand() -> None:
    values = np.array([[1.0], [0], [1], [0], [1], [1], [0], [0]])
    # alone: mean 1/2, sum of squares 8 * 1/4 = 2, variance 2 / 7 / 8
    alone = spread(values)
    assert (alone.n[0], alone.mean[0], alone.dof[0]) == (8, pytest.approx(1 / 2), 7)
    assert alone.variance[0] == pytest.approx(1 / 28)
    assert alone.scope[0] == QUESTIONS
    # four documents of one right and one wrong: none lies away from the mean; never below values by themselves
    pairs = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    low = spread(values[[0, 1, 2, 3, 4, 6, 5, 7]], pairs)
    assert low.variance[0] == pytest.approx(1 / 28)
    assert low.dof[0] == pytest.approx(3)
    # all alike within each document: they lie 1, 1, -1, -1 away, each is 1/4 of all: 4 / (3/4) / 64 = 1/12
    alike = values[[0, 2, 4, 5, 1, 3, 6, 7]]
    high = spread(alike, pairs)
    assert high.variance[0] == pytest.approx(1 / 12)
    assert high.effective[0] == pytest.approx((2 / 7) / (1 / 12))
    assert high.scope[0] == DOCUMENTS
    # two documents tell nothing of others
    few = spread(alike, pairs // 2)
    assert (few.variance[0], few.dof[0], few.scope[0]) == (pytest.approx(1 / 28), 7, THESE_DOCUMENTS)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (1, 4, 2, 3, 3), (3, 1, 4, 1, 6, 2, 4)])
def test_agrees_with_the_matrix_formula(sizes: tuple[int, ...]) -> None:
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(3).normal(size=len(clusters)) + 5 * clusters
    variance, dof = bell_mccaffrey(values, clusters)
    found = spread(values[:, None], clusters)
    assert (found.variance[0], found.dof[0]) == (pytest.approx(variance), pytest.approx(dof))


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 6))
def test_laws_of_spread(seed: int, n: int, documents: int) -> None:
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


def test_students_t_by_hand() -> None:
    # one degree of freedom is Cauchy's distribution: P(|T| >= 1) = 1/2; with two, P(|T| >= t) = 1 - t / sqrt(2 + t^2)
    assert tail_probability(1, 1) == pytest.approx(0.5, rel=1e-13)
    assert tail_probability(1, 2) == pytest.approx(1 - 1 / 3**0.5, rel=1e-13)
    assert tail_probability(0, 5) == 1
    assert tail_probability(float("inf"), 5) == 0
    assert two_sided_quantile(0.95, 1) == pytest.approx(12.7062, abs=5e-5)
    assert two_sided_quantile(0.95, 1e8) == pytest.approx(1.959964, abs=5e-7)


@given(st.floats(0, 1e4), st.floats(1, 1e5))
def test_agrees_with_scipy(t: float, dof: float) -> None:
    # scipy gives 1 for one degree of freedom and t below 1e-8, where it is 1 - 2 / pi * t
    assert tail_probability(t, dof) == pytest.approx(2 * stats.t.sf(t, dof), rel=1e-8, abs=1e-14)
    assert tail_probability(-t, dof) == tail_probability(t, dof)


def test_holm_by_hand() -> None:
    # sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1: 0.04, 0.06, 0.06 (not below the one before), 0.06
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8), st.randoms())
def test_holm_laws(p_values: list[float], random: np.random.Generator) -> None:
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    assert all(a <= min(1, len(p_values) * p) + 1e-12 for p, a in zip(p_values, adjusted, strict=True))  # Bonferroni
    order = list(range(len(p_values)))
    random.shuffle(order)
    assert sorted(holm([p_values[number] for number in order])) == sorted(adjusted)


def example_about(context: str = "", *references: str) -> Example:
    spans = [Span(document_id=name, start=0, end=1, text="a") for name in (context, *references)]
    return example_of(context=spans[0] if context else NO_CONTEXT, references=tuple(spans[1:]))


def test_questions_of_one_document_hang_together() -> None:
    # of the context, else of the first reference, else alone
    examples = [
        example_about("a"),
        example_about("b", "a"),
        example_about("", "a", "b"),
        example_about(),
        example_about(),
        example_about("b"),
    ]
    assert clusters_of(examples).tolist() == [0, 1, 0, 2, 3, 1]
    assert clusters_of([]).tolist() == []
