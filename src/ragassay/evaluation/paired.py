"""Two systems on the same examples: each metric's difference, its interval, and whether chance would do as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import CONFIDENCE, SHARE, Spread, holm, spread, tail_probability, two_sided_quantile
from ragassay.evaluation.clusters import Clusters, answerable_rows, clusters_of
from ragassay.evaluation.estimate import Comparison, method_named
from ragassay.evaluation.prediction_powered import Corrected, corrected
from ragassay.evaluation.tally import grouped
from ragassay.metrics.metric import Scale
from ragassay.records import LABELS, UNLABELLED, Example

FloatArray = npt.NDArray[np.float64]
Bounds = tuple[float, float] | None

_FURTHEST = 1e9
_HALVINGS = 60
"""Halvings of the range in which t is looked for: all digits that it has."""
_CLEAR_CHANGE = 0.1 - 1e-9
"""Of a metric's range, less rounding: of two right answers a judge gives one a few hundredths more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """One metric of two systems, over the examples that both have a value for.

    a, b: the means; difference: b - a, with low and high, its 95 % interval. better, worse, same: examples on which b
    is higher or lower by a tenth of the range, or neither, whatever is good; in a RunComparison by what is.
    p_value: two-sided, of the t test that the interval comes from: below 0.05 exactly if the interval leaves 0 out.
    p_adjusted: p_value after Holm over the family that it was tested in. method: of both. n: pairs; total: examples
    that either should have a value for.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    method: str
    better: int
    worse: int
    same: int
    n: int
    total: int


class Differences:
    """The paired differences of many columns, and how far each mean is from 0 for what is known of it.

    The t interval and the t test over questions or documents (``aggregate.spread``), of more pairs than there are: one
    more for the interval, half of it in favour of either system, by as much as the pairs differ that do differ (root
    mean square), or by the whole range where none does. So pairs that all differ alike, or not at all, are not certain;
    after Agresti and Min 2005, who add two such pairs to those of right and wrong answers. As in Agresti and Coull 1998
    the number grows with t squared, so that small p-values are no smaller than so few pairs allow. Of a few answers of
    right or wrong, p is below that of the exact test (McNemar's), which is more cautious than its level;
    ``docs/decisions/metrics.md`` has how often either finds a difference where there is none.
    """

    def __init__(self, differences: FloatArray, bounds: Sequence[Bounds], clusters: Clusters | None = None) -> None:
        """differences: (n_examples, n_columns) float64, NaN where there is no pair. bounds: of each metric."""
        self.spread: Spread = spread(differences, clusters)
        self.ranges = np.array([0.0 if each is None else each[1] - each[0] for each in bounds])
        self._is_bounded = np.array([each is not None for each in bounds], dtype=np.bool_)
        found = self.spread
        self._n, self._mean = found.n.astype(np.float64), np.nan_to_num(found.mean)
        self._squares = (self._n - 1) * np.nan_to_num(found.deviation) ** 2 + self._n * self._mean**2
        differing = np.count_nonzero(np.nan_to_num(differences), axis=0)
        self._pair = np.where(differing > 0, self._squares / np.maximum(differing, 1), self.ranges**2)
        quantiles = [two_sided_quantile(CONFIDENCE, each) if each > 0 else np.nan for each in found.dof.tolist()]
        self._t = np.array(quantiles, dtype=np.float64)

    def _centre_and_error(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of the mean with as many more pairs as belong to t."""
        effective, more = self.spread.effective, (t / self._t) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            centre = self._mean * effective / (effective + more)
            square = (effective * self._squares / self._n + more * self._pair) / (effective + more)
            variance = (square - centre**2) * self._n / (self._n - 1) / (effective + more)
        return centre, np.sqrt(np.maximum(variance, 0))

    def intervals(self) -> list[tuple[float, float] | None]:
        """Of each column; None without a pair, or with a single one of a metric without bounds."""
        centre, error = self._centre_and_error(self._t)
        widest = np.where(self._is_bounded, self.ranges, np.inf)
        few = self._n < 2
        low = np.where(few, -widest, np.maximum(-widest, centre - self._t * error))
        high = np.where(few, widest, np.minimum(widest, centre + self._t * error))
        known = np.where(few, (self._n > 0) & self._is_bounded, True)
        return [
            (each, other) if has else None
            for each, other, has in zip(low.tolist(), high.tolist(), known.tolist(), strict=True)
        ]

    def p_values(self) -> list[float]:
        """Of each column, in [0, 1]: where the interval of the level 1 - p ends at 0.

        1 with fewer than two pairs, which cannot show a difference.
        """
        # The further out the level, the more pairs are added: what is left of the mean in errors falls below t once.
        low, high = np.zeros(len(self._n)), np.ones(len(self._n))
        while (beyond := self._is_beyond(high)).any() and high.max() < _FURTHEST:
            low, high = np.where(beyond, high, low), np.where(beyond, 2 * high, high)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            beyond = self._is_beyond(middle)
            low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
        differs = (self._n > 1) & (self._mean != 0)
        return [
            tail_probability(t, dof) if known else 1.0
            for t, dof, known in zip(low.tolist(), self.spread.dof.tolist(), differs.tolist(), strict=True)
        ]

    def _is_beyond(self, t: FloatArray) -> npt.NDArray[np.bool_]:
        centre, error = self._centre_and_error(t)
        return np.asarray(np.abs(centre) > t * error)


def paired_tests(
    a: FloatArray, b: FloatArray, *, bounds: Sequence[Bounds], clusters: Clusters | None = None
) -> list[PairedTest | None]:
    """b against a in every column; None without a pair, or with a single one of a metric without bounds.

    a, b: (n_examples, n_metrics) float64, NaN where an example has no value, rows in the same order. bounds: of each
    metric. clusters: of the examples. p_adjusted is p_value until ``adjusted`` has seen the family.
    """
    differences = Differences(b - a, bounds, clusters)
    p_values = differences.p_values()
    return [
        None if interval is None else _test(a[:, place], b[:, place], differences, place, interval, p_value)
        for place, (interval, p_value) in enumerate(zip(differences.intervals(), p_values, strict=True))
    ]


def _test(
    a: FloatArray, b: FloatArray, of: Differences, place: int, interval: tuple[float, float], p_value: float
) -> PairedTest:
    found, both = of.spread, ~np.isnan(a) & ~np.isnan(b)
    apart = b[both] - a[both]
    apart[np.abs(apart) < _CLEAR_CHANGE * of.ranges[place]] = 0
    return PairedTest(
        a=float(a[both].mean()),
        b=float(b[both].mean()),
        difference=float(found.mean[place]),
        low=interval[0],
        high=interval[1],
        p_value=p_value,
        p_adjusted=p_value,
        method=method_named("t", str(found.scope[place])),
        better=int((apart > 0).sum()),
        worse=int((apart < 0).sum()),
        same=int((apart == 0).sum()),
        n=int(found.n[place]),
        total=len(a),
    )


def compare(
    best: FloatArray,
    others: Sequence[tuple[str, FloatArray]],
    *,
    bounds: Bounds = SHARE,
    clusters: Clusters | None = None,
) -> tuple[Comparison, ...]:
    """Every other setting against the best one, on the examples that both have a value for.

    best, and the array beside each name: (n_examples,) float64 within bounds, NaN where there is no value. bounds: of
    the metric. p-values are adjusted by Holm over all the others given. One with no example in common with the best is
    left out.
    """
    if not others:
        return ()
    columns = np.column_stack([of_other for _, of_other in others])
    tests = paired_tests(
        np.broadcast_to(best[:, None], columns.shape), columns, bounds=[bounds] * len(others), clusters=clusters
    )
    known = [(name, test) for (name, _), test in zip(others, tests, strict=True) if test is not None]
    return tuple(
        Comparison(
            other=name,
            difference=test.difference,
            low=test.low,
            high=test.high,
            p_value=test.p_value,
            p_adjusted=test.p_adjusted,
            n=test.n,
            method=test.method,
        )
        for (name, _), test in zip(known, adjusted([test for _, test in known]), strict=True)
    )


def adjusted(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """The tests of one family with their p-values adjusted by Holm, in their order."""
    p_values = holm([test.p_value for test in tests])
    return [replace(test, p_adjusted=p_value) for test, p_value in zip(tests, p_values, strict=True)]


Values = Mapping[str, Mapping[str, float | None]]
"""Metric to example id to value."""
Tests = Mapping[str, PairedTest]
"""Metric to what came of it; metrics without a pair are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedExample:
    """change: mean over the metrics of |b - a| as a share of the metric's range. values: metric to (a, b).

    gain: the same mean with signs, above 0 where b is better. expected: the right answer. answers: None of a failure.
    """

    example_id: str
    question: str
    label: str
    change: float
    gain: float
    values: Mapping[str, tuple[float | None, float | None]]
    expected: str = ""
    answers: Sequence[str | None] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """examples: in both runs; only_a, only_b: in one of them, which are left out.

    metrics: over all examples but the unanswerable, or over all, as the metric has it; one family of tests. labels,
    types: the same within each, a family of tests of their own each. unpaired: metrics for which no example has two
    values. not_in_both: metrics that one of the runs lacks. judged_apart: metrics that two different judges decided, so
    that a difference may be theirs. changed: what changed most, first.
    corrected: metric to the difference that people and the judge give together. names: that tell a and b apart.
    """

    examples: int
    only_a: int
    only_b: int
    metrics: Tests
    labels: Mapping[str, Tests] = field(default_factory=dict)
    types: Mapping[str, Tests] = field(default_factory=dict)
    unpaired: tuple[str, ...] = ()
    not_in_both: tuple[str, ...] = ()
    judged_apart: tuple[str, ...] = ()
    changed: tuple[ChangedExample, ...] = ()
    corrected: Mapping[str, Corrected] = field(default_factory=dict)
    names: Sequence[str] = ("A", "B")


def compare_values(
    a: Values,
    b: Values,
    examples: Sequence[Example],
    metrics: Sequence[str],
    *,
    scales: Mapping[str, Scale | None],
    only_a: int = 0,
    only_b: int = 0,
    most_changed: int = 10,
) -> RunComparison:
    """b against a on examples that both runs have, in metrics that both have.

    scales: of the metrics; None for one of which nothing is known, whose values then have no bounds.
    Examples of one document hang together. The p-values of all metrics are adjusted by Holm over these metrics; those
    within labels over all labels and metrics together, and so for types.
    """
    rows = {name: (column_of(a.get(name, {}), examples), column_of(b.get(name, {}), examples)) for name in metrics}
    labels = grouped([example.label for example in examples], LABELS)
    types = grouped([example.question_type or "" for example in examples])
    bounds = {name: None if (scale := scales[name]) is None else scale.bounds for name in metrics}
    falling = tuple(name for name in metrics if (scale := scales[name]) and not scale.higher_is_better)
    of_all = {name: values for name, values in rows.items() if (scale := scales[name]) and scale.over_all}
    others = {name: values for name, values in rows.items() if name not in of_all}
    answerable = answerable_rows([example.label for example in examples]).tolist()
    clusters = clusters_of(examples)
    headline = [
        *_tests(others, {"": answerable}, clusters, bounds),
        *_tests(of_all, {"": range(len(examples))}, clusters, bounds),
    ]
    over_all = _family(headline, metrics, falling).get("", {})
    return RunComparison(
        examples=len(examples),
        only_a=only_a,
        only_b=only_b,
        metrics=over_all,
        labels=_family(_tests(rows, labels, clusters, bounds), metrics, falling) if set(labels) - {UNLABELLED} else {},
        types=_family(
            _tests(rows, {name: places for name, places in types.items() if name}, clusters, bounds), metrics, falling
        ),
        unpaired=tuple(name for name in metrics if name not in over_all),
        changed=_changed(rows, examples, bounds, falling)[:most_changed],
    )


def corrected_differences(
    people: tuple[Values, Values],
    judge: tuple[Values, Values],
    examples: Sequence[Example],
    bounds: Mapping[str, tuple[float, float]],
) -> dict[str, Corrected]:
    """The mean difference b - a of metrics, corrected by people who judged answers of both systems.

    people, judge: of a and of b. examples: over which the means are. bounds: of each metric that people judged.
    """
    clusters = clusters_of(examples)
    found = {}
    for name, (low, high) in bounds.items():
        apart = [
            column_of(b.get(name, {}), examples) - column_of(a.get(name, {}), examples) for a, b in (people, judge)
        ]
        result = corrected(*apart, bounds=(low - high, high - low), clusters=clusters)
        if result is not None:
            found[name] = result
    return found


def column_of(values: Mapping[str, float | None], examples: Sequence[Example]) -> FloatArray:
    """The values in the order of the examples, (n_examples,) float64, NaN where there is none."""
    found = (values.get(example.id) for example in examples)
    return np.array([np.nan if value is None else value for value in found], dtype=np.float64)


def _tests(
    rows: Mapping[str, tuple[FloatArray, FloatArray]],
    groups: Mapping[str, Sequence[int]],
    clusters: Clusters,
    bounds: Mapping[str, Bounds],
) -> list[tuple[str, str, PairedTest]]:
    """(group, metric, test) of every metric with a pair in a group."""
    names = list(rows)
    made = []
    for group, places in groups.items() if names else ():
        first, second = (np.column_stack([rows[name][side][list(places)] for name in names]) for side in (0, 1))
        tests = paired_tests(first, second, bounds=[bounds[name] for name in names], clusters=clusters[list(places)])
        made += [(group, name, test) for name, test in zip(names, tests, strict=True) if test is not None]
    return made


def _family(
    made: Sequence[tuple[str, str, PairedTest]], order: Sequence[str], falling: Sequence[str]
) -> dict[str, Tests]:
    """Group to metric to test, all of them one family; groups without any pair are left out."""
    found: dict[str, dict[str, PairedTest]] = {}
    for (group, name, _), test in zip(made, adjusted([test for *_, test in made]), strict=True):
        found.setdefault(group, {})[name] = (
            replace(test, better=test.worse, worse=test.better) if name in falling else test
        )
    return {group: {name: tests[name] for name in order if name in tests} for group, tests in found.items()}


def _changed(
    rows: Mapping[str, tuple[FloatArray, FloatArray]],
    examples: Sequence[Example],
    bounds: Mapping[str, Bounds],
    falling: Sequence[str],
) -> tuple[ChangedExample, ...]:
    if not rows or not examples:
        return ()
    shares = []
    for name, (first, second) in rows.items():
        low, high = bounds[name] or (0.0, 1.0)
        shares.append((first - second if name in falling else second - first) / (high - low))
    table = np.vstack(shares)
    counts = np.maximum((~np.isnan(table)).sum(axis=0), 1)
    changes, gains = (np.nansum(each, axis=0) / counts for each in (np.abs(table), table))
    widest = np.nanmax(np.abs(table), axis=0, initial=0.0)
    is_shown = widest >= (_CLEAR_CHANGE if widest.max() >= _CLEAR_CHANGE else 1e-9)
    order = sorted(np.flatnonzero(is_shown).tolist(), key=lambda place: (-changes[place], examples[place].id))
    return tuple(
        ChangedExample(
            example_id=examples[place].id,
            question=examples[place].question,
            label=examples[place].label,
            change=float(changes[place]),
            gain=float(gains[place]),
            expected=examples[place].answer,
            values={name: (_value(first[place]), _value(second[place])) for name, (first, second) in rows.items()},
        )
        for place in order
    )


def _value(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
