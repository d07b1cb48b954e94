from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import estimate, estimate_of_counts, estimates, resample_counts

Z = 1.959963984540054


def test_what_has_no_value_is_counted_and_not_read_as_a_number() -> None:
    found = estimate([1.0, None, 0.0, float("nan"), 1.0, 1.0], seed=0)
    assert (found.value, found.n, found.total) == (0.75, 4, 6)
    nothing = estimate([None, None], seed=0)
    assert (nothing.value, nothing.low, nothing.high, nothing.n, nothing.total) == (None, None, None, 0, 2)
    assert estimate([], seed=0).total == 0


def test_twenty_of_twenty_is_not_certain() -> None:
    found = estimate([1.0] * 20, seed=0)
    # z^2 / 2 = 1.9207 ones and zeros are added: mean (20 + 1.9207) / 23.8415 = 0.91943,
    # half = z * sqrt(0.91943 * 0.08057 / 23.8415) = 0.10925; 0.91943 - 0.10925 = 0.8102
    assert found.value == 1
    assert found.low == pytest.approx(0.8102, abs=5e-5)
    assert found.high == 1


def test_few_differing_values_get_the_interval_of_agresti_and_coull() -> None:
    found = estimate([1.0] * 45 + [0.0] * 5, seed=0)
    mean = (45 + Z**2 / 2) / (50 + Z**2)
    half = Z * sqrt(mean * (1 - mean) / (50 + Z**2))
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half), abs=1e-9)


def test_equal_values_inside_the_bounds_are_not_certain_either() -> None:
    found = estimate([0.5] * 30, seed=0)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.45
    assert found.high > 0.55


def test_bounds_scale_the_interval() -> None:
    shares = estimate([1.0, 1.0, 0.5], seed=0)
    marks = estimate([5.0, 5.0, 3.0], seed=0, bounds=(1, 5))
    assert shares.low is not None
    assert marks.low is not None
    assert marks.low == pytest.approx(1 + 4 * shares.low)
    with pytest.raises(ValueError, match="outside"):
        estimate([5.0], seed=0)
    with pytest.raises(ValueError, match="infinite"):
        estimate([float("inf")], seed=0, bounds=None)


def test_values_without_bounds() -> None:
    assert estimate([120.0], seed=0, bounds=None).low is None  # one value says nothing about its spread
    found = estimate([100.0, 140.0, 120.0], seed=0, bounds=None)
    assert found.low is not None
    assert found.high is not None
    assert 100 <= found.low < 120 < found.high <= 140


def test_bootstrap_agrees_with_scipy() -> None:
    random = np.random.default_rng(2)
    values = random.beta(4, 2, size=120)
    ours = estimate(values.tolist(), seed=1)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=3).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.002)


def test_missing_values_leave_the_interval_of_the_others() -> None:
    random = np.random.default_rng(2)
    values = random.beta(4, 2, size=200).tolist()
    alone = estimate(values, seed=1)
    among = estimate([value for pair in zip(values, [None] * 200, strict=True) for value in pair], seed=1)
    assert among.n == 200
    assert among.total == 400
    assert (among.low, among.high) == pytest.approx((alone.low, alone.high), abs=0.006)


def test_columns_share_resamples_and_seeds_decide() -> None:
    random = np.random.default_rng(4)
    column = random.beta(2, 2, size=60)
    twice = estimates(np.column_stack([column, column]), seed=5)
    alone = estimate(column.tolist(), seed=5)
    assert twice[0] == twice[1]
    assert twice[0].value == alone.value
    assert (twice[0].low, twice[0].high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    assert estimate(column.tolist(), seed=6).low != alone.low


def test_resamples_draw_every_example_n_times_in_all() -> None:
    blocks = list(resample_counts(300_000, seed=0, resamples=20))
    assert [len(block) for block in blocks] == [6, 6, 6, 2]
    assert all((block.sum(axis=1) == 300_000).all() for block in blocks)


@pytest.mark.parametrize(
    ("values", "chances", "n"),
    [
        ([0.0, 1.0], [0.03, 0.97], 20),  # the bootstrap alone covers 44 % here
        ([0.0, 0.5, 1.0], [0.01, 0.04, 0.95], 20),
        ([0.0, 0.33, 0.5, 1.0], [0.02, 0.03, 0.1, 0.85], 30),
        ([0.0, 0.25, 0.33, 0.5, 1.0], [0.2, 0.05, 0.1, 0.15, 0.5], 60),
    ],
)
def test_intervals_hold_the_true_mean_nineteen_times_in_twenty(
    values: list[float], chances: list[float], n: int
) -> None:
    drawn = np.random.default_rng(9).choice(values, p=chances, size=(n, 500))
    truth = float(np.dot(values, chances))
    found = estimates(drawn, seed=0, resamples=1000)
    covered = [e.low is not None and e.high is not None and e.low <= truth <= e.high for e in found]
    assert 0.92 <= np.mean(covered) <= 1


@given(st.lists(st.none() | st.floats(0, 1), max_size=40))
def test_laws(values: list[float | None]) -> None:
    found = estimate(values, seed=0, resamples=200)
    assert found.n == sum(value is not None for value in values)
    if found.n:
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value <= found.high + 1e-12
        assert found.high <= 1


def test_counts_of_few_values_give_the_mean_and_interval_of_the_values() -> None:
    # 5 + 20 * 2 + 30 * 3 + 25 * 4 + 20 * 5 = 335 over 100
    counts = {1.0: 5, 2.0: 20, 3.0: 30, 4.0: 25, 5.0: 20}
    found = estimate_of_counts(counts, 110, seed=0, bounds=(1, 5))
    values = [value for value, count in counts.items() for _ in range(count)]
    one_by_one = estimate([*values, *[None] * 10], seed=0, bounds=(1, 5))
    assert (found.value, found.n, found.total) == (pytest.approx(3.35), 100, 110)
    assert one_by_one.value == pytest.approx(3.35)
    # two draws of the same bootstrap: their ends differ by the noise of 10 000 resamples
    assert found.low == pytest.approx(one_by_one.low, abs=0.02)
    assert found.high == pytest.approx(one_by_one.high, abs=0.02)


def test_counts_of_nearly_one_value_get_the_same_interval_as_the_values() -> None:
    found = estimate_of_counts({5.0: 20, 4.0: 3}, 23, seed=0, bounds=(1, 5))
    assert found == estimate([5.0] * 20 + [4.0] * 3, seed=0, bounds=(1, 5))


def test_counts_of_nothing() -> None:
    found = estimate_of_counts({1.0: 0, 5.0: 0}, 7, seed=0, bounds=(1, 5))
    assert (found.value, found.low, found.high, found.n, found.total) == (None, None, None, 0, 7)


def test_counts_of_values_outside_the_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        estimate_of_counts({6.0: 1}, 1, seed=0, bounds=(1, 5))
