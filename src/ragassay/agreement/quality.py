"""What people's ratings from 0 to 5 come to: means and shares of good ones, by group (RAGEval, document quality)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple

from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.resampling import mean_with_interval
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.aggregate import SHARE

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
