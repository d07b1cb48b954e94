"""How far people agree with each other on one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean

from ragassay.agreement.alpha import alpha_of_counts, ordered_values, table_of
from ragassay.agreement.correlation import spearman
from ragassay.agreement.kappa import cohen_kappa, fleiss_kappa
from ragassay.agreement.leave_one_out import leave_one_out, mean_of
from ragassay.agreement.measure import Measure
from ragassay.agreement.resampling import Drawn, with_interval
from ragassay.agreement.scales import Scale
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPeople:
    """Two people on the items that both judged.

    same: share to which they gave the same value. kappa: Cohen's, with quadratic weights where values have an order.
    """

    first: str
    second: str
    n: int
    same: float
    kappa: Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The noise ceiling: how well one person does against the others, on average; no judge can be told to do better.

    accuracy, kappa: of a person against the majority of the others. rank_correlation: Spearman's, of a person with the
    mean of the others, where values are numbers. None where that cannot be worked out.
    """

    accuracy: float | None
    kappa: float | None
    rank_correlation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongPeople:
    """n_shared: items that two people or more judged; the measures are of those."""

    raters: tuple[str, ...]
    n_items: int
    n_judgements: int
    n_shared: int
    fleiss: Estimate
    alpha: Estimate
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
        pairs=tuple(_pairs(judgements, scale)),
        ceiling=_ceiling(judgements, scale),
    )


def _pairs(judgements: Judgements, scale: Scale) -> list[TwoPeople]:
    found = []
    for first, second in combinations(judgements.raters, 2):
        one, other = judgements.by(first), judgements.by(second)
        items = [item for item in one if item in other]
        if items:
            ones, others = [one[item] for item in items], [other[item] for item in items]
            kappa = (
                cohen_kappa(ones, others, scale=scale.values, weights="quadratic")
                if scale.is_numeric
                else cohen_kappa(ones, others)
            )
            same = mean(a == b for a, b in zip(ones, others, strict=True))
            found.append(TwoPeople(first=first, second=second, n=len(items), same=same, kappa=kappa))
    return found


def _ceiling(judgements: Judgements, scale: Scale) -> Ceiling:
    accuracies, correlations = [], []
    for rater in judgements.raters:
        own, others = judgements.by(rater), judgements.without(rater)
        majorities = others.majorities()
        hits = [own[item] == majorities[item] for item in own if item in majorities]
        if hits:
            accuracies.append(mean(hits))
        if scale.is_numeric:
            items = [item for item in own if item in others.of]
            correlation = spearman(
                [float(own[item]) for item in items], [_mean(list(others.of[item].values())) for item in items]
            )
            if correlation.value is not None:
                correlations.append(correlation.value)
    return Ceiling(
        accuracy=_mean_or_none(accuracies),
        kappa=mean_of(leave_one_out(judgements)).person,
        rank_correlation=_mean_or_none(correlations),
    )


def _mean(values: Sequence[str]) -> float:
    return mean(map(float, values))


def _mean_or_none(values: Sequence[float]) -> float | None:
    return mean(values) if values else None
