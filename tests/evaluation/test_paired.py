"""Two systems: paired tests by hand, against scipy, their laws; and two runs, metric by metric and label by label."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from by_hand import example_of
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragassay.evaluation.aggregate import holm
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.paired import Differences, PairedTest, RunComparison, Values, adjusted, compare, paired_tests
from ragassay.evaluation.paired import compare_values as compare_by
from ragassay.metrics.catalogue import scale_of
from ragassay.records import Example

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


def test_a_change_of_less_than_a_tenth_of_the_range_is_about_the_same() -> None:
    a, b = np.array([1.0, 1.0, 1.0, 3.0, 5.0]), np.array([1.4, 1.39, 1.0, 2.5, 4.7])  # of 1 to 5 a tenth is 0.4
    rated, unbounded = (paired_test(a, b, bounds) for bounds in ((1, 5), None))
    assert rated is not None
    assert (rated.better, rated.worse, rated.same) == (1, 1, 3)
    assert unbounded is not None
    assert (unbounded.better, unbounded.worse, unbounded.same) == (2, 2, 1)


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
    # all lost questions of one document: it might be this document alone; where there are few, these are meant
    kept, lost = np.ones(20), np.array([0.0] * 8 + [1.0] * 12)
    (of_one,) = compare(kept, [("lost", lost)], clusters=np.repeat(np.arange(5), [8, 3, 3, 3, 3]))
    assert (of_one.p_value > 0.05, of_one.method) == (True, "t over documents")
    (of_few,) = compare(kept, [("lost", lost)], clusters=np.repeat([0, 1], [8, 12]))
    assert (of_few.p_value < 0.01, of_few.method) == (True, "t within these documents")


def compare_values(a: Values, b: Values, examples: list[Example], metrics: list[str], **more: int) -> RunComparison:
    return compare_by(a, b, examples, metrics, scales={name: scale_of(name) for name in metrics}, **more)


EXAMPLES = [example_of(f"q{number}", verified_label="summary" if number % 2 else "fact_single") for number in range(8)]
HIGH = {each.id: 0.9 for each in EXAMPLES}
LOW = {each.id: 0.5 for each in EXAMPLES}


def test_only_pairs_count() -> None:
    b: dict[str, float | None] = {**HIGH, "q0": None}
    del b["q1"]
    found = compare_values({"rouge_1": LOW}, {"rouge_1": b}, EXAMPLES, ["rouge_1"], only_a=2)
    test = found.metrics["rouge_1"]
    assert (test.n, test.total, test.better) == (6, 8, 6)
    assert test.difference == pytest.approx(0.4)
    # six differences of 0.4 and k more pairs of that size, k = (t / 2.5706)^2 with 5 degrees of freedom: t is
    # 6 / (6 + k) / sqrt((1 - (6 / (6 + k))^2) * 6/5 / (6 + k)) at t = 3.2439
    assert test.p_value == pytest.approx(0.02285, abs=5e-6)
    assert (found.examples, found.only_a, found.only_b) == (8, 2, 0)
    assert {label: tests["rouge_1"].n for label, tests in found.labels.items()} == {"fact_single": 3, "summary": 3}
    assert found.types == {}


def test_what_changed_most_comes_first_by_the_range_of_each_metric() -> None:
    a = {"rouge_1": {"q0": 0.2, "q1": 0.5, "q2": 0.5}, "truthfulness": {"q0": 3.0, "q1": 1.0, "q2": 3.0}}
    b = {"rouge_1": {"q0": 0.4, "q1": 0.5, "q2": None}, "truthfulness": {"q0": 3.0, "q1": 5.0, "q2": 3.0}}
    found = compare_values(a, b, EXAMPLES, ["rouge_1", "truthfulness"])
    # q1: (0 + 4 / 4) / 2; q0: (0.2 + 0) / 2; q2 has no rouge_1 in b, and its truthfulness is the same
    assert [(each.example_id, each.change) for each in found.changed] == [
        ("q1", pytest.approx(0.5)),
        ("q0", pytest.approx(0.1)),
    ]
    assert found.changed[0].values == {"rouge_1": (0.5, 0.5), "truthfulness": (1.0, 5.0)}
    assert found.changed[0].label == "summary"
    assert len(compare_values(a, b, EXAMPLES, ["rouge_1"], most_changed=0).changed) == 0


def test_unanswerable_questions_are_a_label_and_in_no_figure_above_it() -> None:
    examples = [
        *EXAMPLES,
        example_of("none", requested_label="unanswerable"),
        example_of("nil", verified_label="unanswerable"),
    ]
    a = {"rouge_1": {each.id: 0.0 for each in examples}, "abstention_accuracy": {each.id: 0.0 for each in examples}}
    b = {"rouge_1": {each.id: 1.0 for each in examples}, "abstention_accuracy": {each.id: 1.0 for each in examples}}
    found = compare_values(a, b, examples, ["abstention_accuracy", "rouge_1"])
    assert list(found.metrics) == ["abstention_accuracy", "rouge_1"]
    assert (found.metrics["rouge_1"].total, found.metrics["abstention_accuracy"].total) == (8, 10)
    assert found.labels["unanswerable"]["rouge_1"].total == 2
