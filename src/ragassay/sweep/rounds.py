"""The rounds of a comparison: the questions of each label, then those that decide over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ragassay.evaluation.answerable import ANSWERABLE, answerable_rows
from ragassay.metrics.metric import Metric
from ragassay.records import LABELS, UNLABELLED
from ragassay.sweep.search import Rows

ALL = "all questions"
"""The round of metrics of refusals, over answerable and unanswerable questions together; of others Know Your RAG's
inclusive one."""

_PLACES: Mapping[str, int] = {label: place for place, label in enumerate(LABELS)}


def rounds_of(labels: Sequence[str]) -> dict[str, Rows]:
    """Label to the rows of its questions, then all but the unanswerable; without labels only these.

    The four labels come in their order, then whatever else questions are told apart by. These are the rounds of Know
    Your RAG 2025, section 5, but for the last one, ``ALL``.
    """
    given = np.array(labels, dtype=object)
    known = sorted(set(labels), key=lambda label: (_PLACES.get(label, len(LABELS)), label == UNLABELLED, label))
    rounds = {label: np.flatnonzero(given == label) for label in known if known != [UNLABELLED]}
    return {**rounds, ANSWERABLE: answerable_rows(labels)}


def headline_of(metric: Metric | None) -> str:
    """Metrics of refusals are decided over all questions, others over the answerable."""
    return ALL if metric is not None and metric.over_all else ANSWERABLE


def rounds_by(labels: Sequence[str], metric: Metric | None, *, inclusive: bool = False) -> dict[str, Rows]:
    """As ``rounds_of``; for a metric of refusals, and where ``inclusive``, all questions come last."""
    found = rounds_of(labels)
    if inclusive or headline_of(metric) == ALL:
        found[ALL] = np.arange(len(labels))
    return found
