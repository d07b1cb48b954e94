"""The data card: what a set is made of, in figures that a stream of records gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ragassay.records import Document, Example, Prediction
from ragassay.synthesis.baselines import KNOWN_FROM, KNOWN_WITHOUT_CONTEXT
from ragassay.text import count_words

_ENGLISH = re.compile(
    r"\b(?:(how (?:many|much|long|often|far|old|large|big|high))|(whom?|whose|what|when|where|which|why|how))\b"
)
_YES_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b|.*(?:是否|吗[？?]?\Z)"
)
_TOLD = re.compile(
    r"(?:compare|summari[sz]e|list|describe|explain|name|state|outline|discuss|give|比较|总结|概括|列出|描述|说明)"
)
_CHINESE = (
    ("why", re.compile("为什么|为何|原因是什么")),
    ("how many", re.compile("多少|几[个次年月日名家项]|多大|多长|多久|多高|多远")),
    ("when", re.compile("何时|什么时候|什么时间|哪[一]?[年天月日]|几[时点]|哪个月")),
    ("where", re.compile("哪里|哪儿|何处|在哪|什么地方|哪个(?:城市|国家|地区|省)")),
    ("who", re.compile("谁|哪位|何人")),
    ("which", re.compile("哪[些个家种一项所类座支条本次]|哪")),
    ("how", re.compile("怎么|怎样|如何|怎麼")),
    ("what", re.compile("什么|何|什麼|啥")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A quantity over the items that have it: how many they are, and five figures of it."""

    count: int
    least: int
    median: float
    mean: float
    p95: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DataCard:
    """What a set is made of.

    labels: verified, else requested, else "unlabelled". verified: how many have a verified label. agreeing: how many
    of those that have both got the label that was asked for; both: how many these are.
    documents_used: documents, of those that are given, in which a reference or context lies. most_per_document: the
    most examples of one document. question_words: what asks, in English words for Chinese too.
    repeats, near_repeats: examples whose question an earlier one asked, in the same words or in nearly all of them.
    known_without_context: examples that a model answers without context, of ``measured_without_context``.
    """

    examples: int
    documents: int
    predictions: int
    labels: Mapping[str, int]
    verified: int
    both: int
    agreeing: int
    difficulties: Mapping[str, int]
    question_types: Mapping[str, int]
    languages: Mapping[str, int]
    synthesizers: Mapping[str, int]
    systems: Mapping[str, int]
    lengths: Mapping[str, Spread]
    documents_used: int
    documents_of_examples: int
    most_per_document: int
    question_words: Mapping[str, int]
    repeats: int
    near_repeats: int
    known_without_context: int
    measured_without_context: int


@dataclass(slots=True)
class CardBuilder:
    """Counts records as they pass. Memory: some numbers an example, and the ids of documents."""

    _documents: set[str] = field(default_factory=set)
    _counts: dict[str, Counter[str]] = field(default_factory=dict)
    _values: dict[str, list[int]] = field(default_factory=dict)
    _per_document: Counter[str] = field(default_factory=Counter)
    _examples: int = 0
    _predictions: int = 0
    _verified: int = 0
    _both: int = 0
    _agreeing: int = 0
    _known: int = 0
    _measured: int = 0

    def document(self, document: Document) -> None:
        """Counts a document."""
        self._documents.add(document.id)
        self._length("words of a document", count_words(document.text))

    def prediction(self, prediction: Prediction) -> None:
        """Counts a prediction."""
        self._predictions += 1
        self._count("systems", prediction.system)

    def example(self, example: Example) -> None:
        """Counts an example."""
        self._examples += 1
        self._count("labels", example.label)
        self._count("question types", example.question_type or "none")
        self._count("difficulties", example.difficulty or "none")
        self._count("languages", example.language)
        self._count("synthesizers", example.provenance.synthesizer)
        self._count("question words", question_word(example.question))
        self._verified += example.verified_label is not None
        if example.verified_label and example.requested_label:
            self._both += 1
            self._agreeing += example.verified_label == example.requested_label
        self._lengths_of(example)
        for document_id in {span.document_id for span in (example.context, *example.references)} - {""}:
            self._per_document[document_id] += 1
        for critique in example.critiques:
            if critique.name == KNOWN_WITHOUT_CONTEXT and critique.value is not None:
                self._measured += 1
                self._known += critique.value >= KNOWN_FROM

    def card(self, *, repeats: int, near_repeats: int) -> DataCard:
        """The card of what was counted."""
        return DataCard(
            examples=self._examples,
            documents=len(self._documents),
            predictions=self._predictions,
            labels=self._ordered("labels"),
            verified=self._verified,
            both=self._both,
            agreeing=self._agreeing,
            difficulties=self._ordered("difficulties"),
            question_types=self._ordered("question types"),
            languages=self._ordered("languages"),
            synthesizers=self._ordered("synthesizers"),
            systems=self._ordered("systems"),
            lengths={name: spread(values) for name, values in self._values.items()},
            documents_used=sum(document_id in self._documents for document_id in self._per_document),
            documents_of_examples=len(self._per_document),
            most_per_document=max(self._per_document.values(), default=0),
            question_words=self._ordered("question words"),
            repeats=repeats,
            near_repeats=near_repeats,
            known_without_context=self._known,
            measured_without_context=self._measured,
        )

    def _lengths_of(self, example: Example) -> None:
        self._length("words of a question", count_words(example.question))
        if example.answer:
            self._length("words of an answer", count_words(example.answer))
            self._length("references of an answer", len(example.references))
            self._length("keypoints of an answer", len(example.keypoints))
        if example.context.text:
            self._length("words of a context", _context_words(example.context.text))
        for span in example.references:
            self._length("words of a reference", count_words(span.text))

    def _count(self, table: str, key: str) -> None:
        self._counts.setdefault(table, Counter())[key] += 1

    def _length(self, name: str, value: int) -> None:
        self._values.setdefault(name, []).append(value)

    def _ordered(self, table: str) -> dict[str, int]:
        counts = self._counts.get(table, Counter())
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


@lru_cache(maxsize=16)
def _context_words(text: str) -> int:
    """Words of a context; those that are asked about several times mostly stand together, and counting takes time."""
    return count_words(text)


def spread(values: Iterable[int]) -> Spread:
    """Five figures of at least one value; the 95th percentile is the smallest value that so many do not exceed."""
    ordered: Sequence[int] = sorted(values)
    count = len(ordered)
    return Spread(
        count=count,
        least=ordered[0],
        median=(ordered[(count - 1) // 2] + ordered[count // 2]) / 2,
        mean=sum(ordered) / count,
        p95=ordered[-(-count * 95 // 100) - 1],
        most=ordered[-1],
    )


def question_word(question: str) -> str:
    """What a question asks with: the first question word, "yes or no", "an order" (Compare ...), or "other"."""
    lower = question.strip().lower()
    match = _ENGLISH.search(lower)
    is_first = match is not None and match.start() == 0
    if not is_first and _YES_NO.match(lower):
        return "yes or no"
    if match is not None:
        return "how many" if match.group(1) in ("how many", "how much") else (match.group(1) or match.group(2))
    for word, pattern in _CHINESE:
        if pattern.search(lower):
            return word
    return "an order" if _TOLD.match(lower) else "other"
