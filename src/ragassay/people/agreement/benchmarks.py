"""Would another benchmark have ranked the systems the same way? Two orders of the systems, and how firm each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import DOCUMENTS, estimates, resample_counts
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Estimate, method_named
from ragassay.evaluation.paired import PairedTest, adjusted, paired_tests
from ragassay.people.agreement.correlation import kendall, ranks
from ragassay.people.agreement.measure import CONFIDENCE

Floats = npt.NDArray[np.float64]
Order = Literal["same", "swapped", "tied"]
Firmness = Literal["both", "synthetic only", "human only", "neither"]

LEVEL = 0.05
"""A difference is larger than its noise where its p-value, corrected by Holm, is below."""
RESAMPLES = 2000
_LEAST_DEFINED = 0.5
"""Where fewer resamples than this share order the systems at all, tau has no interval."""
_DECIMALS = 12
"""Means of the same numbers in another order differ in their last bits; those are ties."""
_ALL_ORDERS = 8
"""Up to so many systems all 40 320 orders are tried, above as many as ``_DRAWN_ORDERS`` by chance."""
_DRAWN_ORDERS = 10_000
_DIVISIONS = 200
_FEWEST_TO_DIVIDE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPlace:
    """A system's mean and rank on both benchmarks; ranks from 1, the best, ties at their mean rank."""

    system: str
    synthetic: Estimate
    human: Estimate
    synthetic_rank: float
    human_rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOrder:
    """Two systems: second less first on either benchmark, with p-values corrected over the pairs of the benchmark."""

    first: str
    second: str
    synthetic: PairedTest
    human: PairedTest

    @property
    def order(self) -> Order:
        """Whether both benchmarks put the same one of the two in front; tied where one of them has no difference."""
        signs = [round(test.difference, _DECIMALS) for test in (self.synthetic, self.human)]
        if 0 in signs:
            return "tied"
        return "same" if (signs[0] > 0) == (signs[1] > 0) else "swapped"

    @property
    def firmness(self) -> Firmness:
        """On which benchmark the difference is larger than its noise."""
        synthetic, human = (test.p_adjusted < LEVEL for test in (self.synthetic, self.human))
        if synthetic and human:
            return "both"
        return "synthetic only" if synthetic else "human only" if human else "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAgreement:
    """How far two benchmarks agree on the order of the systems by one metric.

    tau: Kendall's tau-b of the means, with the interval over questions; n: systems compared, total: systems given.
    None with the ``reason``. chance: share of all orders of the systems that agree at least as well; with few systems
    a high tau is no news. ceiling: mean tau of as many human questions, drawn at random, with the other human ones:
    what a second benchmark of this size by the same people would reach; None with fewer than four. left_out: systems
    without any value on one of the benchmarks.
    """

    metric: str
    higher_is_better: bool
    tau: Estimate
    chance: float | None = None
    ceiling: float | None = None
    systems: tuple[SystemPlace, ...] = ()
    pairs: tuple[PairOrder, ...] = ()
    left_out: tuple[str, ...] = ()
    reason: str = ""

    @property
    def swapped(self) -> tuple[PairOrder, ...]:
        """The pairs that change places from one benchmark to the other."""
        return tuple(pair for pair in self.pairs if pair.order == "swapped")

    @property
    def confirmed(self) -> tuple[PairOrder, ...]:
        """The pairs in the same order on both, by more than their noise."""
        return tuple(pair for pair in self.pairs if pair.order == "same" and pair.firmness == "both")

    @property
    def contradicted(self) -> tuple[PairOrder, ...]:
        """The pairs that change places, by more than their noise on both."""
        return tuple(pair for pair in self.swapped if pair.firmness == "both")


class Scored(NamedTuple):
    """Values of one metric on one benchmark: (n_questions, n_systems) float64, NaN where there is none.

    clusters: of the questions; None if no two hang together.
    """

    values: Floats
    clusters: Clusters | None = None

    def common(self, systems: Sequence[int]) -> Scored:
        """Return the questions for which every one of these systems has a value."""
        rows = ~np.isnan(self.values[:, systems]).any(axis=1)
        return Scored(self.values[rows][:, systems], None if self.clusters is None else self.clusters[rows])


def order_agreement(
    metric: str,
    systems: Sequence[str],
    synthetic: Scored,
    human: Scored,
    *,
    bounds: tuple[float, float] | None,
    higher_is_better: bool = True,
    seed: int = 0,
) -> OrderAgreement:
    """Both orders by one metric, compared.

    On each benchmark only the questions count for which every system has a value, so that all stand on the same ones
    and means, differences and tau belong together; a system without any value is left out first.
    systems: names of the columns. bounds: of the metric. Raises ValueError where columns and systems do not fit.
    """
    both = synthetic.values, human.values
    if not len(systems) == synthetic.values.shape[1] == human.values.shape[1]:
        raise ValueError(f"{len(systems)} systems, columns {both[0].shape[1]} and {both[1].shape[1]}")
    known = [place for place in range(len(systems)) if all((~np.isnan(each[:, place])).any() for each in both)]
    left_out = tuple(name for place, name in enumerate(systems) if place not in known)
    names = [systems[place] for place in known]
    if len(names) < 2:
        missing = f"{', '.join(left_out)} {'has' if len(left_out) == 1 else 'have'} no value on one of the benchmarks"
        return _undefined(metric, systems, higher_is_better, left_out, missing)
    totals = len(synthetic.values), len(human.values)
    synthetic, human = synthetic.common(known), human.common(known)
    if not len(synthetic.values) or not len(human.values):
        where = "synthetic" if not len(synthetic.values) else "human"
        reason = f"no question in the {where} benchmark has a value for every system"
        return _undefined(metric, systems, higher_is_better, left_out, reason)
    tau, reason = _tau(synthetic, human, total=len(systems), seed=seed)
    return OrderAgreement(
        metric=metric,
        higher_is_better=higher_is_better,
        tau=tau,
        chance=None if tau.value is None else chance_of(_means(synthetic.values), _means(human.values), seed=seed),
        ceiling=ceiling_of(human.values, len(synthetic.values), seed=seed),
        systems=_places(names, synthetic, human, totals, bounds, higher_is_better),
        pairs=_pairs(names, synthetic, human, bounds),
        left_out=left_out,
        reason=reason,
    )


def _undefined(
    metric: str, systems: Sequence[str], higher_is_better: bool, left_out: tuple[str, ...], reason: str
) -> OrderAgreement:
    tau = Estimate(value=None, low=None, high=None, n=len(systems) - len(left_out), total=len(systems))
    return OrderAgreement(metric=metric, higher_is_better=higher_is_better, tau=tau, left_out=left_out, reason=reason)


def _means(values: Floats) -> Floats:
    return np.asarray(np.round(values.mean(axis=0), _DECIMALS), dtype=np.float64)


def _tau(synthetic: Scored, human: Scored, *, total: int, seed: int) -> tuple[Estimate, str]:
    """tau-b of the means, and its percentile bootstrap over the documents of both benchmarks, paired over systems.

    Over the questions where each is of a document of its own.

    The interval is widened to hold tau itself: resamples of systems that are nearly alike mostly order them otherwise.
    """
    n = synthetic.values.shape[1]
    found = kendall(_means(synthetic.values), _means(human.values))
    if found.value is None:
        reason = "all systems have the same mean on one of the benchmarks"
        return Estimate(value=None, low=None, high=None, n=n, total=total), reason
    drawn = tau_rows(_resampled(synthetic, seed), _resampled(human, seed + 1_000_003))  # draws of their own
    known = drawn[~np.isnan(drawn)]
    if min(_documents(synthetic), _documents(human)) < 2 or len(known) < _LEAST_DEFINED * RESAMPLES:
        return Estimate(value=found.value, low=None, high=None, n=n, total=total), ""
    low, high = np.percentile(known, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)]).tolist()
    low, high = min(low, found.value), max(high, found.value)
    several = any(_documents(each) < len(each.values) for each in (synthetic, human))
    method = method_named("bootstrap", DOCUMENTS if several else "")
    return Estimate(value=found.value, low=low, high=high, n=n, total=total, method=method), ""


def _documents(scored: Scored) -> int:
    return len(scored.values) if scored.clusters is None else len(np.unique(scored.clusters))


def _resampled(scored: Scored, seed: int) -> Floats:
    """(RESAMPLES, n_systems) Means of resamples of the documents; all systems get the same ones."""
    values, sizes = scored.values, np.ones(len(scored.values))
    if scored.clusters is not None:
        order = np.argsort(scored.clusters, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(scored.clusters[order]) != 0])
        values, sizes = np.add.reduceat(values[order], starts, axis=0), np.add.reduceat(sizes, starts)
    means = [drawn @ values / (drawn @ sizes)[:, None] for drawn in resample_counts(len(values), seed, RESAMPLES)]
    return np.asarray(np.round(np.concatenate(means), _DECIMALS), dtype=np.float64)


def tau_rows(first: Floats, second: Floats) -> Floats:
    """tau-b of each row of one table with the same row of the other; NaN where a row has no two different values.

    first, second: (n, n_systems) float64, or one of them a single row. Source: as ``correlation.kendall``, counted pair
    by pair.
    """
    one, other = _signs(first), _signs(second)
    scale = np.sqrt((one != 0).sum(axis=1) * (other != 0).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(scale > 0, (one * other).sum(axis=1) / scale, np.nan), dtype=np.float64)


def _signs(rows: Floats) -> Floats:
    left, right = np.triu_indices(rows.shape[1], k=1)
    return np.sign(rows[:, right] - rows[:, left])


def chance_of(first: Floats, second: Floats, *, seed: int = 0) -> float:
    """Share of the orders of one column that give at least this tau, in (0, 1]: one-sided permutation test.

    Exact up to 8 systems; above, (1 + hits) / (1 + draws) over random orders (Phipson and Smyth 2010).
    first, second: (n_systems,) means, at least two different ones in each.
    """
    n = len(first)
    observed = tau_rows(first[None], second[None])[0] - 1e-9
    if n <= _ALL_ORDERS:
        orders = np.array(list(permutations(range(n))))
        return float((tau_rows(first[None], second[orders]) >= observed).mean())
    random = np.random.default_rng(seed)
    orders = random.permuted(np.tile(np.arange(n), (_DRAWN_ORDERS, 1)), axis=1)
    hits = int((tau_rows(first[None], second[orders]) >= observed).sum())
    return (1 + hits) / (1 + _DRAWN_ORDERS)


def ceiling_of(human: Floats, questions: int, *, seed: int = 0) -> float | None:
    """Mean tau-b of the order by some human questions with the order by the others, over random divisions.

    questions: how many the first part has, at most half of them. None with fewer than four questions, or where the
    parts mostly order nothing. human: (n_questions, n_systems) float64 without NaN.
    """
    n = len(human)
    if n < _FEWEST_TO_DIVIDE:
        return None
    random = np.random.default_rng(seed)
    drawn = random.permuted(np.tile(np.arange(n), (_DIVISIONS, 1)), axis=1)
    first = min(questions, n // 2)
    parts = (drawn[:, :first], drawn[:, first:])
    some, others = (np.array([human[row].mean(axis=0) for row in part]).round(_DECIMALS) for part in parts)
    found = tau_rows(some, others)
    known = found[~np.isnan(found)]
    return float(known.mean()) if len(known) >= _LEAST_DEFINED * _DIVISIONS else None


def _places(
    names: Sequence[str],
    synthetic: Scored,
    human: Scored,
    totals: tuple[int, int],
    bounds: tuple[float, float] | None,
    higher_is_better: bool,
) -> tuple[SystemPlace, ...]:
    sign = -1 if higher_is_better else 1
    found, places = [], []
    for scored, total in zip((synthetic, human), totals, strict=True):
        means = estimates(scored.values, bounds=bounds, clusters=scored.clusters)
        found.append([replace(each, total=total) for each in means])
        places.append(ranks(sign * _means(scored.values)).tolist())
    return tuple(
        SystemPlace(
            system=name,
            synthetic=found[0][place],
            human=found[1][place],
            synthetic_rank=places[0][place],
            human_rank=places[1][place],
        )
        for place, name in enumerate(names)
    )


def _pairs(
    names: Sequence[str], synthetic: Scored, human: Scored, bounds: tuple[float, float] | None
) -> tuple[PairOrder, ...]:
    """All pairs of systems; none where a benchmark has a single question and no bounds, which tells no difference."""
    tests = [_tests(scored, bounds) for scored in (synthetic, human)]
    return tuple(
        PairOrder(first=names[first], second=names[second], synthetic=one, human=other)
        for (first, second), one, other in zip(combinations(range(len(names)), 2), *tests, strict=False)
    )


def _tests(scored: Scored, bounds: tuple[float, float] | None) -> list[PairedTest]:
    left, right = np.triu_indices(scored.values.shape[1], k=1)
    first, second = scored.values[:, left], scored.values[:, right]
    tests = paired_tests(first, second, bounds=[bounds] * len(left), clusters=scored.clusters)
    return adjusted([test for test in tests if test is not None])
