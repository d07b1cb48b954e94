"""Intervals that hold however often one looks, and what they decide."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ragassay.evaluation.sequential import confidence_sequence, intervals, verdict_of


def test_looking_after_every_value_excludes_the_mean_in_one_of_twenty_sequences_at_most() -> None:
    random = np.random.default_rng(3)
    missed = 0
    for _ in range(200):
        values = random.choice([-1.0, 0.0, 1.0], 300, p=[0.2, 0.5, 0.3])
        missed += any(not low <= 0.1 <= high for low, high in intervals(values, (-1, 1)))
    assert missed <= 16  # 10 are expected at most; more than 16 come in 2 % of cases


def test_intervals_never_grow_and_close_in_on_the_mean() -> None:
    values = np.random.default_rng(8).random(2_000)
    found = list(intervals(values, (0, 1)))
    assert all(one[0] <= other[0] <= other[1] <= one[1] for one, other in pairwise(found))
    low, high = found[-1]
    assert low < values.mean() < high
    assert high - low < 0.1
    assert confidence_sequence(values, (0, 1)) == found[-1]


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_values_that_are_all_alike(value: float) -> None:
    low, high = confidence_sequence(np.full(100, value), (0, 1))
    assert low <= value <= high
    assert high - low < 0.1


def test_what_an_interval_decides() -> None:
    assert verdict_of(0.01, 0.2, 0.05) == "better"
    assert verdict_of(0.01, 0.2, 0.05, higher_is_better=False) == "worse"
    assert verdict_of(-0.04, 0.03, 0.05) == "no difference that matters"
    assert verdict_of(-0.06, 0.03, 0.05) == "undecided"
