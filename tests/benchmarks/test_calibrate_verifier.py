"""Calibration of the verifier on made-up odds, worked by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from calibrate_verifier import Scored, fitted


def groups(*given: tuple[float, int, int]) -> Scored:
    """Claims by groups of one log-odds: (odds, right, wrong)."""
    odds = [each for each, right, wrong in given for _ in range(right + wrong)]
    right = [one for _, right, wrong in given for one in [True] * right + [False] * wrong]
    return Scored(np.array(["number"] * len(odds)), np.array(odds), np.array(right))


@pytest.mark.parametrize(
    ("given", "scale", "shift"),
    [
        # the two groups' own shares, 3/4 and 1/4, have the log-odds ln 3 and -ln 3
        ([(1.0, 7500, 2500), (-1.0, 2500, 7500)], math.log(3), 0.0),
        # -ln 3 at 0 and ln 3 at 1: a rise of 2 ln 3 from -ln 3
        ([(0.0, 2500, 7500), (1.0, 7500, 2500)], 2 * math.log(3), -math.log(3)),
        # calibrated as they are: ln 4 and ln 1 have the shares 4/5 and 1/2
        ([(math.log(4), 8000, 2000), (0.0, 5000, 5000)], 1.0, 0.0),
    ],
)
def test_scale_and_shift_give_each_group_its_share(
    given: Sequence[tuple[float, int, int]], scale: float, shift: float
) -> None:
    found = fitted(groups(*given))
    assert (found.scale, found.shift) == pytest.approx((scale, shift), abs=6e-5)  # rounded to four places


def test_the_threshold_is_where_balanced_accuracy_is_best() -> None:
    scores = groups((-2.0, 100, 500), (0.0, 400, 400), (2.0, 500, 100))
    found = fitted(scores)
    assert found.shift == pytest.approx(0.0, abs=1e-4)  # the groups mirror each other
    p = 1 / (1 + np.exp(-found.scale * np.array([-2.0, 0.0, 2.0])))
    # cut at 0: 900 of 1000 right and 500 of 1000 wrong; cut at 2: 500 and 900. Both 0.7, and the lower cut comes first
    assert p[0] < found.threshold <= p[1]


def test_a_cut_that_is_rounded_keeps_its_own_group() -> None:
    # 2/3 and 1/3: a cut at 0.667 would leave out the claims of 0.66667 that it was taken from
    found = fitted(groups((1.0, 20000, 10000), (-1.0, 10000, 20000)))
    assert found.scale == pytest.approx(math.log(2), abs=6e-5)
    assert 1 / 3 < found.threshold <= 2 / 3
