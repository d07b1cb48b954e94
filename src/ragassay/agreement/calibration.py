"""Above which number of a judge's would people keep an item?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.agreement.kappa import cohen_kappa
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
    wanted = [_most_keep(list(people.of[item].values()), kept_from) for item in items]
    numbers = [float(judge[item]) for item in items]
    thresholds = tuple(_at(value, numbers, wanted) for value in sorted(set(numbers))[1:])
    usable = [each for each in thresholds if each.agreement.value is not None and each.agreement.value > 0]
    return Advice(
        n=len(items),
        people_keep=sum(wanted) / len(wanted) if wanted else None,
        thresholds=thresholds,
        best=max(usable, key=lambda each: (each.agreement.value or 0.0, -each.value), default=None),
    )


def _most_keep(values: Sequence[str], kept_from: float) -> bool:
    return 2 * sum(float(value) >= kept_from for value in values) > len(values)


def _at(value: float, numbers: Sequence[float], wanted: Sequence[bool]) -> Threshold:
    kept = [number >= value for number in numbers]
    return Threshold(
        value=value,
        kept=sum(kept) / len(kept),
        agreement=cohen_kappa([str(each) for each in kept], [str(each) for each in wanted]),
        wrongly_kept=sum(its and not theirs for its, theirs in zip(kept, wanted, strict=True)),
        wrongly_dropped=sum(theirs and not its for its, theirs in zip(kept, wanted, strict=True)),
    )
