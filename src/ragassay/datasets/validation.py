"""What is wrong with a data set: every finding names the record, and says whether the set can be used with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import Literal, NamedTuple, get_args

from ragassay.datasets.card import CardBuilder, DataCard
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.texts import Texts
from ragassay.records import QUESTION_TYPES, UNLABELLED, Document, Example, Prediction, Span
from ragassay.synthesis.gates import AskedBefore
from ragassay.text import words

Kind = Literal[
    "unreadable",
    "id",
    "question",
    "answer",
    "reference",
    "context",
    "keypoint",
    "rating",
    "prediction",
    "repeat",
    "near repeat",
    "label",
    "no answer",
    "no reference",
    "no keypoint",
    "question type",
    "empty document",
    "judged document",
]
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
        """Counts a finding, and keeps it where not too many of its kind are there."""
        self.counts[kind] += 1
        if self.counts[kind] <= MOST_KEPT:
            self.kept.append(Finding(kind, record, message))

    @property
    def errors(self) -> int:
        """How many make the set unusable as it is."""
        return sum(count for kind, count in self.counts.items() if kind not in WARNINGS)

    @property
    def warnings(self) -> int:
        """How many leave it usable."""
        return sum(self.counts.values()) - self.errors


class Examined(NamedTuple):
    card: DataCard
    findings: Findings


def examine(records: Iterable[Record], notes: Notes) -> Examined:
    """Reads a data set once and says what is in it and what is wrong with it.

    notes: those that the reader keeps its faults in, so that unreadable records are findings too.
    """
    with Texts() as texts:
        examiner = _Examiner(texts)
        for record in chain(records, (None,)):
            if record is not None:
                examiner.see(record)
            for fault in notes.faults:
                examiner.findings.add("unreadable", "", str(fault))
            notes.faults.clear()
        return examiner.done()


class _Examiner:
    def __init__(self, texts: Texts) -> None:
        self.findings = Findings()
        self._texts = texts
        self._card = CardBuilder()
        self._ids: set[str] = set()
        self._asked: dict[str, str] = {}
        self._asked_nearly = AskedBefore()
        self._predicted: dict[str, str] = {}
        self._without: dict[Kind, list[str]] = {"no keypoint": [], "no answer": []}
        self._has: set[Kind] = set()

    def see(self, record: Record) -> None:
        if isinstance(record, Document):
            self._document(record)
        elif isinstance(record, Prediction):
            self._prediction(record)
        else:
            self._example(record)

    def done(self) -> Examined:
        for example_id, system in self._predicted.items():
            if example_id not in self._ids:
                self.findings.add("prediction", f"prediction of {system}", f"no example has the id {example_id!r}")
        said = {
            "no keypoint": "the answer has no keypoint",
            "no answer": "no answer, although no label is unanswerable",
        }
        for kind, names in self._without.items():
            for name in names if kind in self._has else ():  # a set without any has none because its format has none
                self.findings.add(kind, name, said[kind])
        counts = self.findings.counts
        return Examined(self._card.card(repeats=counts["repeat"], near_repeats=counts["near repeat"]), self.findings)

    def _document(self, document: Document) -> None:
        name = f"document {document.id}"
        if not document.id:
            self.findings.add("id", name, "the id is empty")
        if not self._texts.add(document.id, document.text):
            self.findings.add("id", name, f"two documents have this id; the second is {document.source!r}")
            return
        if not document.text.strip():
            self.findings.add("empty document", name, "it contains no text")
        self._card.document(document)

    def _prediction(self, prediction: Prediction) -> None:
        self._card.prediction(prediction)
        self._predicted.setdefault(prediction.example_id, prediction.system)

    def _example(self, example: Example) -> None:
        name = f"example {example.id}"
        if not example.id:
            self.findings.add("id", name, "the id is empty")
        elif example.id in self._ids:
            self.findings.add("id", name, "two examples have this id")
        self._ids.add(example.id)
        self._card.example(example)
        self._question(name, example)
        self._answer(name, example)
        self._spans(name, example)
        for critique in example.critiques:
            if critique.value is not None and not 1 <= critique.value <= 5:
                self.findings.add("rating", name, f"the rating {critique.name!r} is {critique.value}, not 1 to 5")
        if example.question_type is not None and example.question_type not in QUESTION_TYPES:
            self.findings.add("question type", name, f"unknown question type {example.question_type[:60]!r}")

    def _question(self, name: str, example: Example) -> None:
        if not words(example.question):
            self.findings.add("question", name, "the question is empty")
            return
        asked = [word.lower() for word in words(example.asked)]
        text = " ".join(asked)
        earlier = self._asked.get(text)
        if earlier is not None:
            if earlier != name:  # else its id is what is wrong
                self.findings.add("repeat", name, f"{earlier} asks the same question")
            return
        self._asked[text] = name
        if self._asked_nearly.is_repeat(asked):
            self.findings.add("near repeat", name, "an earlier example asks it in nearly the same words")
        self._asked_nearly.remember(asked)

    def _answer(self, name: str, example: Example) -> None:
        # what was asked for decides, as it does for abstention: a labeller that sees it otherwise may be wrong
        label = example.requested_label or example.label
        is_answerable, has_answer = label != "unanswerable", bool(example.answer.strip())
        if label == UNLABELLED and not has_answer:
            self._without["no answer"].append(name)
        elif is_answerable and not has_answer:
            self.findings.add("answer", name, f"the answer is empty and the label is {label}")
        if not is_answerable and (example.answer or example.references):
            self.findings.add("answer", name, "the label is unanswerable, but the example has an answer or a reference")
        if example.verified_label and (example.verified_label != "unanswerable") != is_answerable:
            self.findings.add("label", name, f"{label} was requested, but the labeller gives {example.verified_label}")
        self._has |= {"no answer"} if has_answer else set()
        if example.answer and not example.references:
            self.findings.add("no reference", name, "the answer has no reference")
        if any(not keypoint.strip() for keypoint in example.keypoints):
            self.findings.add("keypoint", name, "a keypoint is empty")
        if len(set(example.keypoints)) < len(example.keypoints):
            self.findings.add("keypoint", name, "two keypoints are the same")
        self._has |= {"no keypoint"} if example.keypoints else set()
        if example.answer and not example.keypoints:
            self._without["no keypoint"].append(name)

    def _spans(self, name: str, example: Example) -> None:
        if example.context.document_id or example.context.text:
            fault = self._fault(example.context)
            if fault:
                self.findings.add("context", name, f"the context {fault}")
        for place, span in enumerate(example.references, 1):
            if span.document_id and not (span.text or span.end or self._texts.get(span.document_id)):
                self.findings.add("judged document", name, f"{span.document_id} has no text, or is not there")
                continue
            fault = self._fault(span)
            if fault:
                self.findings.add("reference", name, f"reference {place} {fault}")

    def _fault(self, span: Span) -> str:
        """What is wrong with a span; empty where nothing is, or where no documents are there to compare it with."""
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
