"""Paired tests by hand and against scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.paired import PairedTest, adjusted, bootstrap_p_values, compare, paired_tests
from ragassay.evaluation.significance import holm

NAN = float("nan")
Bounds = tuple[float, float] | None


def paired_test(a: Any, b: Any, *, bounds: Bounds, seed: int) -> PairedTest | None:
    (found,) = paired_tests(a[:, None], b[:, None], bounds=[bounds], seed=seed)
    return found


def bootstrap_p_value(differences: Any, *, seed: int) -> float:
    (found,) = bootstrap_p_values(differences[:, None], seed=seed)
    return found


def test_pairs_by_hand() -> None:
    # the third and fourth have no pair: differences 0.5, 0, -0.25, 0.5, 0.25, their sum 1.0
    a = np.array([0.0, 1.0, NAN, 0.5, 0.75, 0.0, 0.25])
    b = np.array([0.5, 1.0, 1.0, NAN, 0.5, 0.5, 0.5])
    found = paired_test(a, b, bounds=(0, 1), seed=0)
    assert found is not None
    assert (found.n, found.total) == (5, 7)
    assert (found.a, found.b) == (pytest.approx(2 / 5), pytest.approx(3 / 5))
    assert found.difference == pytest.approx(1 / 5)
    assert (found.better, found.worse, found.same) == (3, 1, 1)
    # signs of 0.5, 0.5, 0.25, 0.25: |sum| >= 1 for 1.5 and 1.0 of either sign; 1.5 needs all four alike (2 ways), 1.0
    # one of the quarters turned (2 x 2 ways) or ... +.5 +.5 -.25 +.25 = 1: in all 2 + 4 of 16
    assert found.p_value == 6 / 16
    assert found.low < 0.2 < found.high
    assert -1 <= found.low <= found.high <= 1


def test_no_pair_no_test() -> None:
    assert paired_test(np.array([NAN, 1.0]), np.array([1.0, NAN]), bounds=(0, 1), seed=0) is None
    assert paired_test(np.array([1.0]), np.array([3.0]), bounds=None, seed=0) is None  # one pair has no interval


def test_equal_runs_do_not_differ() -> None:
    same = np.linspace(0, 1, 30)
    found = paired_test(same, same, bounds=(0, 1), seed=0)
    assert found is not None
    assert (found.difference, found.p_value, found.p_bootstrap, found.same) == (0, 1, 1, 30)
    assert found.low < 0 < found.high  # thirty ties do not show that there is no difference


def test_randomisation_and_interval_agree_with_scipy() -> None:
    random = np.random.default_rng(3)
    a = random.random(60)
    b = np.clip(a + random.normal(0.04, 0.15, 60), 0, 1)
    found = paired_test(a, b, bounds=(0, 1), seed=0)
    assert found is not None
    test = stats.permutation_test(
        (b - a,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert found.p_value == pytest.approx(test.pvalue, abs=0.012)
    interval = stats.bootstrap((b - a,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1))
    low, high = interval.confidence_interval
    assert (found.low, found.high) == (pytest.approx(low, abs=0.004), pytest.approx(high, abs=0.004))


def test_the_bootstrap_test_agrees_with_scipy_and_t() -> None:
    random = np.random.default_rng(4)
    differences = random.normal(0.05, 0.2, 80)
    ours = bootstrap_p_value(differences, seed=0)
    centred = differences - differences.mean()
    means = stats.bootstrap(
        (centred,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2)
    ).bootstrap_distribution
    assert ours == pytest.approx(np.mean(np.abs(means) >= abs(differences.mean())), abs=0.012)
    assert ours == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.02)


def test_a_great_difference_is_never_sure() -> None:
    assert bootstrap_p_value(np.ones(50) + np.linspace(0, 0.1, 50), seed=0) == pytest.approx(1 / 10_001)
    assert bootstrap_p_value(np.zeros(9), seed=0) == bootstrap_p_value(np.array([]), seed=0) == 1


@given(st.lists(st.sampled_from([-0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=12))
def test_turning_the_sides_turns_the_sign_only(values: list[float]) -> None:
    a, b = np.zeros(len(values)), np.array(values)
    one, other = paired_test(a, b, bounds=(-1, 1), seed=0), paired_test(b, a, bounds=(-1, 1), seed=0)
    assert one is not None
    assert other is not None
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.better, one.worse, one.same) == (other.worse, other.better, other.same)


def test_a_family_is_adjusted_in_its_order() -> None:
    random = np.random.default_rng(5)
    tests = [
        found
        for shift in (0.0, 0.2, 0.05)
        if (found := paired_test(np.full(14, 0.5), 0.5 + random.normal(shift, 0.1, 14), bounds=None, seed=0))
    ]
    found = adjusted(tests)
    assert [each.p_adjusted for each in found] == holm([each.p_value for each in tests])
    assert [each.p_value for each in found] == [each.p_value for each in tests]
    assert adjusted([]) == []


def test_columns_together_are_as_each_alone() -> None:
    random = np.random.default_rng(6)
    a, b = random.random((40, 3)), random.random((40, 3))
    b[:, 1] = a[:, 1]  # no difference
    a[:25, 2] = NAN  # fifteen pairs, all assignments of signs
    together = paired_tests(a, b, bounds=[(0, 1), (0, 1), None], seed=0)
    alone = [
        paired_test(a[:, place], b[:, place], bounds=bounds, seed=0)
        for place, bounds in enumerate(((0, 1), (0, 1), None))
    ]
    assert together == alone
    assert [each.n for each in together if each] == [40, 40, 15]
    assert paired_tests(np.zeros((0, 2)), np.zeros((0, 2)), bounds=[(0, 1), None], seed=0) == [None, None]


def test_compare_pairs_examples_and_adjusts() -> None:
    nan = float("nan")
    best = np.array([1.0] * 12 + [nan, 1.0])
    worse = np.array([0.0] * 10 + [1.0, 1.0, 1.0, nan])
    alike = np.array([1.0] * 11 + [0.0, nan, nan])
    first, second = compare(best, [("worse", worse), ("alike", alike), ("empty", np.full(14, nan))], seed=0)
    # 10 of 12 pairs differ, all one way: 2 / 2**10, doubled by Holm; 1 of 12 differs: p = 1
    assert (first.other, first.n, first.difference) == ("worse", 12, pytest.approx(-10 / 12))
    assert first.p_value == pytest.approx(2 * 2 / 2**10)
    assert -1 <= first.low < first.difference < first.high < 0
    assert (second.other, second.p_value) == ("alike", 1.0)
    assert second.low < second.difference < 0 < second.high


def test_configurations_that_agree_everywhere_may_still_differ() -> None:
    (found,) = compare(np.ones(20), [("same", np.ones(20))], seed=0)
    assert (found.difference, found.p_value) == (0, 1)
    assert found.low < -0.05
    assert found.high > 0.05


def test_bounds_are_those_of_the_metric() -> None:
    best, other = np.array([5.0, 5, 4, 5, 3, 5]), np.array([1.0, 2, 4, 1, 1, 1])
    (rated,) = compare(best, [("other", other)], bounds=(1.0, 5.0), seed=0)
    assert rated.difference == pytest.approx(-17 / 6)
    assert -4 <= rated.low < rated.difference < rated.high
    (tokens,) = compare(100 * best, [("other", 100 * other)], bounds=None, seed=0)
    assert tokens.difference == pytest.approx(100 * rated.difference)
