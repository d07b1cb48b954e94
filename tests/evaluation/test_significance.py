from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.significance import holm, randomisation_p_value


def test_by_hand() -> None:
    # signs of 1, 2, 4: sums +-7, +-5, +-3, +-1. Observed 1 + 2 + 4 = 7: 2 of 8 are as far; -1 + 2 + 4 = 5: 4 of 8
    assert randomisation_p_value(np.array([1.0, 2, 4]), seed=0) == 0.25
    assert randomisation_p_value(np.array([-1.0, 2, 4]), seed=0) == 0.5
    assert randomisation_p_value(np.array([0.0, 0, 1, 2, 4]), seed=0) == 0.25
    assert randomisation_p_value(np.array([0.0, 0.0]), seed=0) == 1
    assert randomisation_p_value(np.array([]), seed=0) == 1


def test_equal_amounts_are_the_exact_mcnemar_test() -> None:
    differences = np.array([1.0] * 30 + [-1.0] * 14 + [0.0] * 100)
    assert randomisation_p_value(differences, seed=0) == pytest.approx(stats.binomtest(14, 44).pvalue, rel=1e-9)
    even = np.array([0.5] * 20 + [-0.5] * 20)
    assert randomisation_p_value(even, seed=0) == 1


@pytest.mark.parametrize("n", [6, 12])
def test_exact_values_agree_with_scipy(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.3, 1, size=n)
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert randomisation_p_value(differences, seed=0) == pytest.approx(theirs, abs=1e-12)


def test_random_assignments_agree_with_scipy() -> None:
    differences = np.random.default_rng(3).normal(0.12, 1, size=150)
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=50_000, rng=np.random.default_rng(1)
    ).pvalue
    assert 0.05 < theirs < 0.6
    assert randomisation_p_value(differences, seed=0) == pytest.approx(theirs, abs=0.02)
    assert randomisation_p_value(differences, seed=0) == randomisation_p_value(differences, seed=0)
    assert randomisation_p_value(differences + 5, seed=0) == 1 / 10_001  # never 0


def test_chance_alone_is_called_significant_one_time_in_twenty() -> None:
    random = np.random.default_rng(8)
    p_values = [randomisation_p_value(random.normal(size=12), seed=0) for _ in range(300)]
    assert 0.02 <= np.mean(np.array(p_values) <= 0.05) <= 0.08


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


@given(st.lists(st.integers(-3, 3), max_size=12), st.integers(0, 3))
def test_p_value_laws(drawn: list[int], seed: int) -> None:
    differences = np.array(drawn, dtype=np.float64)
    p_value = randomisation_p_value(differences, seed=seed)
    assert 0 < p_value <= 1
    assert randomisation_p_value(-differences[::-1], seed=seed) == p_value
