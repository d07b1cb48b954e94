"""A mean that may be looked at as often as one likes: confidence sequences by betting, and when to stop asking.

Source: Waudby-Smith and Ramdas 2023 (JRSS B), hedged capital with predictable bets, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def intervals(values: FloatArray, bounds: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yield after each value where the mean lies, with 95 % certainty for all of these intervals together.

    values: (n,) float64 within bounds, in the random order in which they came. No interval is wider than one before it.
    """
    low, high = bounds
    means = np.linspace(0, 1, _GRID)
    up, down = np.zeros(_GRID), np.zeros(_GRID)
    first, last = 0, _GRID - 1
    total, squares = 0.5, 0.25
    with np.errstate(divide="ignore"):
        most_up, most_down = _MOST_BET / means, _MOST_BET / (1 - means)
    for t, value in enumerate(((np.asarray(values, np.float64) - low) / (high - low)).tolist(), 1):
        bet = sqrt(2 * log(2 / LEVEL) / (squares * log(t + 1)))
        up += np.log1p(np.minimum(bet, most_up) * (value - means))
        down += np.log1p(-np.minimum(bet, most_down) * (value - means))
        total += value
        squares += (value - total / (t + 1)) ** 2
        inside = np.flatnonzero(np.maximum(up, down) < log(2 / LEVEL))
        if len(inside):
            first, last = max(first, int(inside[0])), min(last, int(inside[-1]))
        if first > last or not len(inside):  # no mean is compatible with all: one in twenty such sequences at most
            first = last = round(float(total / (t + 1)) * (_GRID - 1))
        least, most = max(first - 1, 0) / (_GRID - 1), min(last + 1, _GRID - 1) / (_GRID - 1)
        yield low + (high - low) * least, low + (high - low) * most


def confidence_sequence(values: FloatArray, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the last of ``intervals``: where the mean lies, however often one has looked. values: at least one."""
    return [bounds, *intervals(values, bounds)][-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a comparison came to, and after how many of the questions that there are.

    difference: mean of the new less the old, with the anytime-valid 95 % interval. margin: what does not matter.
    total: questions of the set that both runs hold.
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


def next_look(asked: int) -> int:
    """Return after how many questions to look again: a quarter more, so that 10 000 questions take 26 looks."""
    return asked + max(20, asked // 4)


def verdict_of(low: float, high: float, margin: float, *, higher_is_better: bool = True) -> Verdict:
    """Say what an interval of the difference decides; "undecided" where it decides nothing yet."""
    if low > 0 or high < 0:
        return "better" if (low > 0) == higher_is_better else "worse"
    return "no difference that matters" if -margin < low and high < margin else "undecided"
