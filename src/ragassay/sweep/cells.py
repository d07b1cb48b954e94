"""Every value of a sweep: each metric, tokens and cost of each setting on each group of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.answerable import answerable_rows
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.metric import Metric
from ragassay.rag.setting import Setting
from ragassay.sweep.groups import By, Group
from ragassay.sweep.rounds import ALL, rounds_by
from ragassay.sweep.search import Rows
from ragassay.sweep.values import COST, TOKENS_IN, TOKENS_OUT, SettingValues, Values

TOKENS = "tokens"
"""Read and written together."""

PRICE = (TOKENS_IN, TOKENS_OUT, TOKENS, COST)
"""What a question takes, beside the metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One metric, or tokens, or cost, of one setting on some questions.

    by, group: which questions: a label, all but the unanswerable, or all; a type, a domain, a language.
    """

    setting: Setting
    by: By
    group: str
    metric: str
    estimate: Estimate


def cells_of_labels(
    values: Sequence[SettingValues],
    labels: Sequence[str],
    metrics: Sequence[Metric],
    clusters: Clusters | None,
    by: By,
    inclusive: str = "",
) -> Iterable[Cell]:
    """Of each label, the headline, and all questions: of these only refusals, what the answers took, and one metric.

    inclusive: that metric, if there is one.
    """
    given = np.array(labels, dtype=object)
    over_all = {metric.name for metric in metrics if metric.over_all}
    refusals = next((metric for metric in metrics if metric.over_all), None)

    def parts(rows: Rows, names: Sequence[str]) -> Iterable[_Part]:
        of_all = [name for name in names if name in over_all or name in PRICE or name == inclusive]
        for label, places in rounds_by(given[rows].tolist(), refusals, inclusive=bool(inclusive)).items():
            yield _Part(by, label, places, of_all if label == ALL else names)

    return _cells(values, metrics, clusters, parts)


def cells_of_groups(
    values: Sequence[SettingValues],
    labels: Sequence[str],
    metrics: Sequence[Metric],
    clusters: Clusters | None,
    groups: Sequence[Group],
) -> Iterable[Cell]:
    """Over the answerable questions of a group, where it has any, as the headline; refusals over all of its own."""
    given = np.array(labels, dtype=object)
    over_all = {metric.name for metric in metrics if metric.over_all}

    def parts(rows: Rows, names: Sequence[str]) -> Iterable[_Part]:
        answerable = answerable_rows(given[rows].tolist())
        for group in groups:
            inside = np.flatnonzero(np.isin(rows, group.rows))
            both = np.intersect1d(inside, answerable)
            if len(inside):
                of_answers = [name for name in names if name not in over_all]
                yield _Part(group.by, group.name, both if len(both) else inside, of_answers)
                yield _Part(group.by, group.name, inside, [name for name in names if name in over_all])

    return _cells(values, metrics, clusters, parts)


class _Part(NamedTuple):
    """What cells are made of: a group, the places of its questions among those asked, the metrics that are wanted."""

    by: By
    group: str
    places: Rows
    metrics: Sequence[str]


def _cells(
    values: Sequence[SettingValues],
    metrics: Sequence[Metric],
    clusters: Clusters | None,
    parts_of: Callable[[Rows, Sequence[str]], Iterable[_Part]],
) -> Iterable[Cell]:
    """parts_of: from the questions that some settings were asked, and all metrics, to the parts."""
    by_rows: dict[bytes, list[SettingValues]] = {}
    for each in values:
        by_rows.setdefault(each.rows.tobytes(), []).append(each)
    bounds: dict[str, tuple[float, float] | None] = {metric.name: metric.bounds for metric in metrics}
    bounds |= dict.fromkeys(name for name in PRICE if name == TOKENS or all(name in each.metrics for each in values))
    for some in by_rows.values():
        rows = some[0].rows
        for part in parts_of(rows, list(bounds)):
            hang_together = None if clusters is None else clusters[rows][part.places]
            for name in part.metrics:
                columns = np.column_stack([_column(each, name)[part.places] for each in some])
                found = estimates(columns, bounds=bounds[name], clusters=hang_together)
                for each, estimate in zip(some, found, strict=True):
                    yield Cell(setting=each.setting, by=part.by, group=part.group, metric=name, estimate=estimate)


def _column(values: SettingValues, name: str) -> Values:
    return values.metrics[TOKENS_IN] + values.metrics[TOKENS_OUT] if name == TOKENS else values.metrics[name]
