"""What the questions of a sweep are told apart by: labels, all that decide, and type, domain and language (RAGEval)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ragassay.datasets.selection import value_of
from ragassay.evaluation.clusters import ANSWERABLE, answerable_rows
from ragassay.metrics.metric import Metric
from ragassay.records import LABELS, UNLABELLED, Example
from ragassay.sweep.search import Rows

By = Literal["label", "type", "domain", "language"]
DOMAIN = "domain"
"""The metadata of a document that says its domain, as DragonBall's documents have it."""


class Group(NamedTuple):
    """Some of the questions. by: what they have in common, name: what that is; rows: their places, rising."""

    by: By
    name: str
    rows: Rows


def groups_of(examples: Sequence[Example], domains: Mapping[str, str], labels_are: By = "label") -> tuple[Group, ...]:
    """By type, domain and language, names in their order; what tells no two questions apart is left out.

    domains: document id to its domain; of several documents that of the context counts, else of the first reference.
    labels_are: what the set has for labels already.
    """
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
