"""Orders of systems on two benchmarks: tau-b worked by hand, swaps, what is noise and what is not."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from ragassay.people.agreement.benchmarks import (
    OrderAgreement,
    Scored,
    ceiling_of,
    chance_of,
    order_agreement,
    tau_rows,
)

SHARE = (0.0, 1.0)


def flat(means: list[float], questions: int = 4) -> np.ndarray:
    """Every question has the same values: differences are certain."""
    return np.tile(np.array(means, dtype=float), (questions, 1))


def agreement(synthetic: np.ndarray, human: np.ndarray, **more: object) -> OrderAgreement:
    names = list("ABCDEFGHIJ"[: synthetic.shape[1]])
    return order_agreement("m", names, Scored(synthetic), Scored(human), **{"bounds": SHARE, **more})  # type: ignore[arg-type]


def test_tau_with_a_swap() -> None:
    # A < B < C < D against A < C < B < D: 5 of 6 pairs in the same order, 1 swapped: (5 - 1) / 6.
    found = agreement(flat([0.1, 0.2, 0.3, 0.4]), flat([0.5, 0.7, 0.6, 0.9]))
    assert found.tau.value == pytest.approx(4 / 6)
    assert [(pair.first, pair.second) for pair in found.swapped] == [("B", "C")]
    assert (found.tau.n, found.tau.total) == (4, 4)
    # of 24 orders: 1 has tau 1, 3 have one swap of neighbours: 4 / 24
    assert found.chance == pytest.approx(4 / 24)


def test_tau_with_ties() -> None:
    # A = B < C against A < B < C. Pairs: AB tied in one, AC and BC in the same order: 2 / sqrt((3 - 1) * 3).
    found = agreement(flat([0.2, 0.2, 0.4]), flat([0.1, 0.3, 0.5]))
    assert found.tau.value == pytest.approx(2 / math.sqrt(6))
    assert [pair.order for pair in found.pairs] == ["tied", "same", "same"]
    assert [place.synthetic_rank for place in found.systems] == [2.5, 2.5, 1]
    assert [place.human_rank for place in found.systems] == [3, 2, 1]
    # 6 orders of the second: C highest in 2 of them, and only those reach this tau.
    assert found.chance == pytest.approx(2 / 6)


def test_reversed_orders_and_what_is_better() -> None:
    found = agreement(flat([0.1, 0.2, 0.3]), flat([0.3, 0.2, 0.1]), higher_is_better=False)
    assert (found.tau.value, found.tau.low, found.tau.high) == (-1, -1, -1)
    assert len(found.swapped) == 3
    assert found.chance == 1
    assert [place.synthetic_rank for place in found.systems] == [1, 2, 3]  # less is better


def test_which_differences_are_larger_than_their_noise() -> None:
    # Synthetic: B beats A by as much on all 12 questions. Human: 6 against 6, a difference of -0.01 by size.
    synthetic = flat([0.2, 0.8], 12)
    human = np.array([[0.5, 0.6]] * 6 + [[0.5, 0.38]] * 6)
    (pair,) = agreement(synthetic, human).pairs
    assert (pair.order, pair.firmness) == ("swapped", "synthetic only")
    assert pair.synthetic.p_value == pytest.approx(0.001117, abs=5e-7)
    assert pair.human.difference == pytest.approx(-0.01)
    assert pair.human.p_adjusted > 0.5
    (other,) = agreement(human, synthetic).pairs
    assert other.firmness == "human only"
    assert agreement(synthetic, flat([0.8, 0.2], 12)).pairs[0].firmness == "both"
    assert agreement(human, human).pairs[0].firmness == "neither"
    upside_down = agreement(synthetic, flat([0.8, 0.2], 12))
    assert (len(upside_down.contradicted), upside_down.confirmed) == (1, ())
    assert len(agreement(synthetic, synthetic).confirmed) == 1


def test_only_questions_that_every_system_has_a_value_for_count() -> None:
    nan = math.nan
    # With its own questions B would be ahead (1 against 0.5); on the common ones it is behind (0 against 1).
    synthetic = np.array([[1.0, 0.0], [0.0, nan], [nan, 1.0], [nan, 1.0]])
    found = agreement(synthetic, flat([0.9, 0.1]))
    assert found.tau.value == 1
    assert [(p.synthetic.value, p.synthetic.n, p.synthetic.total) for p in found.systems] == [(1, 1, 4), (0, 1, 4)]


def test_a_system_without_values_is_left_out_and_said() -> None:
    synthetic = flat([0.1, 0.2, 0.3])
    synthetic[:, 1] = math.nan
    found = agreement(synthetic, flat([0.1, 0.2, 0.3]))
    assert (found.left_out, found.tau.value, found.tau.n, found.tau.total) == (("B",), 1, 2, 3)
    synthetic[:, 2] = math.nan
    none = agreement(synthetic, flat([0.1, 0.2, 0.3]))
    assert (none.tau.value, none.tau.n, none.pairs) == (None, 1, ())
    assert none.reason == "B, C have no value on one of the benchmarks"


def test_the_interval_says_how_far_tau_hangs_on_the_questions() -> None:
    random = np.random.default_rng(1)
    near = random.uniform(size=(60, 4))  # four systems that are alike
    apart = np.clip(near * 0.1 + np.array([0.1, 0.35, 0.6, 0.85]), 0, 1)
    firm = agreement(apart, apart)
    assert (firm.tau.value, firm.tau.low, firm.tau.high) == (1, 1, 1)
    loose = agreement(near, near)
    assert loose.tau.value == 1
    assert loose.tau.high == 1
    assert loose.tau.low is not None
    assert loose.tau.low < 0.4
    assert agreement(near, near) == loose  # the seed is an argument
    assert agreement(near, near, seed=1).tau.low != loose.tau.low or loose.tau.low == -1


_means = st.lists(st.integers(0, 4), min_size=2, max_size=7)


@given(_means, st.randoms())
def test_tau_rows_is_the_reference_library_s(first: list[int], random: object) -> None:
    second = list(first)
    random.shuffle(second)  # type: ignore[attr-defined]
    mine = tau_rows(np.array([first], float), np.array([second], float))[0]
    theirs = kendalltau(first, second).statistic
    assert (math.isnan(mine) and math.isnan(theirs)) or mine == pytest.approx(theirs)


def test_chance_of_many_systems_is_drawn() -> None:
    means = np.arange(10.0)
    assert chance_of(means, means) == pytest.approx(1 / 10_001, rel=0.01)
    some = np.arange(5.0)
    shuffled = some[[1, 0, 2, 3, 4]]
    counted = sum(kendalltau(some, order).statistic >= 0.8 - 1e-9 for order in permutations(range(5))) / 120
    assert chance_of(some, shuffled) == pytest.approx(counted)


def test_the_ceiling_is_what_other_human_questions_would_reach() -> None:
    assert ceiling_of(flat([0.1, 0.2, 0.3], 10), 5) == 1
    assert ceiling_of(flat([0.1, 0.2], 3), 5) is None
    assert ceiling_of(flat([0.2, 0.2], 10), 5) is None
    # Of four questions two say A, two say B. Halves: in 4 of 6 divisions each has one of either, which orders nothing;
    # in 2 of 6 they are each other's reverse. Too few are defined.
    assert ceiling_of(np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]), 2) is None
    # Three say A, one says B: the half with B has one of either and orders nothing, in every division.
    assert ceiling_of(np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]]), 2) is None
    # With a part of one question: it is the odd one in 1 of 4 (-1), else the others still say A (+1): mean 0.5.
    assert ceiling_of(np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]]), 1) == pytest.approx(0.5, abs=0.15)
    assert agreement(flat([0.1, 0.3]), flat([0.1, 0.3])).ceiling == 1


def test_questions_of_one_document_hang_together() -> None:
    random = np.random.default_rng(0)
    of_document = np.repeat(random.random((5, 2)), 4, axis=0)
    documents = np.repeat(np.arange(5), 4)
    alone = order_agreement("m", ["A", "B"], Scored(of_document), Scored(of_document), bounds=SHARE)
    both = Scored(of_document, documents)
    together = order_agreement("m", ["A", "B"], both, both, bounds=SHARE)
    assert (alone.tau.method, together.tau.method) == ("bootstrap", "bootstrap over documents")
    assert (alone.pairs[0].human.method, together.pairs[0].human.method) == ("t", "t over documents")
    assert together.pairs[0].human.p_value > alone.pairs[0].human.p_value
    assert together.systems[0].human.method == "Wilson with t over documents"
