"""What is wrong with a data set: every finding names the record, and says whether the set can be used with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, zip_longest
from typing import Literal, NamedTuple, get_args

from ragassay.datasets.card import CardBuilder, DataCard
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.texts import Texts
from ragassay.generate.repeats import AskedBefore
from ragassay.records import QUESTION_TYPES, UNLABELLED, Document, Example, Prediction, Span
from ragassay.text import words

Kind = Literal[
    "unreadable", "id", "question", "answer", "reference", "context", "keypoint", "rating", "prediction", "repeat",
    "near repeat", "label", "no answer", "no reference", "no keypoint", "question type", "empty document",
    "judged document",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
WARNINGS: frozenset[Kind] = frozenset(KINDS[KINDS.index("near repeat") :])
"""Kinds that leave a set usable; the others are errors."""
MOST_KEPT = 1_000
"""Findings of a kind that are kept in full; the rest are counted."""


class Finding(NamedTuple):
    """record: "example q-1", "document d-3", or "" for a fault of the file, whose message names the line."""

    kind: Kind
    record: str
    message: str


class Findings:
    """Findings in the order in which they were met, and how many of each kind there are."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.counts: Counter[Kind] = Counter()

    def add(self, kind: Kind, record: str, message: str) -> None:
        """Count a finding, and keeps it where not too many of its kind are there."""
        self.counts[kind] += 1
        if self.counts[kind] <= MOST_KEPT:
            self.kept.append(Finding(kind, record, message))

    @property
    def errors(self) -> int:
        """Return how many make the set unusable as it is."""
        return sum(count for kind, count in self.counts.items() if kind not in WARNINGS)

    @property
    def warnings(self) -> int:
        """Return how many leave it usable."""
        return sum(self.counts.values()) - self.errors


class Examined(NamedTuple):
    card: DataCard
    findings: Findings


def examine(records: Iterable[Record], notes: Notes) -> Examined:
    """Read a data set once; return what is in it and what is wrong. notes: the reader's; faults are findings."""
    findings, card = Findings(), CardBuilder()
    with Texts() as texts:
        examiner = _Examiner(texts)
        for record in chain(records, (None,)):
            if isinstance(record, Document):
                if is_new := texts.add(record.id, record.text):
                    card.document(record)
                for kind, message in examiner.of_document(record, is_new=is_new):
                    findings.add(kind, f"document {record.id}", message)
            elif isinstance(record, Prediction):
                card.prediction(record)
                examiner.predicted.setdefault(record.example_id, record.system)
            elif record is not None:
                card.example(record)
                for kind, message in examiner.of_example(record):
                    findings.add(kind, f"example {record.id}", message)
            for fault in notes.faults:
                findings.add("unreadable", "", str(fault))
            notes.faults.clear()
        for kind, name, message in examiner.of_all():
            findings.add(kind, name, message)
    counts = findings.counts
    return Examined(card.card(repeats=counts["repeat"], near_repeats=counts["near repeat"]), findings)


Fault = tuple[Kind, str]
_OF_SETS: Mapping[Kind, str] = {
    "no keypoint": "the answer has no keypoint",
    "no answer": "no answer, although no label is unanswerable",
}
"""Faults only where other examples have one: a set without any has none because its format has none."""


class _Examiner:
    def __init__(self, texts: Texts) -> None:
        self.predicted: dict[str, str] = {}
        self._texts = texts
        self._ids: set[str] = set()
        self._asked: dict[str, str] = {}
        self._asked_nearly = AskedBefore()
        self._without: dict[Kind, list[str]] = {kind: [] for kind in _OF_SETS}
        self._has: set[Kind] = set()

    def of_all(self) -> Iterator[Finding]:
        for example_id, system in self.predicted.items():
            if example_id not in self._ids:
                yield Finding("prediction", f"prediction of {system}", f"no example has the id {example_id!r}")
        for kind, names in self._without.items():
            if kind in self._has:
                yield from (Finding(kind, name, _OF_SETS[kind]) for name in names)

    def of_document(self, document: Document, *, is_new: bool) -> Iterator[Fault]:
        if not document.id:
            yield "id", "the id is empty"
        if not is_new:
            yield "id", f"two documents have this id; the second is {document.source!r}"
        elif not document.text.strip():
            yield "empty document", "it contains no text"

    def of_example(self, example: Example) -> Iterator[Fault]:
        if not example.id:
            yield "id", "the id is empty"
        elif example.id in self._ids:
            yield "id", "two examples have this id"
        self._ids.add(example.id)
        yield from self._of_question(example)
        yield from self._of_answer(example)
        if (example.context.document_id or example.context.text) and (fault := self._fault(example.context)):
            yield "context", f"the context {fault}"
        for place, span in enumerate(example.references, 1):
            if span.document_id and not (span.text or span.end or self._texts.get(span.document_id)):
                yield "judged document", f"{span.document_id} has no text, or is not there"
            elif fault := self._fault(span):
                yield "reference", f"reference {place} {fault}"
        for critique in example.critiques:
            if critique.value is not None and not 1 <= critique.value <= 5:
                yield "rating", f"the rating {critique.name!r} is {critique.value}, not 1 to 5"
        if example.question_type is not None and example.question_type not in QUESTION_TYPES:
            yield "question type", f"unknown question type {example.question_type[:60]!r}"

    def _of_question(self, example: Example) -> Iterator[Fault]:
        if not words(example.question):
            yield "question", "the question is empty"
            return
        asked, name = [word.lower() for word in words(example.asked)], f"example {example.id}"
        earlier = self._asked.get(" ".join(asked))
        if earlier is not None:
            if earlier != name:  # else its id is what is wrong
                yield "repeat", f"{earlier} asks the same question"
            return
        self._asked[" ".join(asked)] = name
        if self._asked_nearly.is_repeat(asked):
            yield "near repeat", "an earlier example asks it in nearly the same words"
        self._asked_nearly.remember(asked)

    def _of_answer(self, example: Example) -> Iterator[Fault]:
        # what was asked for decides, as it does for abstention: a labeller that sees it otherwise may be wrong
        label = example.requested_label or example.label
        is_answerable, has_answer = label != "unanswerable", bool(example.answer.strip())
        name = f"example {example.id}"
        if label == UNLABELLED and not has_answer:
            self._without["no answer"].append(name)
        elif is_answerable and not has_answer:
            yield "answer", f"the answer is empty and the label is {label}"
        if not is_answerable and (example.answer or example.references):
            yield "answer", "the label is unanswerable, but the example has an answer or a reference"
        if example.verified_label and (example.verified_label != "unanswerable") != is_answerable:
            yield "label", f"{label} was requested, but the labeller gives {example.verified_label}"
        if example.answer and not example.references:
            yield "no reference", "no passage is named that the answer rests on (reference_contexts)"
        if any(not keypoint.strip() for keypoint in example.keypoints):
            yield "keypoint", "a keypoint is empty"
        if len(set(example.keypoints)) < len(example.keypoints):
            yield "keypoint", "two keypoints are the same"
        if example.answer and not example.keypoints:
            self._without["no keypoint"].append(name)
        self._has |= {"no answer"} if has_answer else set()
        self._has |= {"no keypoint"} if example.keypoints else set()

    def _fault(self, span: Span) -> str:
        """Return what is wrong with a span; empty where nothing is, or where no documents are there to compare with."""
        if not span.text.strip():
            return "is empty"
        if span.start == span.end:
            return f"was not found in its document: {span.text[:60]!r}"
        if not 0 <= span.start < span.end or span.end - span.start != len(span.text):
            return f"has {len(span.text)} characters and the offsets {span.start} to {span.end}"
        if not len(self._texts):
            return ""
        text = self._texts.get(span.document_id)
        if text is None:
            return f"is of the document {span.document_id[:60]!r}, which is not there"
        if text[span.start : span.end] == span.text:
            return ""
        place = text.find(span.text)
        if place < 0:
            return f"does not occur in {span.document_id}: {span.text[:60]!r}"
        return f"is not at {span.start} but at {place} of {span.document_id}"


def shown(findings: Findings, most: int) -> list[Finding]:
    """Return at most so many findings, errors first, of the kinds in turn so that one kind does not hide another."""
    chosen: list[Finding] = []
    for is_warning in (False, True):
        kinds = [kind for kind in KINDS if (kind in WARNINGS) == is_warning]
        turns = zip_longest(*([each for each in findings.kept if each.kind == kind] for kind in kinds))
        chosen += [each for turn in turns for each in turn if each is not None][: most - len(chosen)]
    return sorted(chosen, key=lambda finding: (finding.kind in WARNINGS, KINDS.index(finding.kind)))
