"""How many configurations the questions do not tell from the best one, and how many questions would."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import SHARE
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.paired import Differences
from ragassay.evaluation.significance import holm
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


def ties_of(best: Configuration, values: Mapping[Configuration, Values], clusters: Clusters | None = None) -> Ties:
    """values: of each configuration on the same questions, the best one among them. clusters: of the questions."""
    others = [each for each in values if each != best]
    apart = [(values[each] - values[best])[:, None] for each in others]
    differences = Differences(np.hstack([np.zeros((len(values[best]), 0)), *apart]), [SHARE] * len(others), clusters)
    tied = [place for place, p_value in enumerate(holm(differences.p_values())) if p_value >= LEVEL]
    # of one question: where those of a document hang together, more of them are needed
    spreads = np.sqrt(differences.spread.variance * differences.spread.n)[tied]
    spread = float(np.median(spreads[spreads > 0])) if (spreads > 0).any() else 0.0
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
