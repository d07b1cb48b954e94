from __future__ import annotations

import numpy as np
import pytest

from ragassay.agreement.check_items import Compared, Pair, Rated
from ragassay.agreement.check_statistics import checked, classes
from ragassay.agreement.check_values import Values, control_values, repeatability


def pair(number: int, better: str = "a", worse: str = "bb") -> Pair:
    return Pair(where=f"line {number}", question="q", better=better, worse=worse)


def rated(rating: float, answer: str = "a") -> Rated:
    return Rated(where="line", question="q", answer=answer, rating=rating)


def compared(key: str, **labels: float) -> Compared:
    return Compared(
        where="line",
        key=key,
        question="q",
        reference="r",
        first="a",
        second="b",
        labels=labels,  # type: ignore[arg-type]
    )


def values(*sides: list[float | None], aspect: str = "") -> Values:
    return Values("mine", "judge", aspect, tuple(map(tuple, sides)), {})  # type: ignore[arg-type]


def test_accuracy_on_pairs_counts_ties_half_and_leaves_gaps_out() -> None:
    found = checked("faithfulness", tuple(map(pair, range(4))), [values([0.9, 0.5, 0.1, None], [0.1, 0.5, 0.9, 0.5])])
    accuracy = found.rows[0].measures["accuracy"]
    # One right, one tie, one wrong: 1.5 of 3; the fourth has no value.
    assert (accuracy.value, accuracy.n, accuracy.total) == (0.5, 3, 4)


def test_one_column_of_pairs_is_how_often_both_orders_agree() -> None:
    found = checked("faithfulness", tuple(map(pair, range(4))), [values([1.0, 1.0, 0.0, 1.0])])
    assert found.rows[0].measures["order_agreement"].value == 0.75


def test_ratings_are_good_or_bad_by_their_scale() -> None:
    good, bad = classes(np.array([1, 2, 3, 4, 4.5, 5]))
    assert (good.tolist(), bad.tolist()) == ([False] * 3 + [True] * 3, [True] * 2 + [False] * 4)
    good, bad = classes(np.array([0.2, 0.5, 0.8]))
    assert (good.tolist(), bad.tolist()) == ([False, False, True], [True, False, False])
    good, bad = classes(np.array([7.0, 7.0]))
    assert not good.any()
    assert not bad.any()


def test_ratings_against_values() -> None:
    found = checked(
        "truthfulness",
        tuple(map(rated, [5, 4, 3, 2, 1, 5])),
        [values([0.9, 0.6, 0.7, 0.6, 0.1, None])],
    )
    measures = found.rows[0].measures
    # Good 0.9 and 0.6, bad 0.6 and 0.1: 3.5 of 4; the rating of 3 is neither, the last has no value.
    assert (measures["auroc"].value, measures["auroc"].n, measures["auroc"].total) == (0.875, 4, 5)
    assert (found.good, found.bad) == (3, 2)
    assert (measures["pearson"].n, measures["pearson"].total) == (5, 6)


@pytest.mark.parametrize(("good", "bad", "low"), [(29, 1, 0.0), (6, 6, 0.476), (200, 200, 0.98)])
def test_classes_told_apart_without_fault_are_no_certainty(good: int, bad: int, low: float) -> None:
    ratings, said = [5] * good + [1] * bad, [0.6 + 0.001 * place for place in range(good)] + [0.1] * bad
    (row,) = checked("truthfulness", tuple(map(rated, ratings)), [values(said)]).rows
    found = row.measures["auroc"]
    assert (found.value, found.high, found.n) == (1.0, 1.0, good + bad)
    assert found.low is not None
    assert found.low == pytest.approx(low, abs=0.005)  # Wilson with t: all of 1, 6, 200


def test_a_measure_that_is_undefined_says_why() -> None:
    (row,) = checked("truthfulness", tuple(map(rated, [5, 1, 3])), [values([0.5, 0.5, 0.5])]).rows
    assert row.measures["auroc"].value == 0.5
    assert row.undefined == dict.fromkeys(
        ("pearson", "spearman", "kendall"), "all values, or all judgements of people, are the same"
    )
    (row,) = checked("truthfulness", tuple(map(rated, [5, 5])), [values([0.5, 0.6])]).rows
    assert row.undefined["auroc"] == "good or bad items are missing"
    (row,) = checked("faithfulness", (pair(1),), [values([None], [0.5])]).rows
    assert row.undefined == {"accuracy": "there is nothing to compare"}


def test_comparisons_with_people_beside() -> None:
    items = (
        compared("x", overall=2),
        compared("x", overall=1),
        compared("y", overall=-1),
        compared("y", overall=-2),
        compared("z", overall=0),
    )
    found = checked(
        "preference", items, [values([0.1, 0.1, 0.9, 0.9, 0.4], [0.8, 0.8, 0.2, 0.2, 0.5], aspect="overall")]
    )
    judge, people = found.rows
    assert (judge.aspect, people.role) == ("overall", "people")
    # The decided ones are right; the last is decided by nobody.
    assert (judge.measures["accuracy"].value, judge.measures["accuracy"].n) == (1.0, 4)
    assert judge.measures["pearson"].n == 5
    # Two people on x and y: 2 and 1, -1 and -2.
    assert people.measures["pearson"].value == pytest.approx(1.0)
    assert people.measures["accuracy"].n == 2


def test_controls_know_lengths_and_chance_alone() -> None:
    items = (pair(1, "longer", "short"), pair(2, "s", "longer"))
    longer, chance = control_values("answer_relevance", items, seed=3)
    assert (longer.scorer, longer.sides) == ("longer wins", ((6.0, 1.0), (5.0, 6.0)))
    assert chance == control_values("answer_relevance", items, seed=3)[1]
    assert chance != control_values("answer_relevance", items, seed=4)[1]
    assert control_values("context_relevance", items)[0].scorer == "shorter wins"


def test_two_runs_that_differ() -> None:
    (found,) = repeatability("faithfulness", [values([1.0, 0.5, None])], [values([0.8, 0.5, 0.1])])
    # |1 - 0.8| and |0.5 - 0.5|; the third has no value in one run.
    assert found.difference.value == pytest.approx(0.1)
    assert (found.same.value, found.same.n, found.same.total) == (0.5, 2, 3)
    assert found.pearson.value == pytest.approx(1.0)


def test_all_right_is_no_proof_of_perfection() -> None:
    found = checked("faithfulness", tuple(map(pair, range(20))), [values([1.0] * 20, [0.0] * 20)])
    accuracy = found.rows[0].measures["accuracy"]
    # Wilson with t: 20 of 20 gives a lower end of 0.82.
    assert (accuracy.value, accuracy.high) == (1.0, 1.0)
    assert accuracy.low == pytest.approx(0.82, abs=0.01)
