"""How far a judge agrees with people on one task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from ragassay.agreement.confusion import Confusion, confusion
from ragassay.agreement.correlation import Floats, kendall, pearson, spearman
from ragassay.agreement.leave_one_out import LeftOut, Means, leave_one_out, mean_of
from ragassay.agreement.measure import Measure, defined, undefined
from ragassay.agreement.resampling import Drawn, with_interval
from ragassay.agreement.scales import Scale
from ragassay.agreement.tables import Judgements
from ragassay.evaluation.estimate import Estimate

Correlation = Callable[[Floats, Floats], Measure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric:
    """A judge's numbers and the means of people's, over items that both judged.

    difference: mean of the judge less mean of people, in the units of the scale; its absolute value is RAGEval's check
    of automatic metrics (ACL 2025, human evaluation: below 0.026 on shares). None where the judge's numbers are of
    another scale than people's.
    """

    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    difference: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPeople:
    """n: items that the judge and people both judged. accuracy: share of those with a majority where it says the same.

    left_out: the paper's leave-one-out scheme, one row a person; means over them. numeric: where values are numbers.
    pairwise: where people prefer one of two, the share of items on which the judge prefers the same; its ties count
    half, items that people leave tied do not count.
    """

    n: int
    accuracy: Estimate
    confusion: Confusion
    left_out: tuple[LeftOut, ...]
    means: Means
    numeric: Numeric | None = None
    pairwise: Estimate | None = None


def against_people(
    people: Judgements, judge: Mapping[str, str], scale: Scale, *, same_scale: bool = True, seed: int = 0
) -> AgainstPeople:
    """All measures of a judge. judge: item to value; a number as text where people gave numbers.

    same_scale: whether the judge's values are those that people chose from; where they are other numbers, only
    correlations are worked out. Intervals are bootstrapped over items.
    """
    both = [item for item in people.of if item in judge]
    majorities = people.majorities()
    settled = [item for item in both if item in majorities] if same_scale else []
    hits = [float(judge[item] == majorities[item]) for item in settled]
    rows = leave_one_out(people, judge) if same_scale else []
    return AgainstPeople(
        n=len(both),
        accuracy=_mean_estimate(hits, len(people.of), seed),
        confusion=confusion({item: majorities[item] for item in settled}, judge, scale.values),
        left_out=tuple(rows),
        means=mean_of(rows),
        numeric=_numeric(people, judge, both, same_scale=same_scale, seed=seed) if scale.is_numeric else None,
        pairwise=_pairwise(judge, majorities, seed) if scale.values[:2] == ("first", "second") else None,
    )


def _numeric(
    people: Judgements, judge: Mapping[str, str], items: Sequence[str], *, same_scale: bool, seed: int
) -> Numeric:
    theirs = np.array([mean(map(float, people.of[item].values())) for item in items])
    its = np.array([float(judge[item]) for item in items])
    total = len(people.of)

    def correlation(measure: Correlation) -> Estimate:
        return with_interval(len(items), lambda drawn: measure(its[drawn], theirs[drawn]), seed=seed, total=total)

    return Numeric(
        pearson=correlation(pearson),
        spearman=correlation(spearman),
        kendall=correlation(kendall),
        difference=_mean_estimate((its - theirs).tolist(), total, seed) if same_scale else None,
    )


def _pairwise(judge: Mapping[str, str], majorities: Mapping[str, str], seed: int) -> Estimate:
    decided = [item for item, value in majorities.items() if value != "tie"]
    wins = [
        0.5 if judge[item] == "tie" else float(judge[item] == majorities[item]) for item in decided if item in judge
    ]
    return _mean_estimate(wins, len(decided), seed)


def _mean_estimate(values: Sequence[float], total: int, seed: int) -> Estimate:
    numbers = np.array(values, dtype=np.float64)

    def of(drawn: Drawn) -> Measure:
        return defined(float(numbers[drawn].mean()), len(drawn)) if len(drawn) else undefined("no item")

    return with_interval(len(numbers), of, seed=seed, total=total)
