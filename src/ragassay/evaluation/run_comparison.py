"""Two scored systems compared: every metric over all examples and over those of each label, and what changed most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.clusters import Clusters, answerable_rows, clusters_of
from ragassay.evaluation.paired import Bounds, PairedTest, adjusted, paired_tests
from ragassay.evaluation.tally import grouped
from ragassay.metrics.metric import Scale
from ragassay.records import LABELS, UNLABELLED, Example

FloatArray = npt.NDArray[np.float64]
Values = Mapping[str, Mapping[str, float | None]]
"""Metric to example id to value."""
Tests = Mapping[str, PairedTest]
"""Metric to what came of it; metrics without a pair are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedExample:
    """change: mean over the metrics of |b - a| as a share of the metric's range. values: metric to (a, b)."""

    example_id: str
    question: str
    label: str
    change: float
    values: Mapping[str, tuple[float | None, float | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """examples: in both runs; only_a, only_b: in one of them, which are left out.

    metrics: over all examples but the unanswerable, or over all, as the metric has it; one family of tests. labels,
    types: the same within each, a family of tests of their own each. unpaired: metrics for which no example has two
    values. not_in_both: metrics that one of the runs lacks. judged_apart: metrics that two different judges decided, so
    that a difference may be theirs.
    changed: what changed most, first.
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
    of_all = {name: values for name, values in rows.items() if (scale := scales[name]) and scale.over_all}
    others = {name: values for name, values in rows.items() if name not in of_all}
    answerable = answerable_rows([example.label for example in examples]).tolist()
    clusters = clusters_of(examples)
    headline = [
        *_tests(others, {"": answerable}, clusters, bounds),
        *_tests(of_all, {"": range(len(examples))}, clusters, bounds),
    ]
    over_all = _family(headline, metrics).get("", {})
    return RunComparison(
        examples=len(examples),
        only_a=only_a,
        only_b=only_b,
        metrics=over_all,
        labels=_family(_tests(rows, labels, clusters, bounds), metrics) if set(labels) - {UNLABELLED} else {},
        types=_family(
            _tests(rows, {name: places for name, places in types.items() if name}, clusters, bounds), metrics
        ),
        unpaired=tuple(name for name in metrics if name not in over_all),
        changed=_changed(rows, examples, bounds)[:most_changed],
    )


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


def _family(made: Sequence[tuple[str, str, PairedTest]], order: Sequence[str]) -> dict[str, Tests]:
    """Group to metric to test, all of them one family; groups without any pair are left out."""
    found: dict[str, dict[str, PairedTest]] = {}
    for (group, name, _), test in zip(made, adjusted([test for *_, test in made]), strict=True):
        found.setdefault(group, {})[name] = test
    return {group: {name: tests[name] for name in order if name in tests} for group, tests in found.items()}


def _changed(
    rows: Mapping[str, tuple[FloatArray, FloatArray]], examples: Sequence[Example], bounds: Mapping[str, Bounds]
) -> tuple[ChangedExample, ...]:
    if not rows or not examples:
        return ()
    shares = []
    for name, (first, second) in rows.items():
        low, high = bounds[name] or (0.0, 1.0)
        shares.append(np.abs(second - first) / (high - low))
    table = np.vstack(shares)
    counts = np.maximum((~np.isnan(table)).sum(axis=0), 1)
    changes = np.nansum(table, axis=0) / counts
    order = sorted(np.flatnonzero(changes > 0).tolist(), key=lambda place: (-changes[place], examples[place].id))
    return tuple(
        ChangedExample(
            example_id=examples[place].id,
            question=examples[place].question,
            label=examples[place].label,
            change=float(changes[place]),
            values={name: (_value(first[place]), _value(second[place])) for name, (first, second) in rows.items()},
        )
        for place in order
    )


def _value(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
