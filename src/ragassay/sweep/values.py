"""What came of settings by question, and by groups of them: label, type, domain, language (RAGEval)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from ragassay.datasets.selection import value_of
from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.clusters import ANSWERABLE, Clusters, answerable_rows
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.metric import Metric
from ragassay.plain_files import open_plain
from ragassay.rag.setting import Setting
from ragassay.records import LABELS, UNLABELLED, Example

Rows = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

TOKENS_IN, TOKENS_OUT = "input_tokens", "output_tokens"
"""Beside the metrics: what the generator read and wrote for a question."""
COST = "cost_usd"
"""Beside them where results are made, never in a file: what these tokens cost at the prices of the day."""
COPIED = "copied answers"
"""Beside them, too: 1 where an answer only repeats its chunks, word for word, else 0; NaN without an answer."""
TOKENS = "tokens"
PRICE = (TOKENS_IN, TOKENS_OUT, TOKENS, COST)

By = Literal["label", "type", "domain", "language"]
DOMAIN = "domain"
"""The metadata of a document that says its domain, as DragonBall's documents have it."""
ALL = "all questions"
"""The round of metrics of refusals, over answerable and unanswerable questions together; of others Know Your RAG's
inclusive one."""
_PLACES: Mapping[str, int] = {label: place for place, label in enumerate(LABELS)}


@dataclass(frozen=True, slots=True, eq=False)
class SettingValues:
    """rows: the questions that were asked, rising. metrics: name to the values of these, NaN where there is none.

    missing: metric to why values are missing, to the rows without one. unanswered: rows for which a server left
    something unanswered. unheard: those for which nothing came back at all; no file keeps a setting with any.
    """

    setting: Setting
    rows: Rows
    metrics: Mapping[str, Values]
    missing: Mapping[str, Mapping[str, Sequence[int]]]
    unanswered: frozenset[int] = frozenset()
    unheard: frozenset[int] = frozenset()

    @property
    def reasons(self) -> dict[str, dict[str, int]]:
        """Metric to why values are missing, with counts."""
        return {name: {reason: len(rows) for reason, rows in some.items()} for name, some in self.missing.items()}

    def column(self, name: str) -> Values:
        """The values of a metric, or of a price."""
        return self.metrics[TOKENS_IN] + self.metrics[TOKENS_OUT] if name == TOKENS else self.metrics[name]

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        arrays: dict[str, Any] = {f"metric {name}": values for name, values in self.metrics.items()}
        told = {"missing": self.missing, "unanswered": sorted(self.unanswered)}
        with part.open("wb") as file:
            np.savez(file, rows=self.rows, told=np.array(json.dumps(told)), **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path, setting: Setting) -> SettingValues | None:
        """What a file keeps; None where there is none that can be read."""
        try:
            with open_plain(path) as opened, np.load(opened, allow_pickle=False) as file:
                metrics = {
                    name.removeprefix("metric "): file[name] for name in file.files if name.startswith("metric ")
                }
                told = json.loads(str(file["told"]))
                return cls(setting, file["rows"], metrics, told["missing"], frozenset(told["unanswered"]))
        except (OSError, ValueError, KeyError, BadZipFile):
            return None


class Group(NamedTuple):
    """Some of the questions. by: what they have in common, name: what that is; rows: their places, rising."""

    by: By
    name: str
    rows: Rows


def groups_of(examples: Sequence[Example], domains: Mapping[str, str], labels_are: By = "label") -> tuple[Group, ...]:
    """By type, domain and language, where that tells questions apart. domains: of documents, by their ids."""
    told: list[tuple[By, Callable[[Example], str]]] = [
        ("type", lambda example: example.question_type or ""),
        ("domain", lambda example: value_of(example, domains)),
        ("language", lambda example: example.language),
    ]
    found = []
    for by, name_of in told:
        names = np.array([name_of(example) for example in examples], dtype=object)
        if by != labels_are and len(set(names)) > 1:
            found += [Group(by, name, np.flatnonzero(names == name)) for name in sorted(set(names)) if name]
    return tuple(found)


def headline_of(metric: Metric | None) -> str:
    """Metrics of refusals are decided over all questions, others over the answerable."""
    return ALL if metric is not None and metric.over_all else ANSWERABLE


def rounds_of(labels: Sequence[str], metric: Metric | None, *, inclusive: bool = False) -> dict[str, Rows]:
    """Label to the rows of its questions, then all but the unanswerable; without labels only these.

    Section 5 of Know Your RAG 2025. For a metric of refusals, and where ``inclusive``, all questions come last.
    """
    given = np.array(labels, dtype=object)
    known = sorted(set(labels), key=lambda label: (_PLACES.get(label, len(LABELS)), label == UNLABELLED, label))
    rounds = {label: np.flatnonzero(given == label) for label in known if known != [UNLABELLED]}
    rounds[ANSWERABLE] = answerable_rows(labels)
    if inclusive or headline_of(metric) == ALL:
        rounds[ALL] = np.arange(len(labels))
    return rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One metric, or tokens, or cost, of one setting on a group of questions, told apart ``by`` something."""

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
    """Of each label, the headline, and all questions: of these refusals, prices and one metric (inclusive)."""
    table = _Table(values, metrics, clusters)
    of_all = [name for name in table.names if name in table.over_all or name in PRICE or name == inclusive]
    refusals = next((metric for metric in metrics if metric.over_all), None)
    asked = np.array(labels, dtype=object)[table.rows].tolist()
    for label, places in rounds_of(asked, refusals, inclusive=bool(inclusive)).items():
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
    answerable = answerable_rows(np.array(labels, dtype=object)[table.rows].tolist())
    for group in groups:
        inside = np.flatnonzero(np.isin(table.rows, group.rows))
        both = np.intersect1d(inside, answerable)
        if len(inside):
            of_answers = [name for name in table.names if name not in table.over_all]
            yield from table.cells(group.by, group.name, both if len(both) else inside, of_answers)
            yield from table.cells(group.by, group.name, inside, [n for n in table.names if n in table.over_all])


class _Table:
    """The values of all settings. rows: the questions that they were asked. names: metrics, then prices."""

    def __init__(self, values: Sequence[SettingValues], metrics: Sequence[Metric], clusters: Clusters | None) -> None:
        self._values = values
        self.rows: Rows = values[0].rows if values else np.zeros(0, dtype=np.int64)
        self._clusters = None if clusters is None else clusters[self.rows]
        self.over_all = {metric.name for metric in metrics if metric.over_all}
        self._bounds = {metric.name: metric.bounds for metric in metrics}
        prices = (name for name in PRICE if name == TOKENS or all(name in each.metrics for each in values))
        self._bounds |= dict.fromkeys(prices)
        self.names = list(self._bounds)

    def cells(self, by: By, group: str, places: Rows, names: Sequence[str]) -> Iterator[Cell]:
        """Each metric of each setting on the questions at these places among those asked."""
        clusters = None if self._clusters is None else self._clusters[places]
        for name in names if self._values else ():
            columns = np.column_stack([each.column(name)[places] for each in self._values])
            found = estimates(columns, bounds=self._bounds[name], clusters=clusters)
            for each, estimate in zip(self._values, found, strict=True):
                yield Cell(setting=each.setting, by=by, group=group, metric=name, estimate=estimate)
