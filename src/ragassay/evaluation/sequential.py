"""A mean that may be looked at as often as one likes: confidence sequences by betting, and when to stop asking.

Source: Waudby-Smith and Ramdas 2023 (JRSS B), hedged capital with predictable bets, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Verdict = Literal["better", "worse", "no difference that matters", "undecided"]
_GRID = 2_001
_MOST_BET = 0.75
"""Share of the capital that a bet may cost at most."""
LEVEL = 0.05


def confidence_sequence(values: FloatArray, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return where the mean lies, with 95 % certainty however often and whenever one looks.

    values: (n,) float64 within bounds, in the random order in which they came. The interval is that of all looks
    together: it never grows.
    """
    low, high = bounds
    x = (np.asarray(values, np.float64) - low) / (high - low)
    means = np.linspace(0, 1, _GRID)
    up, down = np.zeros(_GRID), np.zeros(_GRID)
    inside = np.ones(_GRID, dtype=np.bool_)
    total, squares = 0.5, 0.25
    with np.errstate(divide="ignore"):
        most_up, most_down = _MOST_BET / means, _MOST_BET / (1 - means)
    for t, value in enumerate(x, 1):
        bet = sqrt(2 * log(2 / LEVEL) / (squares * log(t + 1)))
        up += np.log1p(np.minimum(bet, most_up) * (value - means))
        down += np.log1p(-np.minimum(bet, most_down) * (value - means))
        inside &= np.maximum(up, down) < log(2 / LEVEL)
        total += value
        squares += (value - total / (t + 1)) ** 2
    places = np.flatnonzero(inside)
    if not len(places):  # no mean is compatible with all looks: one in twenty such sequences
        centre = float(x.mean())
        return (low + (high - low) * centre,) * 2
    step = 1 / (_GRID - 1)
    first, last = max(0.0, means[places[0]] - step), min(1.0, means[places[-1]] + step)
    return low + (high - low) * float(first), low + (high - low) * float(last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a comparison came to, and after how many of the questions that there are.

    difference: mean of the new less the old, with the anytime-valid 95 % interval. margin: what does not matter.
    """

    metric: str
    against: str
    verdict: Verdict
    difference: float
    low: float
    high: float
    margin: float
    asked: int
    total: int


def verdict_of(low: float, high: float, margin: float, *, higher_is_better: bool = True) -> Verdict:
    """Say what an interval of the difference decides; "undecided" where it decides nothing yet."""
    if low > 0 or high < 0:
        return "better" if (low > 0) == higher_is_better else "worse"
    return "no difference that matters" if -margin < low and high < margin else "undecided"
