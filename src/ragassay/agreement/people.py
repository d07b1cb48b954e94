"""How far people agree with each other on one task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean

import numpy as np
import numpy.typing as npt

from ragassay.agreement.alpha import alpha_of_counts, ordered_values, table_of
from ragassay.agreement.correlation import spearman
from ragassay.agreement.kappa import Weights, cohen_kappa_of_table, cohen_kappas, fleiss_kappa
from ragassay.agreement.leave_one_out import leave_one_out
from ragassay.agreement.measure import Measure, Measured, defined, undefined
from ragassay.agreement.resampling import Drawn, mean_with_interval, table_with_interval, with_interval
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
    same: Measured
    kappa: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The noise ceiling: how well one person does against the others, on average; no judge can be told to do better.

    accuracy, kappa: of a person against the majority of the others. rank_correlation: Spearman's, of a person with the
    mean of the others; None where values are no numbers. n: items that any of them rests on.
    """

    accuracy: Measured
    kappa: Measured
    rank_correlation: Measured | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongPeople:
    """n_shared: items that two people or more judged; the measures are of those."""

    raters: tuple[str, ...]
    n_items: int
    n_judgements: int
    n_shared: int
    fleiss: Measured
    alpha: Measured
    pairs: tuple[TwoPeople, ...]
    ceiling: Ceiling


def among_people(judgements: Judgements, scale: Scale, *, seed: int = 0) -> AmongPeople:
    """All measures; each None where it is undefined. Intervals are bootstrapped over items.

    Raises ValueError for a value that is not on the scale.
    """
    shared = Judgements({item: values for item, values in judgements.of.items() if len(values) >= 2})
    units = [list(values.values()) for values in shared.of.values()]
    values = ordered_values({value for unit in units for value in unit}, scale.level, scale.values)
    counts = table_of(units, values)

    def fleiss(drawn: Drawn) -> Measure:
        return fleiss_kappa(counts[drawn])

    def alpha(drawn: Drawn) -> Measure:
        return alpha_of_counts(counts[drawn], values, scale.level)

    total = len(judgements.of)
    return AmongPeople(
        raters=judgements.raters,
        n_items=total,
        n_judgements=judgements.n,
        n_shared=len(units),
        fleiss=with_interval(len(units), fleiss, seed=seed, total=total),
        alpha=with_interval(len(units), alpha, seed=seed, total=total),
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
) -> tuple[Measured, Measured]:
    """Share of the same value, and Cohen's kappa, of at least one item."""
    place = {value: number for number, value in enumerate(values)}
    table = np.zeros((len(values), len(values)))
    np.add.at(table, ([place[value] for value in first], [place[value] for value in second]), 1.0)
    hits = [float(a == b) for a, b in zip(first, second, strict=True)]
    return (
        mean_with_interval(hits, bounds=SHARE, total=len(hits), seed=seed),
        table_with_interval(
            table, cohen_kappa_of_table(table, weights), lambda tables: cohen_kappas(tables, weights), seed=seed
        ),
    )


def _ceiling(judgements: Judgements, scale: Scale, seed: int) -> Ceiling:
    """Means over the people of what each reaches against the others."""
    items = list(judgements.of)
    sides = [(judgements.by(rater), judgements.without(rater)) for rater in judgements.raters]
    hits = np.array([_hits(own, others.majorities(), items) for own, others in sides])
    pairs = [_numbers(own, others, items) for own, others in sides] if scale.is_numeric else []

    def accuracy(drawn: Drawn) -> Measure:
        found = hits[:, drawn]
        known = np.isfinite(found)
        shares = [row[counted].mean() for row, counted in zip(found, known, strict=True) if counted.any()]
        n = int(known.any(axis=0).sum())
        return defined(mean(shares), n) if shares else undefined(_NO_MAJORITY if len(sides) > 1 else _ALONE)

    def rank_correlation(drawn: Drawn) -> Measure:
        chosen = [each[:, drawn] for each in pairs]
        known = [np.isfinite(each).all(axis=0) for each in chosen]
        found = [spearman(*each[:, both]) for each, both in zip(chosen, known, strict=True)]
        return _mean_of(found, int(np.any(known, axis=0).sum()))

    def over_items(measure: Callable[[Drawn], Measure]) -> Measured:
        return with_interval(len(items), measure, seed=seed)

    return Ceiling(
        accuracy=over_items(accuracy),
        kappa=leave_one_out(judgements, seed=seed).means.person,
        rank_correlation=over_items(rank_correlation) if scale.is_numeric else None,
    )


def _hits(own: Mapping[str, str], majorities: Mapping[str, str], items: Sequence[str]) -> list[float]:
    """Whether a person says the same as the majority of the others; NaN for items without one of the two."""
    return [float(own[item] == majorities[item]) if item in own and item in majorities else np.nan for item in items]


def _numbers(own: Mapping[str, str], others: Judgements, items: Sequence[str]) -> npt.NDArray[np.float64]:
    """(2, n_items): what a person says, and the mean of the others; NaN where there is no such thing."""
    theirs = {item: mean(map(float, values.values())) for item, values in others.of.items()}
    return np.array([[float(own.get(item, np.nan)) for item in items], [theirs.get(item, np.nan) for item in items]])


def _mean_of(measures: Sequence[Measure], n: int) -> Measure:
    values = [each.value for each in measures if each.value is not None]
    if values:
        return defined(mean(values), n)
    return undefined(next((each.reason for each in measures if each.reason), _ALONE), n)
