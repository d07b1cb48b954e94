"""Above which number of a judge's would people keep an item?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.agreement.kappa import cohen_kappa_of_table
from ragassay.agreement.measure import Measure
from ragassay.agreement.tables import Judgements

KEPT_FROM = 4
"""The rating from which people are taken to keep an item: "good" on the scale from 1 to 5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """kept: share of the items that the judge keeps. agreement: Cohen's kappa of what it and what people would keep.

    wrongly_kept, wrongly_dropped: items on which the two differ.
    """

    value: float
    kept: float
    agreement: Measure
    wrongly_kept: int
    wrongly_dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to set a threshold to.

    thresholds: all that make a difference, in their order. best: the one that agrees best with people, the lowest of
    several; None where none agrees better than chance. people_keep: share of the items that people would keep.
    """

    n: int
    people_keep: float | None
    thresholds: tuple[Threshold, ...]
    best: Threshold | None


def advise(people: Judgements, judge: Mapping[str, str], *, kept_from: float = KEPT_FROM) -> Advice:
    """The threshold on a judge's number that keeps what people would keep.

    people: numbers; most of them have to be at least ``kept_from`` for an item to be kept, and with as many below it is
    not. judge: item to number. A judge keeps what is at or above its threshold.
    """
    items = [item for item in people.of if item in judge]
    wanted = np.array([_most_keep(list(people.of[item].values()), kept_from) for item in items], dtype=np.bool_)
    values, place = np.unique([float(judge[item]) for item in items], return_inverse=True)
    n_of_value = np.bincount(place, minlength=len(values))
    n_wanted = np.bincount(place[wanted], minlength=len(values))
    # Of each value and all above it: how many the judge would keep, and how many of these people would.
    kept, both = n_of_value[::-1].cumsum()[::-1], n_wanted[::-1].cumsum()[::-1]
    thresholds = tuple(
        _at(float(values[number]), int(kept[number]), int(both[number]), int(wanted.sum()), len(items))
        for number in range(1, len(values))
    )
    usable = [each for each in thresholds if each.agreement.value is not None and each.agreement.value > 0]
    return Advice(
        n=len(items),
        people_keep=float(wanted.mean()) if items else None,
        thresholds=thresholds,
        best=max(usable, key=lambda each: (each.agreement.value or 0.0, -each.value), default=None),
    )


def _most_keep(values: Sequence[str], kept_from: float) -> bool:
    return 2 * sum(float(value) >= kept_from for value in values) > len(values)


def _at(value: float, kept: int, both: int, wanted: int, n: int) -> Threshold:
    """kept, wanted, both: how many of n items the judge keeps at this threshold, people would keep, and both."""
    return Threshold(
        value=value,
        kept=kept / n,
        agreement=cohen_kappa_of_table([[both, kept - both], [wanted - both, n - kept - wanted + both]]),
        wrongly_kept=kept - both,
        wrongly_dropped=wanted - both,
    )
