"""The best configuration for every label, and whether its neighbours are any worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.answerable import ANSWERABLE, answerable_rows
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.paired import compare
from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.rag.setting import Setting, preference
from ragassay.records import LABELS, UNLABELLED
from ragassay.sweep.choice import ranked
from ragassay.sweep.configuration import Configuration
from ragassay.sweep.retrieval_sweep import ConfigurationResult
from ragassay.sweep.search import Rows
from ragassay.sweep.ties import Ties, ties_of

ALL = "all questions"
"""The round of metrics of refusals, over answerable and unanswerable questions together."""

DECIDING = "recall@5"

_PLACES: Mapping[str, int] = {label: place for place, label in enumerate(LABELS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelResult:
    """One metric of one configuration on one label (or ``answerable``)."""

    label: str
    configuration: Configuration
    metric: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class BestConfiguration:
    """The configuration with the highest Recall@5 for a label.

    dense, lexical: Recall@5 of the two ends at the same chunk size; None where the sweep did not try them.
    neighbours: the next text weights on either side and the next chunk sizes, tested against the best. ties: all others
    that the questions do not tell from it.
    """

    label: str
    configuration: Configuration
    recall_at_5: Estimate
    dense: Estimate | None
    lexical: Estimate | None
    neighbours: tuple[Comparison, ...]
    ties: Ties


def label_results(
    results: Sequence[ConfigurationResult], labels: Sequence[str], clusters: Clusters | None = None
) -> tuple[LabelResult, ...]:
    """Every metric of every configuration on every label that occurs, and on all but ``unanswerable`` together.

    labels, clusters: of each question, in the order of the results' arrays.
    """
    found = []
    for label, rows in rounds_of(labels).items():
        columns = [(result.configuration, metric.name) for result in results for metric in RANKING_METRICS]
        values = [result.metrics[metric.name][rows] for result in results for metric in RANKING_METRICS]
        scored = estimates(np.column_stack(values), clusters=_some(clusters, rows)) if values else []
        for (configuration, metric), estimate in zip(columns, scored, strict=True):
            found.append(LabelResult(label=label, configuration=configuration, metric=metric, estimate=estimate))
    return tuple(found)


def best_configurations(
    results: Sequence[ConfigurationResult], labels: Sequence[str], clusters: Clusters | None = None
) -> tuple[BestConfiguration, ...]:
    """The best for each answerable label that occurs, then for all of these together.

    These are the rounds of Know Your RAG 2025, section 5, whose last one takes in the unanswerable questions too: what
    is found for those does not help an answer.

    Ties go to the smallest text weight, then the smallest chunk size, then raw_linear, min_max, rrf. All of them look
    at the same questions, those with a ground span, so none has too few values to be compared. A label of which
    no question could be scored has no best. The value of a winner is optimistic, because it was picked for it: the
    comparisons with its neighbours say how much that may matter, each label a family of tests of its own.
    """
    found = []
    for label, rows in rounds_of(labels).items():
        values = {result.configuration: result.metrics[DECIDING][rows] for result in results}
        order = ranked(values, values.__getitem__, preference_of)
        if label == "unanswerable" or not order:
            continue
        configuration = order[0]
        same_size = [c for c in order if c.chunk_size == configuration.chunk_size]
        # all fusions share the ends of the text weight: one of them names each
        ends = [next((c for c in same_size if c.text_weight == weight), None) for weight in (0.0, 1.0)]
        shown = [configuration, *(end for end in ends if end is not None)]
        hang_together = _some(clusters, rows)
        of_shown = estimates(np.column_stack([values[c] for c in shown]), clusters=hang_together)
        scored = dict(zip(shown, of_shown, strict=True))
        others = [(other.name, values[other]) for other in _neighbours(configuration, list(values))]
        found.append(
            BestConfiguration(
                label=label,
                configuration=configuration,
                recall_at_5=scored[configuration],
                dense=None if ends[0] is None else scored[ends[0]],
                lexical=None if ends[1] is None else scored[ends[1]],
                neighbours=compare(values[configuration], others, clusters=hang_together),
                ties=ties_of(configuration, values, hang_together),
            )
        )
    return tuple(found)


def rounds_of(labels: Sequence[str]) -> dict[str, Rows]:
    """Label to the rows of its questions, then all but the unanswerable; without labels only these.

    The four labels come in their order, then whatever else questions are told apart by.
    """
    given = np.array(labels, dtype=object)
    known = sorted(set(labels), key=lambda label: (_PLACES.get(label, len(LABELS)), label == UNLABELLED, label))
    rounds = {label: np.flatnonzero(given == label) for label in known if known != [UNLABELLED]}
    return {**rounds, ANSWERABLE: answerable_rows(labels)}


def _some(clusters: Clusters | None, rows: Rows) -> Clusters | None:
    return None if clusters is None else clusters[rows]


def preference_of(configuration: Configuration) -> tuple[Any, ...]:
    """As among settings of the whole system, of which these are some."""
    c = configuration
    return preference(Setting(chunk_size=c.chunk_size, overlap=0, fusion=c.fusion, text_weight=c.text_weight))


def _neighbours(configuration: Configuration, tried: Sequence[Configuration]) -> list[Configuration]:
    """The next lower and higher text weight in the same fusion and chunk size, the next smaller and larger chunk size.

    At the ends, where all fusions are one, the weight next to it is that of the fusion that names the end.
    """

    def same_fusion(other: Configuration) -> bool:
        return other.fusion == configuration.fusion or other.text_weight in (0, 1)

    same_size = [c for c in tried if c.chunk_size == configuration.chunk_size and same_fusion(c)]
    same_weight = [c for c in tried if c.text_weight == configuration.text_weight and same_fusion(c)]
    lower = [c for c in same_size if c.text_weight < configuration.text_weight]
    higher = [c for c in same_size if c.text_weight > configuration.text_weight]
    smaller = [c for c in same_weight if c.chunk_size < configuration.chunk_size]
    larger = [c for c in same_weight if c.chunk_size > configuration.chunk_size]
    nearest = [
        max(lower, key=lambda c: c.text_weight, default=None),
        min(higher, key=lambda c: c.text_weight, default=None),
        max(smaller, key=lambda c: c.chunk_size, default=None),
        min(larger, key=lambda c: c.chunk_size, default=None),
    ]
    return [c for c in nearest if c is not None]
