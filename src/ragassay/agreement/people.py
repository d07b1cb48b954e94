"""How far people agree with each other on one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
import numpy.typing as npt

from ragassay.agreement.correlation import guarded, pairs_of, spearman_of
from ragassay.agreement.leave_one_out import leave_one_out
from ragassay.agreement.measure import Measure, MeasureEstimate, defined, undefined
from ragassay.agreement.raters import (
    Weights,
    cells,
    cohen_kappa_of,
    cohen_kappas,
    fleiss_kappa_of,
    krippendorff_alpha_of,
    ordered_values,
    table_of,
)
from ragassay.agreement.resampling import Drawn, counts_with_interval, mean_with_interval, with_interval, with_intervals
from ragassay.agreement.scales import Scale
from ragassay.agreement.tables import Judgements
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
    shared = Judgements({item: values for item, values in judgements.of.items() if len(values) >= 2})
    units = [list(values.values()) for values in shared.of.values()]
    values = ordered_values({value for unit in units for value in unit}, scale.level, scale.values)
    table = table_of(units, values)

    def of(drawn: Drawn) -> tuple[Measure, Measure]:
        counts = table.counts(drawn)
        return fleiss_kappa_of(table, counts), krippendorff_alpha_of(table, counts, values, scale.level)

    total = len(judgements.of)
    fleiss, alpha = with_intervals(len(units), of, seed=seed, total=total)
    return AmongPeople(
        raters=judgements.raters,
        n_items=total,
        n_judgements=judgements.n,
        n_shared=len(units),
        fleiss=fleiss,
        alpha=alpha,
        pairs=tuple(_pairs(judgements, scale, seed)),
        ceiling=_ceiling(judgements, scale, seed),
    )


def _pairs(judgements: Judgements, scale: Scale, seed: int) -> list[TwoPeople]:
    weights: Weights = "quadratic" if scale.is_numeric else "none"
    found = []
    for first, second in combinations(judgements.raters, 2):
        one, other = judgements.by(first), judgements.by(second)
        items = [item for item in one if item in other]
        if items:
            values = scale.values or sorted({side[item] for side in (one, other) for item in items})
            same, kappa = _of_two([one[item] for item in items], [other[item] for item in items], values, weights, seed)
            found.append(TwoPeople(first=first, second=second, n=len(items), same=same, kappa=kappa))
    return found


def _of_two(
    first: Sequence[str], second: Sequence[str], values: Sequence[str], weights: Weights, seed: int
) -> tuple[MeasureEstimate, MeasureEstimate]:
    table = cells(first, second, values)
    hits = [float(a == b) for a, b in zip(first, second, strict=True)]
    kappa = cohen_kappa_of(table, weights)
    return (
        mean_with_interval(hits, bounds=SHARE, total=len(hits)),
        counts_with_interval(table.counts, kappa, lambda counts: cohen_kappas(table, counts, weights), seed=seed),
    )


def _ceiling(judgements: Judgements, scale: Scale, seed: int) -> Ceiling:
    return Ceiling(
        accuracy=_accuracy(judgements, seed),
        kappa=leave_one_out(judgements, seed=seed).means.person,
        rank_correlation=_rank_correlation(judgements, seed) if scale.is_numeric else None,
    )


def _accuracy(judgements: Judgements, seed: int) -> MeasureEstimate:
    place = {item: number for number, item in enumerate(judgements.of)}
    sides: list[tuple[Drawn, npt.NDArray[np.bool_]]] = []
    for rater in judgements.raters:
        own, theirs = judgements.by(rater), judgements.majorities_of_others(rater)
        hits = np.array([own[item] == theirs[item] for item in theirs], dtype=np.bool_)
        sides.append((np.array([place[item] for item in theirs], dtype=np.int64), hits))
    counted = np.isin(np.arange(len(place)), [each for items, _ in sides for each in items])

    def accuracy(drawn: Drawn) -> Measure:
        times = np.bincount(drawn, minlength=len(place))
        found = [(int(times[items].sum()), int(times[items[hits]].sum())) for items, hits in sides]
        shares = [right / n for n, right in found if n]
        n = int(times[counted].sum())
        return defined(fmean(shares), n) if shares else undefined(_NO_MAJORITY if len(sides) > 1 else _ALONE)

    return with_interval(len(place), accuracy, seed=seed)


def _rank_correlation(judgements: Judgements, seed: int) -> MeasureEstimate:
    place = {item: number for number, item in enumerate(judgements.of)}
    sides, columns = [], []
    for rater in judgements.raters:
        own = judgements.by(rater)
        theirs = {item: fmean(map(float, said)) for item, said in judgements.of_others(rater).items() if said}
        column = np.array([float(own[item]) for item in theirs]), np.array(list(theirs.values()))
        columns.append(column)
        sides.append((np.array([place[item] for item in theirs], dtype=np.int64), pairs_of(*column)))
    counted = np.isin(np.arange(len(place)), [each for items, _ in sides for each in items])

    def rank_correlation(drawn: Drawn) -> Measure:
        times = np.bincount(drawn, minlength=len(place))
        found = [spearman_of(pairs, pairs.weighted(times[items])) for items, pairs in sides]
        return _mean_of(found, int(times[counted].sum()))

    found = with_interval(len(place), rank_correlation, seed=seed)
    return guarded(found, [each for column in columns for each in column if len(each) > 1], found.n)


def _mean_of(measures: Sequence[Measure], n: int) -> Measure:
    values = [each.value for each in measures if each.value is not None]
    if values:
        return defined(fmean(values), n)
    return undefined(next((each.reason for each in measures if each.reason), _ALONE), n)
