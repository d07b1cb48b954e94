from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import estimate, estimates


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
    assert estimate(values, clusters=np.zeros(20, dtype=np.int64)).method == "Wilson with t within one document"
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
