"""What people prefer of two, how they rank several, and how they rate from 0 to 5 (RAGEval, document quality)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from ragassay.agreement.measure import MeasureEstimate, mean_with_interval
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.aggregate import SHARE

_POINTS = {"first": 1.0, "second": 0.0}
"""Of the first of two; half of what there is where neither is better."""


class Places(NamedTuple):
    """Of one way among several. mean: its mean place, from 1. shares: of each place, the first first; ties share."""

    mean: MeasureEstimate
    shares: tuple[MeasureEstimate, ...]


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


def places(judgements: Judgements) -> dict[str, Places]:
    """Name to its places among three or more ways (RAGEval, document quality), best first; none of two ways.

    Who compared every two versions of a subject has ranked them, by wins; those that tie share their places. A subject
    counts once, with the mean over those who ranked it.
    """
    points: dict[str, dict[str, dict[tuple[str, str], float]]] = {}
    for item, values in judgements.of.items():
        subject, _, names = item.rpartition("@")
        first, _, second = names.partition("|")
        for rater, value in values.items():
            points.setdefault(subject, {}).setdefault(rater, {})[first, second] = _POINTS.get(value, 0.5)
    rankings = [
        [shares for compared in by_rater.values() for shares in _ranked(compared)] for by_rater in points.values()
    ]
    most = max((len(shares) for ranked in rankings for shares in ranked), default=0)
    found: dict[str, list[list[float]]] = {}
    for ranked in rankings:
        whole = [shares for shares in ranked if len(shares) == most]  # of a subject without a version of each way, none
        for name in dict.fromkeys(name for shares in whole for name in shares):
            of_name = [shares[name] for shares in whole if name in shares]
            found.setdefault(name, []).append([fmean(each) for each in zip(*of_name, strict=True)])
    made = {name: _places(rows) for name, rows in found.items()}
    return dict(sorted(made.items(), key=lambda each: (each[1].mean.value or 0.0, each[0])))


def _ranked(compared: dict[tuple[str, str], float]) -> Iterator[dict[str, list[float]]]:
    """Name to its share of each place; nothing where not every two of three or more were compared."""
    names = list(dict.fromkeys(name for pair in compared for name in pair))
    pairs = {frozenset(pair) for pair in compared}
    if len(names) < 3 or any(frozenset(pair) not in pairs for pair in combinations(names, 2)):
        return
    wins = dict.fromkeys(names, 0.0)
    for (first, second), points in compared.items():
        wins[first] += points
        wins[second] += 1 - points
    shares = {}
    for name, won in wins.items():
        before = sum(other > won for other in wins.values())
        tied = sum(other == won for other in wins.values())
        shares[name] = [1 / tied if before <= place < before + tied else 0.0 for place in range(len(names))]
    yield shares


def _places(rows: list[list[float]]) -> Places:
    most = len(rows[0])
    means = [sum(place * share for place, share in enumerate(row, 1)) for row in rows]
    return Places(
        mean_with_interval(means, bounds=(1, most), total=len(rows)),
        tuple(mean_with_interval([row[at] for row in rows], bounds=SHARE, total=len(rows)) for at in range(most)),
    )


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
