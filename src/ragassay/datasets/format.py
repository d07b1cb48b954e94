"""What a format is: how it is recognised, read and written, and which parts of a record it can hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragassay.datasets.replies.places import Place
from ragassay.errors import RecordError
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, SkippedSource

Record = Document | Example | Prediction
"""What a data set is a stream of. Documents and predictions come before the examples that they belong to."""

EXAMPLE_PARTS: Mapping[str, Callable[[Example], bool]] = {
    "example ids": lambda example: True,
    "questions": lambda example: True,
    "answers": lambda example: bool(example.answer),
    "other answers": lambda example: bool(example.other_answers),
    "references": lambda example: bool(example.references),
    "places of references": lambda example: bool(example.references),
    "grades": lambda example: example.is_graded,
    "contexts": lambda example: example.context != NO_CONTEXT,
    "keypoints": lambda example: bool(example.keypoints),
    "labels": lambda example: bool(example.requested_label or example.verified_label),
    "question types": lambda example: example.question_type is not None,
    "languages of examples": lambda example: example.language != "und",
    "critiques": lambda example: bool(example.critiques),
    "expected tool calls": lambda example: example.tool_calls is not None,
    "earlier turns": lambda example: bool(example.history),
    "expected standalone questions": lambda example: example.standalone_question is not None,
    "difficulty": lambda example: example.difficulty is not None,
    "provenance": lambda example: any(
        (
            example.provenance.model,
            example.provenance.pattern,
            example.provenance.statement,
            example.provenance.unanswerable_in,
            example.provenance.mending,
        )
    ),
}
DOCUMENT_PARTS: Mapping[str, Callable[[Document], bool]] = {
    "documents": lambda document: True,
    "document ids": lambda document: True,
    "titles": lambda document: bool(document.title),
    "sources": lambda document: bool(document.source),
    "languages of documents": lambda document: document.language != "und",
    "metadata": lambda document: bool(document.metadata),
    "structure": lambda document: bool(document.blocks or document.literals),
}
PREDICTION_PARTS: Mapping[str, Callable[[Prediction], bool]] = {
    "predictions": lambda prediction: True,
    "places of retrieved chunks": lambda prediction: bool(prediction.chunks),
    "systems, tokens, times and errors": lambda prediction: True,
    "tool calls": lambda prediction: prediction.tool_calls is not None,
    "standalone questions": lambda prediction: prediction.standalone_question is not None,
}
ALL_PARTS = frozenset((*EXAMPLE_PARTS, *DOCUMENT_PARTS, *PREDICTION_PARTS))


ROW_SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
MOST_KINDS = 200
"""Of things that are counted by name; more come only of data that puts its own words into them."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def add_kind(counts: Counter[str], what: str, count: int = 1) -> None:
    """Count ``what`` by its name, or among "other things" where there are too many names."""
    counts[what if what in counts or len(counts) < MOST_KINDS else "other things"] += count


class Notes:
    """What is changed or left out, counted, faults, and strange records. keep_going: collect faults, raise none."""

    def __init__(self, *, keep_going: bool = False) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[RecordError] = []
        self.strange: list[SkippedSource] = []
        self._keep_going = keep_going

    def add(self, what: str, count: int = 1) -> None:
        """Count ``what``: a short clause in our words, with no text out of the data in it but names of fields."""
        if count:
            add_kind(self.counts, what, count)

    def fault(self, message: str) -> None:
        """Report a record that cannot be read: raise RecordError, or keep it and go on with the next record."""
        error = RecordError(message)
        if not self._keep_going:
            raise error
        self.faults.append(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """documents: a file of them beside the set. has_corpus: documents are at hand that come from elsewhere.

    mapping: field to its place in a row, as ``--map`` says; only for formats that read it (``Format.maps``).
    """

    path: Path
    documents: Path | None = None
    has_corpus: bool = False
    mapping: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peek:
    """What is seen of an input at first. files: of a folder. keys, record: of the first record or header."""

    suffix: str
    files: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """when: rules of which one fits what the format is recognised by. write: None for what is only read.

    holds: names out of EXAMPLE_PARTS, DOCUMENT_PARTS and PREDICTION_PARTS. suffixes: of outputs that are written in
    this format where none is named, "" for a folder; writes: that can be. maps: whether ``--map`` changes what is read.
    by_text: references are texts without a place. beside: names of files with the documents, looked for beside the set.
    """

    name: str
    read: Callable[[Source, Notes], Iterator[Record]]
    when: Sequence[Mapping[str, Any]] = ()
    write: Callable[[Path, Iterable[Record], Notes], None] | None = None
    holds: frozenset[str] = frozenset()
    suffixes: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    maps: bool = False
    by_text: bool = False
    beside: tuple[str, ...] = ()


def matches(rule: Mapping[str, Any], peek: Peek) -> bool:
    """Return whether a rule fits.

    Of fields: ``all`` are there, ``any``, ``none``; they are all of these (``exactly_of``); ``texts`` of the first
    record's fields; ``snake_case``: names with humps count. ``suffixes`` of the file, all that hold rows if not given;
    ``files``.
    """
    if "files" in rule or not peek.suffix:
        return "files" in rule and peek.files.issuperset(rule["files"])
    keys = frozenset(map(snake_case, peek.keys)) if rule.get("snake_case") else peek.keys
    record = peek.record or {}
    return (
        peek.suffix in rule.get("suffixes", ROW_SUFFIXES)
        and keys.issuperset(rule.get("all", ()))
        and ("any" not in rule or not keys.isdisjoint(rule["any"]))
        and keys.isdisjoint(rule.get("none", ()))
        and ("exactly_of" not in rule or keys <= set(rule["exactly_of"]))
        and (not record or all(isinstance(record.get(name), str) for name in rule.get("texts", ())))
    )


def snake_case(name: str) -> str:
    """Return ``expectedOutput`` as ``expected_output``."""
    return _HUMP.sub("_", name).lower()


def lost_parts(record: Record, holds: frozenset[str]) -> list[str]:
    """Return the parts that this record has and a format that holds ``holds`` has no place for."""
    parts: Mapping[str, Callable[[Any], bool]]
    if isinstance(record, Example):
        parts = EXAMPLE_PARTS
    elif isinstance(record, Document):
        parts = DOCUMENT_PARTS
        if "documents" not in holds:
            return ["documents"]
    else:
        parts = PREDICTION_PARTS
        if "predictions" not in holds:
            return ["predictions"]
    return [name for name, has in parts.items() if name not in holds and has(record)]
