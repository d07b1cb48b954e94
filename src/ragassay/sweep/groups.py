"""What the questions of a sweep are told apart by beside labels: type, domain and language (RAGEval, tables 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ragassay.datasets.only import value_of
from ragassay.records import Example
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
