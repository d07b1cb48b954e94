"""A judge corrected by people: by hand, never wider than people alone, and intervals that hold what they say."""

from __future__ import annotations

import numpy as np
import pytest

from ragassay.evaluation.prediction_powered import METHOD, corrected

NONE = np.nan


def test_the_bias_of_a_judge_goes() -> None:
    """A judge that says right to 30 of 100 too many: people find three of its ten wrong answers among 40."""
    judge = np.repeat([1.0, 0.0], [70, 30])
    people = np.full(100, NONE)
    people[:28] = np.repeat([1.0, 0.0], [22, 6])
    people[70:82] = 0.0
    found = corrected(people, judge)
    assert found is not None
    assert found.judge.value == 0.7
    assert found.people.value == pytest.approx(22 / 40)
    assert found.bias == pytest.approx(6 / 40)
    assert found.estimate.method == METHOD
    assert found.estimate.value == pytest.approx(22 / 40 + found.weight * (0.7 - 28 / 40))
    assert found.worth > 40


def test_without_use_of_the_judge_people_alone_count() -> None:
    people = np.array([1.0, 0, 1, 1, 0, 1, NONE, NONE])
    for judge in (np.full(8, 0.5), np.full(8, NONE), 1 - np.nan_to_num(people, nan=1)):
        found = corrected(people, judge)
        assert found is not None
        assert found.estimate == found.people
        assert (found.weight, found.worth) == (0, 6)
    all_judged = corrected(people[:6], people[:6])
    assert all_judged is not None
    assert all_judged.estimate == all_judged.people  # there is nobody else to learn of
    assert corrected(np.full(3, NONE), np.ones(3)) is None
    failing = corrected(people, np.array([1.0, 0, NONE, 1, 0, 1, 1, NONE]))
    assert failing is not None
    assert failing.missing == 2


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0)])
def test_intervals_hold_the_mean_and_are_never_wider(bounds: tuple[float, float]) -> None:
    random = np.random.default_rng(5)
    held = []
    for _ in range(300):
        mean = 0.2 if bounds[0] < 0 else 0.7
        truth = np.where(random.random(400) < 0.7, 1.0, 0.0)
        if bounds[0] < 0:
            truth = random.choice([-1.0, 0.0, 1.0], 400, p=[0.15, 0.5, 0.35])
        judge = np.where(random.random(400) < 0.8, truth, random.permutation(truth))
        people = np.where(np.arange(400) < 50, truth, NONE)
        found = corrected(people, judge, bounds=bounds)
        assert found is not None
        assert found.estimate.low is not None
        assert found.estimate.high is not None
        assert found.people.low is not None
        assert found.people.high is not None
        assert found.estimate.high - found.estimate.low <= found.people.high - found.people.low
        assert bounds[0] <= found.estimate.low <= found.estimate.value <= found.estimate.high <= bounds[1]  # type: ignore[operator]
        held.append(found.estimate.low <= mean <= found.estimate.high)
    assert 0.92 <= np.mean(held) <= 0.99


def test_questions_on_one_document_count_as_fewer() -> None:
    random = np.random.default_rng(7)
    clusters = np.repeat(np.arange(20), 10)
    truth = np.repeat((random.random(20) < 0.5).astype(float), 10)
    judge = np.where(random.random(200) < 0.9, truth, 1 - truth)
    people = np.where(np.arange(200) % 10 < 4, truth, NONE)
    alone, together = corrected(people, judge), corrected(people, judge, clusters=clusters)
    assert alone is not None
    assert together is not None
    assert together.estimate.high - together.estimate.low > alone.estimate.high - alone.estimate.low  # type: ignore[operator]
