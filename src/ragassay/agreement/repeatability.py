"""Two successive runs of one judge: how far do their values differ?

Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), reproducibility.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.agreement.check_values import Values
from ragassay.agreement.correlation import pearson
from ragassay.agreement.measure import with_interval
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """One metric in two runs.

    pearson: of the values of both runs. difference: mean absolute difference, in the units of the metric. same: share
    of items with the same value. All over what has a value in both runs; sides of pairs count singly.
    """

    quality: str
    metric: str
    aspect: str
    pearson: Estimate
    difference: Estimate
    same: Estimate


def repeatability(quality: str, first: Sequence[Values], second: Sequence[Values], *, seed: int = 0) -> list[Repeated]:
    """One row for each scorer. first, second: of the same items, scorers in the same order."""
    return [_repeated(quality, one, other, seed) for one, other in zip(first, second, strict=True)]


def _repeated(quality: str, first: Values, second: Values, seed: int) -> Repeated:
    pairs = [
        (one, other)
        for side, again in zip(first.sides, second.sides, strict=True)
        for one, other in zip(side, again, strict=True)
    ]
    differences = [None if one is None or other is None else abs(one - other) for one, other in pairs]
    both = np.array([(one, other) for one, other in pairs if one is not None and other is not None]).reshape(-1, 2)
    return Repeated(
        quality=quality,
        metric=first.scorer,
        aspect=first.aspect,
        pearson=with_interval(
            len(both), lambda drawn: pearson(both[drawn, 0], both[drawn, 1]), seed=seed, total=len(pairs)
        ),
        difference=estimate(differences, bounds=None),
        same=estimate([None if each is None else float(each == 0) for each in differences]),
    )
