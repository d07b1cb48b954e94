"""How many configurations the questions do not tell from the best one, and how many questions would."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.significance import holm, randomisation_p_values
from ragassay.sweep.configuration import Configuration

Values = npt.NDArray[np.float64]

LEVEL = 0.05
"""p-value, adjusted over all others (Holm), from which two configurations are not told apart."""
SEEN = 0.05
"""Difference of a share that ``needed`` questions would show."""
_POWER = NormalDist().inv_cdf(0.8)
"""A difference is seen in four of five cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """tied: other configurations that the questions do not tell from the best. others: how many there are.

    cheapest: of the best and the tied ones the one that costs least: the smallest chunks, which are what a generator
    reads; then lexical search, then vectors alone. questions: how many were looked at. needed: about how many would
    show a difference of ``SEEN``, from the spread of the differences; None where all tied ones give the same values.
    """

    tied: int
    others: int
    cheapest: Configuration
    questions: int
    needed: int | None


def ties_of(best: Configuration, values: Mapping[Configuration, Values], *, seed: int) -> Ties:
    """values: of each configuration on the same questions, the best one among them."""
    others = [each for each in values if each != best]
    differences = np.zeros((len(values[best]), 0))
    if others:
        differences = np.column_stack([values[each] - values[best] for each in others])
    adjusted = holm(randomisation_p_values(differences, seed=seed)) if others else []
    tied = [place for place, p_value in enumerate(adjusted) if p_value >= LEVEL]
    spreads = [float(np.nanstd(differences[:, place], ddof=1)) for place in tied if len(differences) > 1]
    spread = float(np.median([each for each in spreads if each > 0])) if any(each > 0 for each in spreads) else 0.0
    return Ties(
        tied=len(tied),
        others=len(others),
        cheapest=min([best, *(others[place] for place in tied)], key=_cost),
        questions=int((~np.isnan(values[best])).sum()),
        needed=math.ceil(((_level(len(others)) + _POWER) * spread / SEEN) ** 2) if spread > 0 else None,
    )


def _level(tests: int) -> float:
    """Of the hardest of so many two-sided tests at ``LEVEL`` together (Bonferroni)."""
    return NormalDist().inv_cdf(1 - LEVEL / (2 * tests))


def _cost(configuration: Configuration) -> tuple[float, int, float]:
    ends = {1.0: 0, 0.0: 1}
    return configuration.chunk_size, ends.get(configuration.text_weight, 2), configuration.text_weight
