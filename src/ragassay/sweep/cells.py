"""Every value of a sweep: each metric, tokens and cost of each setting on each group of questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.clusters import Clusters, answerable_rows
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.metric import Metric
from ragassay.rag.setting import Setting
from ragassay.sweep.groups import ALL, By, Group, rounds_by
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
) -> Iterator[Cell]:
    """Of each label, the headline, and all questions: of these only refusals, what the answers took, and one metric.

    values: of settings that were asked the same questions. inclusive: that metric, if there is one.
    """
    table = _Table(values, metrics, clusters)
    over_all = {metric.name for metric in metrics if metric.over_all}
    of_all = [name for name in table.names if name in over_all or name in PRICE or name == inclusive]
    refusals = next((metric for metric in metrics if metric.over_all), None)
    asked = np.array(labels, dtype=object)[table.rows].tolist()
    for label, places in rounds_by(asked, refusals, inclusive=bool(inclusive)).items():
        yield from table.cells(by, label, places, of_all if label == ALL else table.names)


def cells_of_groups(
    values: Sequence[SettingValues],
    labels: Sequence[str],
    metrics: Sequence[Metric],
    clusters: Clusters | None,
    groups: Sequence[Group],
) -> Iterator[Cell]:
    """Over the answerable questions of a group, where it has any, as the headline; refusals over all of its own."""
    table = _Table(values, metrics, clusters)
    over_all = {metric.name for metric in metrics if metric.over_all}
    answerable = answerable_rows(np.array(labels, dtype=object)[table.rows].tolist())
    for group in groups:
        inside = np.flatnonzero(np.isin(table.rows, group.rows))
        both = np.intersect1d(inside, answerable)
        if len(inside):
            of_answers = [name for name in table.names if name not in over_all]
            yield from table.cells(group.by, group.name, both if len(both) else inside, of_answers)
            yield from table.cells(group.by, group.name, inside, [name for name in table.names if name in over_all])


class _Table:
    """The values of all settings. rows: the questions that they were asked. names: metrics, then prices."""

    def __init__(self, values: Sequence[SettingValues], metrics: Sequence[Metric], clusters: Clusters | None) -> None:
        self._values = values
        self.rows: Rows = values[0].rows if values else np.zeros(0, dtype=np.int64)
        self._clusters = None if clusters is None else clusters[self.rows]
        self._bounds = {metric.name: metric.bounds for metric in metrics}
        prices = (name for name in PRICE if name == TOKENS or all(name in each.metrics for each in values))
        self._bounds |= dict.fromkeys(prices)
        self.names = list(self._bounds)

    def cells(self, by: By, group: str, places: Rows, names: Sequence[str]) -> Iterator[Cell]:
        """Each metric of each setting on the questions at these places among those asked."""
        clusters = None if self._clusters is None else self._clusters[places]
        for name in names if self._values else ():
            columns = np.column_stack([_column(each, name)[places] for each in self._values])
            found = estimates(columns, bounds=self._bounds[name], clusters=clusters)
            for each, estimate in zip(self._values, found, strict=True):
                yield Cell(setting=each.setting, by=by, group=group, metric=name, estimate=estimate)


def _column(values: SettingValues, name: str) -> Values:
    return values.metrics[TOKENS_IN] + values.metrics[TOKENS_OUT] if name == TOKENS else values.metrics[name]
