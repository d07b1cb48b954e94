"""Questions of all types out of configurations, each with facts that answer it; the shares of RAGEval's seven types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random

from ragassay.errors import UsageError
from ragassay.generate.options import whole_numbers
from ragassay.generate.scenario.configuration import percentage, text_of
from ragassay.generate.scenario.schema import Comparison, Element, Hop, Schema, fill, placeholders
from ragassay.generate.scenario.schema import Sequence as Order
from ragassay.generate.scenario.writer import Written
from ragassay.records import QUESTION_TYPES, Label, QuestionType

_PAIRS_PER_DOCUMENT = 6
"""Pairs that a document is tried in, for each question about two: enough to choose from, linear in the documents."""
_MOST_FACTS = 5
"""Of an answer: RAGEval asks for three to five keypoints."""


TWO_DOCUMENTS: frozenset[QuestionType] = frozenset(
    {"information_integration", "numerical_comparison", "temporal_sequence"}
)

SHARES: Mapping[QuestionType, float] = {
    "factual": 0.1935,
    "summarization": 0.1728,
    "multi_hop": 0.1610,
    "information_integration": 0.2221,
    "numerical_comparison": 0.1040,
    "temporal_sequence": 0.0715,
    "unanswerable": 0.0751,
}
"""Shares among the 6 711 questions of DragonBall (RAGEval (ACL 2025), DragonBall)."""

LABEL_OF: Mapping[QuestionType, Label] = {
    "factual": "fact_single",
    "summarization": "summary",
    "multi_hop": "reasoning",
    "information_integration": "summary",
    "numerical_comparison": "reasoning",
    "temporal_sequence": "reasoning",
    "unanswerable": "unanswerable",
}
"""The label asked for: types say what a question demands, labels how its context answers, so this is the usual case."""


def parse_types(text: str) -> tuple[QuestionType, ...]:
    """Types out of ``factual,multi_hop``, in the order of QUESTION_TYPES; all of them for "all".

    Raises UsageError that lists the types where one is unknown or none is named.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["all"]:
        return QUESTION_TYPES
    unknown = [name for name in names if name not in QUESTION_TYPES]
    if unknown or not names:
        said = f"unknown question type {unknown[0]!r}" if unknown else "no question type is named"
        raise UsageError(f"--types: {said}; choose from all, {', '.join(QUESTION_TYPES)}")
    return tuple(kind for kind in QUESTION_TYPES if kind in names)


def counts_of(n: int, types: Sequence[QuestionType]) -> dict[QuestionType, int]:
    """How many of each type add up to ``n``, by DragonBall's shares, the largest remainders rounded up."""
    total = sum(SHARES[kind] for kind in types)
    counts = whole_numbers(n, {kind: SHARES[kind] / total for kind in types})
    return {kind: counts[kind] for kind in types}


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that stands alone; fields: what it says, the field asked for first, of the document at a place."""

    text: str
    document: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A question before it is an example. conclusions: what follows from the facts; documents: those it is about.

    result: what the conclusions compute. asks: the wordings that it may have, each filled; ``question`` is one of them.
    """

    kind: QuestionType
    pattern: str
    question: str
    asks: tuple[str, ...]
    documents: tuple[int, ...]
    facts: tuple[Fact, ...] = ()
    conclusions: tuple[str, ...] = ()
    result: str = ""

    @property
    def keypoints(self) -> tuple[str, ...]:
        """The conclusions, and the facts that they rest on; nothing for a question without an answer."""
        return (*self.conclusions, *(fact.text for fact in self.facts))


def drafts(schema: Schema, written: Sequence[Written], kind: QuestionType, random: Random) -> list[Drafted]:
    """All questions of one document, and for two documents those of a number of pairs linear in the documents."""
    drafter = _Drafter(schema, written, random)
    makers: dict[QuestionType, Callable[..., Iterator[Drafted]]] = {
        "factual": drafter.factual,
        "summarization": drafter.summaries,
        "multi_hop": drafter.hops,
        "unanswerable": drafter.unanswerable,
        "information_integration": drafter.integrations,
        "numerical_comparison": drafter.comparisons,
        "temporal_sequence": drafter.sequences,
    }
    places = _pairs(len(written), random) if kind in TWO_DOCUMENTS else [(at,) for at in range(len(written))]
    return [each for at in places for each in makers[kind](*at)]


def _pairs(count: int, random: Random) -> list[tuple[int, int]]:
    found: dict[tuple[int, int], None] = {}
    for first in range(count if count > 1 else 0):
        for other in random.sample(range(count - 1), min(count - 1, _PAIRS_PER_DOCUMENT)):
            second = other + (other >= first)
            if (second, first) not in found:
                found[first, second] = None
    return list(found)


class _Drafter:
    """Drafts the questions of a schema about the documents at given places."""

    def __init__(self, schema: Schema, written: Sequence[Written], random: Random) -> None:
        self._schema, self._written, self._random = schema, written, random

    def factual(self, at: int) -> Iterator[Drafted]:
        """Ask for each field that the document says."""
        for name, element in self._schema.fields.items():
            asks, fact = self._asking(element.ask, at), self._fact(at, name)
            if asks and fact:
                yield Drafted("factual", name, self._random.choice(asks), asks, (at,), (fact,))

    def summaries(self, at: int) -> Iterator[Drafted]:
        """Ask for several fields at once."""
        for number, summary in enumerate(self._schema.summaries, 1):
            said = [name for name in summary.fields if name not in self._written[at].unsaid]
            facts, asks = self._facts(at, said[:_MOST_FACTS]), self._asking(summary.ask, at)
            if asks and len(facts) > 2:
                yield Drafted("summarization", f"summary {number}", self._random.choice(asks), asks, (at,), facts)

    def hops(self, at: int) -> Iterator[Drafted]:
        """Ask for what follows from two fields."""
        for number, hop in enumerate(self._schema.hops, 1):
            facts, asks = self._facts(at, hop.of), self._asking(hop.ask, at)
            result = self._result(hop, at) if facts and asks else None
            if result is None:
                continue
            texts = {**self._written[at].configuration.texts, "result": result}
            conclusions = (fill(hop.conclusion, texts),) if hop.conclusion else ()
            yield Drafted(
                "multi_hop", f"hop {number}", self._random.choice(asks), asks, (at,), facts, conclusions, result
            )

    def _result(self, hop: Hop, at: int) -> str | None:
        """What a hop computes; empty where it computes nothing, None where the values give no result."""
        first, second = (self._written[at].configuration.values[name] for name in hop.of)
        if isinstance(first, Decimal) and isinstance(second, Decimal):
            if hop.kind == "share":
                return f"{percentage(first, second, 1)}%"
            if hop.kind == "difference":
                return self._number(hop.of[0], hop.pattern, first - second) if first > second else None
        elif isinstance(first, date) and isinstance(second, date) and hop.kind == "days":
            return self._apart(hop.of, first, second) if first > second else None
        return ""

    def unanswerable(self, at: int) -> Iterator[Drafted]:
        """Ask for what the document is silent about, and for what no document of the kind says."""
        document = self._written[at]
        asked = [
            *(
                (name, self._schema.fields[name].ask)
                for name in sorted(document.unsaid - document.configuration.absent)
            ),
            *((f"absent {number}", absent.ask) for number, absent in enumerate(self._schema.absent, 1)),
        ]
        for pattern, templates in asked:
            if asks := self._asking(templates, at):
                yield Drafted("unanswerable", pattern, self._random.choice(asks), asks, (at,))

    def integrations(self, first: int, second: int) -> Iterator[Drafted]:
        """Ask for the same fields of two documents, unless one would do, since both say the same of them all."""
        one, other = (self._written[at].configuration.texts for at in (first, second))
        for number, each in enumerate(self._schema.integrations, 1):
            mine, its = self._facts(first, each.fields), self._facts(second, each.fields)
            if mine and its and any(one[name] != other[name] for name in each.fields):
                texts = self._pair_texts(a=first, b=second)
                asks = tuple(fill(ask, texts) for ask in each.ask)
                pattern = f"integration {number}"
                yield Drafted(
                    "information_integration", pattern, self._random.choice(asks), asks, (first, second), (*mine, *its)
                )

    def comparisons(self, first: int, second: int) -> Iterator[Drafted]:
        """Ask which of two documents has the higher number."""
        for number, each in enumerate(self._schema.comparisons, 1):
            yield from self._compared("numerical_comparison", f"comparison {number}", each, (first, second))

    def sequences(self, first: int, second: int) -> Iterator[Drafted]:
        """Ask in which of two documents something came first."""
        for number, each in enumerate(self._schema.sequences, 1):
            yield from self._compared("temporal_sequence", f"sequence {number}", each, (first, second))

    def _compared(
        self, kind: QuestionType, pattern: str, asked: Comparison | Order, pair: tuple[int, int]
    ) -> Iterator[Drafted]:
        """Compare a field of two documents, unless one lacks it or both are alike."""
        facts = tuple(fact for at in pair if (fact := self._fact(at, asked.field)))
        mine, other = (self._written[at].configuration.values.get(asked.field) for at in pair)
        if len(facts) < 2 or mine == other:
            return
        if isinstance(asked, Comparison) and isinstance(mine, Decimal) and isinstance(other, Decimal):
            (one, two), in_order = ("higher", "lower"), mine > other
            result = self._number(asked.field, asked.pattern, abs(mine - other))
        elif isinstance(mine, date) and isinstance(other, date):
            (one, two), in_order = ("earlier", "later"), mine < other
            result = self._apart((asked.field,), mine, other)
        else:
            return
        first, second = pair if in_order else pair[::-1]
        texts = self._pair_texts(**{"a": pair[0], "b": pair[1], one: first, two: second}) | {"result": result}
        asks = tuple(fill(ask, texts) for ask in asked.ask)
        conclusions = (fill(asked.conclusion, texts),)
        yield Drafted(kind, pattern, self._random.choice(asks), asks, pair, facts, conclusions, result)

    def _asking(self, asks: Sequence[str], at: int) -> tuple[str, ...]:
        """The questions whose own words hold nothing that the document is silent about."""
        document = self._written[at]
        texts = dict(document.configuration.texts)
        return tuple(fill(ask, texts) for ask in asks if document.unsaid.isdisjoint(placeholders(ask)))

    def _fact(self, at: int, name: str) -> Fact | None:
        """What the document says about a field, with the values that the statement leans on; None if it says less."""
        template, document = self._schema.fields[name].fact, self._written[at]
        if not template or not document.unsaid.isdisjoint(placeholders(template)):
            return None
        names = dict.fromkeys((name, *placeholders(template)))
        needed = tuple(each for each in names if each not in self._schema.key or each == name)
        if any(each not in document.places for each in needed):
            return None
        return Fact(fill(template, dict(document.configuration.texts)), at, needed)

    def _facts(self, at: int, names: Sequence[str]) -> tuple[Fact, ...]:
        """The facts of several fields; none where one is lacking."""
        found = [self._fact(at, name) for name in names]
        return tuple(fact for fact in found if fact is not None) if None not in found else ()

    def _pair_texts(self, **places: int) -> dict[str, str]:
        return {
            f"{prefix}.{name}": text
            for prefix, at in places.items()
            for name, text in self._written[at].configuration.texts.items()
        }

    def _number(self, name: str, pattern: str, value: Decimal) -> str:
        element = self._schema.fields[name]
        written_as = Element(type="number", pattern=pattern or element.pattern, grouped=element.grouped)
        return text_of(written_as, value, self._schema.language)

    def _apart(self, names: Sequence[str], first: date, second: date) -> str:
        """The time between two dates: in months where one of the fields is written without the day."""
        by_month = any(self._schema.fields[name].precision == "month" for name in names)
        months = 12 * (first.year - second.year) + first.month - second.month
        count = abs(months if by_month else (first - second).days)
        if self._schema.language == "zh":
            return f"{count}个月" if by_month else f"{count}天"
        return f"{count:,} {'month' if by_month else 'day'}{'' if count == 1 else 's'}"
