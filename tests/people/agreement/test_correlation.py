from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from ragassay.people.agreement.correlation import (
    auroc,
    kendall,
    normal_interval,
    pair_wins,
    pearson,
    placements,
    ranks,
    spearman,
)
from ragassay.people.agreement.measure import Measure, defined, undefined, with_interval

SMALL = st.integers(-3, 3).map(float)
COLUMNS = st.lists(st.tuples(SMALL, SMALL), min_size=3, max_size=30)


def test_correlations_by_hand() -> None:
    # Deviations from the means 2 and 2: (-1, 0, 1) and (-1, 1, 0): 1 / sqrt(2 x 2).
    assert pearson([1, 2, 3], [1, 3, 2]).value == pytest.approx(0.5)
    # Three pairs of items: (1, 2) and (1, 3) in the same order, (2, 3) in the other: (2 - 1) / 3.
    assert kendall([1, 2, 3], [1, 3, 2]).value == pytest.approx(1 / 3)
    assert spearman([1, 20, 300], [1, 3, 2]).value == pytest.approx(0.5)
    assert ranks(np.array([5.0, 1.0, 5.0])).tolist() == [2.5, 1.0, 2.5]


@given(COLUMNS)
def test_correlations_are_those_of_scipy(rows: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*rows, strict=True))
    if len(set(first)) == 1 or len(set(second)) == 1:
        for measure in (pearson, spearman, kendall):
            assert measure(first, second) == undefined("all values in one column are equal", len(rows))
        return
    assert pearson(first, second).value == pytest.approx(scipy.stats.pearsonr(first, second)[0], abs=1e-9)
    assert spearman(first, second).value == pytest.approx(scipy.stats.spearmanr(first, second)[0], abs=1e-9)
    assert kendall(first, second).value == pytest.approx(scipy.stats.kendalltau(first, second)[0], abs=1e-9)


def test_the_normal_interval_by_hand() -> None:
    # atanh(0.5) = 0.5493; 1.96 times the root of 1.06 / 25 = 0.4036: tanh(0.1457) and tanh(0.9529)
    assert normal_interval(0.5, 28) == pytest.approx((0.1447, 0.7412), abs=1e-3)
    assert normal_interval(0.9, 3) == (-1, 1)
    assert normal_interval(1.0, 10) == (1, 1)


def test_auroc_by_hand() -> None:
    # Good 0.9 and 0.5, bad 0.5 and 0.1: of four pairs three are right and one is a tie: 3.5 / 4.
    assert auroc([0.9, 0.5, 0.5, 0.1], [True, True, False, False]) == Measure(0.875, 4)
    assert auroc([0.9, 0.5], [True, True]) == undefined("all 2 items are good", 2)
    with pytest.raises(ValueError, match="one class for each score"):
        auroc([0.9], [True, False])


@given(COLUMNS)
def test_auroc_is_mann_whitneys_u(rows: list[tuple[float, float]]) -> None:
    scores, good = [score for score, _ in rows], [value > 0 for _, value in rows]
    if len(set(good)) == 1:
        assert auroc(scores, good).value is None
        return
    positive = [score for score, is_good in zip(scores, good, strict=True) if is_good]
    negative = [score for score, is_good in zip(scores, good, strict=True) if not is_good]
    u = scipy.stats.mannwhitneyu(positive, negative).statistic
    assert auroc(scores, good).value == pytest.approx(u / (len(positive) * len(negative)))
    assert len(placements(scores, good)) == min(len(positive), len(negative))
    assert np.mean(placements(scores, good)) == pytest.approx(u / (len(positive) * len(negative)))


def test_a_tie_is_half_a_pair() -> None:
    assert pair_wins([0.7, 0.2, 0.5], [0.1, 0.4, 0.5]) == [1.0, 0.0, 0.5]


def test_no_interval_where_most_resamples_are_undefined() -> None:
    found = with_interval(4, lambda drawn: defined(1.0, 4) if len(set(drawn.tolist())) == 4 else undefined("few"))
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert with_interval(0, lambda drawn: defined(1.0, 0), total=3).value is None
