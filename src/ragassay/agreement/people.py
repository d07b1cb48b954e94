"""How far people agree with each other on one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from ragassay.agreement.correlation import guarded, spearman
from ragassay.agreement.leave_one_out import leave_one_out, sides_of
from ragassay.agreement.measure import (
    Drawn,
    Measure,
    MeasureEstimate,
    defined,
    mean_with_interval,
    undefined,
    with_interval,
    with_intervals,
)
from ragassay.agreement.raters import alpha_of_table, cohen_kappa, fleiss_kappa, ordered_values, table_of
from ragassay.agreement.tables import Judgements, Scale
from ragassay.evaluation.aggregate import SHARE

_ALONE = "no item was judged by two people"
_NO_MAJORITY = "on no item do the other people have a majority"


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPeople:
    """Two people on the items that both judged.

    same: share to which they gave the same value. kappa: Cohen's, with quadratic weights where values have an order.
    """

    first: str
    second: str
    n: int
    same: MeasureEstimate
    kappa: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The noise ceiling: how well one person does against the others, on average; no judge can be told to do better.

    accuracy, kappa: of a person against the majority of the others. rank_correlation: Spearman's, of a person with the
    mean of the others; None where values are no numbers. n: items that any of them rests on.
    """

    accuracy: MeasureEstimate
    kappa: MeasureEstimate
    rank_correlation: MeasureEstimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongPeople:
    """n_shared: items that two people or more judged; the measures are of those."""

    raters: tuple[str, ...]
    n_items: int
    n_judgements: int
    n_shared: int
    fleiss: MeasureEstimate
    alpha: MeasureEstimate
    pairs: tuple[TwoPeople, ...]
    ceiling: Ceiling


def among_people(judgements: Judgements, scale: Scale, *, seed: int = 0) -> AmongPeople:
    """All measures; each None where it is undefined. Intervals are bootstrapped over items.

    Raises ValueError for a value that is not on the scale.
    """
    units = [list(values.values()) for values in judgements.of.values() if len(values) >= 2]
    values = ordered_values({value for unit in units for value in unit}, scale.level, scale.values)
    table, total = table_of(units, values), len(judgements.of)

    def of(drawn: Drawn) -> tuple[Measure, Measure]:
        return fleiss_kappa(table[drawn]), alpha_of_table(table[drawn], values, scale.level)

    fleiss, alpha = with_intervals(len(units), of, seed=seed, total=total)
    return AmongPeople(
        raters=judgements.raters,
        n_items=total,
        n_judgements=judgements.n,
        n_shared=len(units),
        fleiss=fleiss,
        alpha=alpha,
        pairs=tuple(_pairs(judgements, scale, seed)),
        ceiling=Ceiling(
            accuracy=_accuracy(judgements, seed),
            kappa=leave_one_out(judgements, seed=seed).means.person,
            rank_correlation=_rank_correlation(judgements, seed) if scale.is_numeric else None,
        ),
    )


def _pairs(judgements: Judgements, scale: Scale, seed: int) -> list[TwoPeople]:
    found = []
    for first, second in combinations(judgements.raters, 2):
        one, other = judgements.by(first), judgements.by(second)
        items = [item for item in one if item in other]
        if items:
            values = scale.values or sorted({side[item] for side in (one, other) for item in items})
            a, b = (np.array([values.index(side[item]) for item in items]) for side in (one, other))
            found.append(
                TwoPeople(
                    first=first,
                    second=second,
                    n=len(items),
                    same=mean_with_interval((a == b).astype(np.float64).tolist(), bounds=SHARE, total=len(items)),
                    kappa=_kappa(a, b, len(values), scale.is_numeric, seed),
                )
            )
    return found


def _kappa(one: Drawn, other: Drawn, n_values: int, is_ordered: bool, seed: int) -> MeasureEstimate:
    def kappa(drawn: Drawn) -> Measure:
        return cohen_kappa(one[drawn], other[drawn], n_values, is_ordered=is_ordered)

    return with_interval(len(one), kappa, seed=seed)


def _accuracy(judgements: Judgements, seed: int) -> MeasureEstimate:
    sides = sides_of(judgements)
    counted = np.logical_or.reduce([side.counts for side in sides])

    def accuracy(drawn: Drawn) -> Measure:
        placed = [(side, side.among(drawn)) for side in sides]
        shares = [float((side.own[items] == side.theirs[items]).mean()) for side, items in placed if len(items)]
        if not shares:
            return undefined(_NO_MAJORITY if len(sides) > 1 else _ALONE)
        return defined(fmean(shares), int(counted[drawn].sum()))

    return with_interval(len(judgements.of), accuracy, seed=seed)


def _rank_correlation(judgements: Judgements, seed: int) -> MeasureEstimate:
    """Of each person with the mean of the others; NaN where there is none of either."""
    columns = []
    for rater in judgements.raters:
        own, others = judgements.by(rater), judgements.of_others(rater)
        theirs = {item: fmean(map(float, said)) for item, said in others.items() if said}
        pairs = [(float(own[item]), theirs[item]) if item in theirs else (np.nan, np.nan) for item in judgements.of]
        columns.append(np.array(pairs).T)

    def rank_correlation(drawn: Drawn) -> Measure:
        there = [~np.isnan(own[drawn]) for own, _ in columns]
        found = [
            spearman(own[drawn][known], theirs[drawn][known])
            for (own, theirs), known in zip(columns, there, strict=True)
        ]
        return _mean_of(found, int(np.logical_or.reduce(there).sum()))

    found = with_interval(len(judgements.of), rank_correlation, seed=seed)
    shown = [each[~np.isnan(each)] for column in columns for each in column]
    return guarded(found, [each for each in shown if len(each) > 1], found.n)


def _mean_of(measures: Sequence[Measure], n: int) -> Measure:
    values = [each.value for each in measures if each.value is not None]
    if values:
        return defined(fmean(values), n)
    return undefined(next((each.reason for each in measures if each.reason), _ALONE), n)
