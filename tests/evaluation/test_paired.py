"""Paired tests by hand, against scipy, and the laws that an interval and its p-value keep together."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import holm
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.paired import Differences, PairedTest, adjusted, compare, paired_tests

NAN = float("nan")
Bounds = tuple[float, float] | None


def paired_test(a: Any, b: Any, bounds: Bounds = (0, 1), clusters: Clusters | None = None) -> PairedTest | None:
    (found,) = paired_tests(a[:, None], b[:, None], bounds=[bounds], clusters=clusters)
    return found


def test_pairs_by_hand() -> None:
    # the third and fourth have no pair: differences 0.5, 0, -0.25, 0.5, 0.25, their sum 1.0, that of squares 0.625
    a = np.array([0.0, 1.0, NAN, 0.5, 0.75, 0.0, 0.25])
    b = np.array([0.5, 1.0, 1.0, NAN, 0.5, 0.5, 0.5])
    found = paired_test(a, b)
    assert found is not None
    assert (found.n, found.total) == (5, 7)
    assert (found.a, found.b) == (pytest.approx(2 / 5), pytest.approx(3 / 5))
    assert found.difference == pytest.approx(1 / 5)
    assert (found.better, found.worse, found.same) == (3, 1, 1)
    # one more pair of 0.625 / 4 squared: centre 1/6, variance (0.78125 / 6 - 1/36) * 5/4 / 6
    error = sqrt((0.78125 / 6 - 1 / 36) * 5 / 4 / 6)
    half = stats.t.ppf(0.975, 4) * error
    assert (found.low, found.high) == (pytest.approx(1 / 6 - half), pytest.approx(1 / 6 + half))
    assert found.method == "t"
    # at the level of p, (t / 2.7764)^2 such pairs are added, and the interval ends at 0
    t = stats.t.isf(found.p_value / 2, 4)
    more = (t / stats.t.ppf(0.975, 4)) ** 2
    centre = 1 / (5 + more)
    variance = ((0.625 + more * 0.15625) / (5 + more) - centre**2) * 5 / 4 / (5 + more)
    assert centre == pytest.approx(t * sqrt(variance))


def of_right_and_wrong(n: int) -> dict[tuple[int, int], tuple[float, float]]:
    """(pairs that differ, those in favour of the better) of n pairs to our p and that of the exact test (McNemar)."""
    keys = [(differing, better) for differing in range(n + 1) for better in range((differing + 1) // 2, differing + 1)]
    columns = np.zeros((n, len(keys)))
    for place, (differing, better) in enumerate(keys):
        columns[:better, place], columns[better:differing, place] = 1, -1
    ours = Differences(columns, [(-1, 1)] * len(keys)).p_values()
    exact = [stats.binomtest(better, differing).pvalue if differing else 1.0 for differing, better in keys]
    return dict(zip(keys, zip(ours, exact, strict=True), strict=True))


@pytest.mark.parametrize("n", [20, 50])
def test_right_and_wrong_answers_beside_the_exact_test(n: int) -> None:
    found = of_right_and_wrong(n)
    one, five = found[1, 1], found[5, 5]
    assert (one[0], one[1]) == (pytest.approx(0.37, abs=0.005), 1)
    assert (five[0], five[1]) == (pytest.approx(0.041, abs=0.001), 0.0625)
    assert all(0.36 * exact < ours < 2 * exact for ours, exact in found.values() if exact > 0.001)
    # how often p is below a level where nothing differs but by chance: differing questions either way alike
    for differ in (0.05, 0.2, 0.5, 0.9):
        weights = {
            key: stats.binom.pmf(key[0], n, differ)
            * stats.binom.pmf(key[1], key[0], 0.5)
            * (1 + (key[0] != 2 * key[1]))
            for key in found
        }
        assert sum(weights.values()) == pytest.approx(1)
        for level in (0.05, 0.01, 0.001):
            assert sum(weight for key, weight in weights.items() if found[key][0] < level) <= level


def differences() -> st.SearchStrategy[list[float]]:
    kinds = st.sampled_from([-1.0, 0.0, 1.0]), st.floats(-1, 1), st.sampled_from([0.0, 0.25])
    return st.one_of(*(st.lists(kind, min_size=1, max_size=25) for kind in kinds))


@given(differences(), st.integers(1, 6), st.booleans())
def test_the_interval_leaves_0_out_exactly_where_p_is_below_005(
    values: list[float], documents: int, bare: bool
) -> None:
    b = np.array(values)
    found = paired_test(np.zeros(len(b)), b, (-1, 1) if not bare else None, np.arange(len(b)) % documents)
    if found is not None:
        assert 0 <= found.p_value <= 1
        assert found.low <= found.difference + 1e-12
        assert found.difference <= found.high + 1e-12
        if abs(found.p_value - 0.05) > 1e-9:
            assert (found.low > 0 or found.high < 0) == (found.p_value < 0.05)


@given(differences(), st.integers(1, 6))
def test_turning_the_sides_turns_the_sign_only(values: list[float], documents: int) -> None:
    a, b, clusters = np.zeros(len(values)), np.array(values), np.arange(len(values)) % documents
    one, other = paired_test(a, b, (-1, 1), clusters), paired_test(b, a, (-1, 1), clusters)
    assert one is not None
    assert other is not None
    assert one.difference == pytest.approx(-other.difference)
    assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.better, one.worse, one.same) == (other.worse, other.better, other.same)


def test_a_family_is_adjusted_in_its_order() -> None:
    random = np.random.default_rng(5)
    tests = [
        found
        for shift in (0.0, 0.2, 0.05)
        if (found := paired_test(np.full(14, 0.5), 0.5 + random.normal(shift, 0.1, 14), bounds=None))
    ]
    found = adjusted(tests)
    assert [each.p_adjusted for each in found] == holm([each.p_value for each in tests])
    assert [each.p_value for each in found] == [each.p_value for each in tests]
    assert adjusted([]) == []


def test_compare_pairs_examples_and_adjusts() -> None:
    best = np.array([1.0] * 12 + [NAN, 1.0])
    worse = np.array([0.0] * 10 + [1.0, 1.0, 1.0, NAN])
    alike = np.array([1.0] * 11 + [0.0, NAN, NAN])
    first, second = compare(best, [("worse", worse), ("alike", alike), ("empty", np.full(14, NAN))])
    assert (first.other, first.n, first.difference) == ("worse", 12, pytest.approx(-10 / 12))
    assert (first.p_adjusted, second.p_adjusted) == (2 * first.p_value, second.p_value)
    assert first.p_of_family == first.p_adjusted < 0.01
    assert -1 <= first.low < first.difference < first.high < 0
    assert second.other == "alike"
    assert second.p_value > 0.05
    assert second.low < second.difference < 0 < second.high
    # all lost questions of one document: it might be this document alone
    (of_one,) = compare(best, [("worse", worse)], clusters=np.array([0] * 10 + [1, 2, 3, 4]))
    assert of_one.p_value > 0.05
