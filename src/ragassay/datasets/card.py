"""The data card: what a set is made of, in figures that a stream of records gives."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ragassay.generate.baselines import KNOWN_FROM, KNOWN_WITHOUT_CONTEXT
from ragassay.records import Document, Example, Prediction
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

    labels: verified, else requested, else "unlabelled". both: examples that have both, of which ``agreeing`` got the
    label that was asked for. documents_used: documents in which a reference or context lies. question_words: in English
    for Chinese too. known_without_context: examples that a model answers without, of ``measured_without_context``.
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


class CardBuilder:
    """Counts records as they pass. Memory: some numbers an example, and the ids of documents."""

    def __init__(self) -> None:
        self._documents: set[str] = set()
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._values: defaultdict[str, list[int]] = defaultdict(list)
        self._per_document: Counter[str] = Counter()
        self._totals: Counter[str] = Counter()

    def document(self, document: Document) -> None:
        """Count a document."""
        self._documents.add(document.id)
        self._values["words of a document"].append(count_words(document.text))

    def prediction(self, prediction: Prediction) -> None:
        """Count a prediction."""
        self._totals["predictions"] += 1
        self._counts["systems"][prediction.system] += 1

    def example(self, example: Example) -> None:
        """Count an example."""
        for table, key in (
            ("labels", example.label),
            ("question_types", example.question_type or "none"),
            ("difficulties", example.difficulty or "none"),
            ("languages", example.language),
            ("synthesizers", example.provenance.synthesizer),
            ("question_words", question_word(example.question)),
        ):
            self._counts[table][key] += 1
        both = bool(example.verified_label and example.requested_label)
        known = [each.value for each in example.critiques if each.name == KNOWN_WITHOUT_CONTEXT]
        self._totals += Counter(
            examples=1,
            verified=example.verified_label is not None,
            both=both,
            agreeing=both and example.verified_label == example.requested_label,
            measured_without_context=sum(value is not None for value in known),
            known_without_context=sum(value is not None and value >= KNOWN_FROM for value in known),
        )
        self._per_document.update({span.document_id for span in (example.context, *example.references)} - {""})
        self._values["words of a question"].append(count_words(example.question))
        if example.answer:
            self._values["words of an answer"].append(count_words(example.answer))
            self._values["references of an answer"].append(len(example.references))
            self._values["keypoints of an answer"].append(len(example.keypoints))
        if example.context.text:
            self._values["words of a context"].append(_context_words(example.context.text))
        self._values["words of a reference"] += [count_words(span.text) for span in example.references]

    def card(self, *, repeats: int, near_repeats: int) -> DataCard:
        """Return the card of what was counted."""
        tables = ("labels", "difficulties", "question_types", "languages", "synthesizers", "systems", "question_words")
        totals = ("examples", "predictions", "verified", "both", "agreeing")
        measured: dict[str, Any] = {
            name: self._totals[name] for name in (*totals, "known_without_context", "measured_without_context")
        }
        for name in tables:
            measured[name] = dict(sorted(self._counts[name].items(), key=lambda pair: (-pair[1], pair[0])))
        return DataCard(
            documents=len(self._documents),
            lengths={name: spread(values) for name, values in self._values.items() if values},
            documents_used=sum(document_id in self._documents for document_id in self._per_document),
            documents_of_examples=len(self._per_document),
            most_per_document=max(self._per_document.values(), default=0),
            repeats=repeats,
            near_repeats=near_repeats,
            **measured,
        )


_context_words = lru_cache(maxsize=16)(count_words)


def spread(values: Iterable[int]) -> Spread:
    """Return five figures of at least one value; p95 is the smallest value that 95 % do not exceed."""
    ordered: Sequence[int] = sorted(values)
    count = len(ordered)
    middle, p95 = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2, ordered[-(-count * 95 // 100) - 1]
    mean = sum(ordered) / count
    return Spread(count=count, least=ordered[0], median=middle, mean=mean, p95=p95, most=ordered[-1])


def question_word(question: str) -> str:
    """Return what a question asks with: the first question word, "yes or no", "an order" (Compare ...), or "other"."""
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
