"""What people prefer of two, and how they rate from 0 to 5 (RAGEval, document quality)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple

from ragassay.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.aggregate import SHARE

_POINTS = {"first": 1.0, "second": 0.0}
"""Of the first of two; half of what there is where neither is better."""


def preferred(judgements: Judgements) -> dict[str, MeasureEstimate]:
    """Name to the share of its comparisons that it wins, ties half, in [0, 1]; the best first.

    Items are ``SUBJECT@FIRST|SECOND``; others have no names and are left out. An item counts once: the mean over those
    who judged it.
    """
    wins: dict[str, list[float]] = {}
    for item, values in judgements.of.items():
        names = item.rpartition("@")[2].split("|")
        if "@" not in item or len(names) != 2:
            continue
        first = fmean(_POINTS.get(value, 0.5) for value in values.values())
        for name, share in zip(names, (first, 1 - first), strict=True):
            wins.setdefault(name, []).append(share)
    found = {name: mean_with_interval(shares, bounds=SHARE, total=len(shares)) for name, shares in wins.items()}
    return dict(sorted(found.items(), key=lambda each: (-(each[1].value or 0.0), each[0])))


GOOD = 4
"""A rating of 4 or 5 is of something that can be used as it stands."""
_SCALE = (0.0, 5.0)
ALL = "all"


class Rated(NamedTuple):
    """Of the items of one group. mean: in [0, 5]; good: share of ratings of 4 and 5, in [0, 1]."""

    mean: MeasureEstimate
    good: MeasureEstimate


def ratings(judgements: Judgements, groups: Mapping[str, str]) -> dict[str, Rated]:
    """Group to what people gave its items, all of them first. An item counts once, with the mean of its judgements.

    groups: item to its group; items without one are of no group.
    """
    members = {ALL: list(judgements.of)}
    for name in sorted({groups[item] for item in judgements.of if groups.get(item)}):
        members[name] = [item for item in judgements.of if groups.get(item) == name]
    given = {item: [int(value) for value in values.values()] for item, values in judgements.of.items()}
    return {
        name: Rated(
            mean_with_interval([fmean(given[item]) for item in items], bounds=_SCALE, total=len(items)),
            mean_with_interval(
                [fmean(value >= GOOD for value in given[item]) for item in items], bounds=SHARE, total=len(items)
            ),
        )
        for name, items in members.items()
        if name == ALL or len(members) > 2
    }
