"""Questions of all types out of configurations, each with facts that answer it, in the documents that say them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random
from typing import TypeVar

from ragassay.records import QuestionType
from ragassay.synthesis.scenario.configuration import percentage, text_of
from ragassay.synthesis.scenario.question_types import TWO_DOCUMENTS
from ragassay.synthesis.scenario.schema import Comparison, Element, Schema, fill, placeholders
from ragassay.synthesis.scenario.schema import Sequence as Order
from ragassay.synthesis.scenario.writer import Written

T = TypeVar("T", Decimal, date)
_PAIRS_PER_DOCUMENT = 6
"""Pairs that a document is tried in, for each question about two: enough to choose from, linear in the documents."""
_MOST_FACTS = 5
"""Of an answer: RAGEval asks for three to five keypoints."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that stands alone; fields: what it says, the field asked for first, of the document at a place."""

    text: str
    document: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A question before it is an example. conclusions: what follows from the facts; documents: those it is about.

    asks: the wordings that it may have instead, each filled; ``question`` is one of them.
    """

    kind: QuestionType
    pattern: str
    question: str
    facts: tuple[Fact, ...]
    conclusions: tuple[str, ...]
    documents: tuple[int, ...]
    never_said: bool = False
    asks: tuple[str, ...] = ()

    @property
    def keypoints(self) -> tuple[str, ...]:
        """The conclusions, and the facts that they rest on; nothing for a question without an answer."""
        return (*self.conclusions, *(fact.text for fact in self.facts))


def drafts(schema: Schema, written: Sequence[Written], kind: QuestionType, random: Random) -> list[Drafted]:
    """All questions of one document, and for two documents those of a number of pairs linear in the documents."""
    if kind in TWO_DOCUMENTS:
        pairs = _pairs(len(written), random)
        return [each for first, second in pairs for each in _PAIRED[kind](schema, written, first, second, random)]
    return [each for at in range(len(written)) for each in _SINGLE[kind](schema, written, at, random)]


def _pairs(count: int, random: Random) -> list[tuple[int, int]]:
    if count < 2:
        return []
    found: dict[tuple[int, int], None] = {}
    for first in range(count):
        others = random.sample(range(count - 1), min(count - 1, _PAIRS_PER_DOCUMENT))
        for other in others:
            second = other + (other >= first)
            if (second, first) not in found:
                found[first, second] = None
    return list(found)


def _said(written: Written, templates: Sequence[str]) -> bool:
    return not written.unsaid.intersection(name for template in templates for name in placeholders(template))


def _asking(asks: Sequence[str], written: Written) -> tuple[str, ...]:
    """The questions whose own words hold nothing that the document is silent about."""
    texts = dict(written.configuration.texts)
    return tuple(fill(ask, texts) for ask in asks if _said(written, [ask]))


def _fact(schema: Schema, written: Sequence[Written], at: int, name: str) -> Fact | None:
    """What the document says about a field, with the values that the statement leans on; None where it says less."""
    template, document = schema.fields[name].fact, written[at]
    if not template or not _said(document, [template]):
        return None
    names = tuple(dict.fromkeys((name, *placeholders(template))))
    needed = tuple(each for each in names if each not in schema.key or each == name)
    if any(each not in document.places for each in needed):
        return None
    return Fact(fill(template, dict(document.configuration.texts)), at, needed)


def _facts(schema: Schema, written: Sequence[Written], at: int, names: Sequence[str]) -> tuple[Fact, ...] | None:
    found = [_fact(schema, written, at, name) for name in names]
    whole = [fact for fact in found if fact is not None]
    return tuple(whole) if len(whole) == len(found) else None


def _factual(schema: Schema, written: Sequence[Written], at: int, random: Random) -> Iterator[Drafted]:
    for name, element in schema.fields.items():
        asks, fact = _asking(element.ask, written[at]), _fact(schema, written, at, name)
        if asks and fact:
            yield Drafted("factual", name, random.choice(asks), (fact,), (), (at,), asks=asks)


def _summaries(schema: Schema, written: Sequence[Written], at: int, random: Random) -> Iterator[Drafted]:
    for number, summary in enumerate(schema.summaries, 1):
        said = [name for name in summary.fields if name not in written[at].unsaid]
        facts, asks = _facts(schema, written, at, said[:_MOST_FACTS]), _asking(summary.ask, written[at])
        if facts and asks and len(facts) > 2:
            yield Drafted("summarization", f"summary {number}", random.choice(asks), facts, (), (at,), asks=asks)


def _hops(schema: Schema, written: Sequence[Written], at: int, random: Random) -> Iterator[Drafted]:
    for number, hop in enumerate(schema.hops, 1):
        facts, asks = _facts(schema, written, at, hop.of), _asking(hop.ask, written[at])
        if not facts or not asks:
            continue
        configuration = written[at].configuration
        first, second = (configuration.values[name] for name in hop.of)
        result = ""
        if isinstance(first, Decimal) and isinstance(second, Decimal) and hop.kind in ("difference", "share"):
            if hop.kind == "difference" and first <= second:
                continue
            result = _number(schema, hop.of[0], hop.pattern, first - second)
            if hop.kind == "share":
                result = f"{percentage(first, second, 1)}%"
        elif isinstance(first, date) and isinstance(second, date) and hop.kind == "days":
            if first <= second:
                continue
            result = _apart(schema, hop.of, first, second)
        texts = {**configuration.texts, "result": result}
        conclusions = (fill(hop.conclusion, texts),) if hop.conclusion else ()
        yield Drafted("multi_hop", f"hop {number}", random.choice(asks), facts, conclusions, (at,), asks=asks)


def _unanswerable(schema: Schema, written: Sequence[Written], at: int, random: Random) -> Iterator[Drafted]:
    for name in sorted(written[at].unsaid - written[at].configuration.absent):
        asks = _asking(schema.fields[name].ask, written[at])
        if asks:
            yield Drafted("unanswerable", name, random.choice(asks), (), (), (at,), asks=asks)
    for number, absent in enumerate(schema.absent, 1):
        asks = _asking(absent.ask, written[at])
        if asks:
            yield Drafted("unanswerable", f"absent {number}", random.choice(asks), (), (), (at,), True, asks)


def _pair_texts(written: Sequence[Written], **places: int) -> dict[str, str]:
    return {
        f"{prefix}.{name}": text
        for prefix, at in places.items()
        for name, text in written[at].configuration.texts.items()
    }


def _integrations(
    schema: Schema, written: Sequence[Written], first: int, second: int, random: Random
) -> Iterator[Drafted]:
    for number, each in enumerate(schema.integrations, 1):
        facts = [_facts(schema, written, at, each.fields) for at in (first, second)]
        if facts[0] and facts[1] and not _alike(written[first], written[second], each.fields):
            asks = tuple(fill(ask, _pair_texts(written, a=first, b=second)) for ask in each.ask)
            yield Drafted(
                "information_integration",
                f"integration {number}",
                random.choice(asks),
                (*facts[0], *facts[1]),
                (),
                (first, second),
                asks=asks,
            )


def _alike(first: Written, second: Written, names: Sequence[str]) -> bool:
    """Whether one document would do, since both say the same of every field that is asked about."""
    return all(first.configuration.texts[name] == second.configuration.texts[name] for name in names)


def _comparisons(
    schema: Schema, written: Sequence[Written], first: int, second: int, random: Random
) -> Iterator[Drafted]:
    for number, each in enumerate(schema.comparisons, 1):
        sides = _sides(schema, written, first, second, each.field, Decimal)
        if sides is not None:
            facts, mine, other = sides
            higher, lower = (first, second) if mine > other else (second, first)
            texts = _pair_texts(written, a=first, b=second, higher=higher, lower=lower)
            texts["result"] = _number(schema, each.field, each.pattern, abs(mine - other))
            yield _of_sides("numerical_comparison", f"comparison {number}", each, facts, texts, random)


def _sequences(
    schema: Schema, written: Sequence[Written], first: int, second: int, random: Random
) -> Iterator[Drafted]:
    for number, each in enumerate(schema.sequences, 1):
        sides = _sides(schema, written, first, second, each.field, date)
        if sides is not None:
            facts, mine, other = sides
            earlier, later = (first, second) if mine < other else (second, first)
            texts = _pair_texts(written, a=first, b=second, earlier=earlier, later=later)
            texts["result"] = _apart(schema, (each.field,), mine, other)
            yield _of_sides("temporal_sequence", f"sequence {number}", each, facts, texts, random)


def _sides(
    schema: Schema, written: Sequence[Written], first: int, second: int, name: str, kind: type[T]
) -> tuple[tuple[Fact, Fact], T, T] | None:
    """Return the facts and values of a field in two documents; None where one lacks it or both are alike."""
    facts = [_fact(schema, written, at, name) for at in (first, second)]
    if not facts[0] or not facts[1]:
        return None
    mine, other = (written[at].configuration.values[name] for at in (first, second))
    if mine == other or not isinstance(mine, kind) or not isinstance(other, kind):
        return None
    return (facts[0], facts[1]), mine, other


def _of_sides(
    kind: QuestionType,
    pattern: str,
    asked: Comparison | Order,
    facts: tuple[Fact, Fact],
    texts: dict[str, str],
    random: Random,
) -> Drafted:
    asks = tuple(fill(ask, texts) for ask in asked.ask)
    places = (facts[0].document, facts[1].document)
    return Drafted(kind, pattern, random.choice(asks), facts, (fill(asked.conclusion, texts),), places, asks=asks)


def _number(schema: Schema, name: str, pattern: str, value: Decimal) -> str:
    element = schema.fields[name]
    written_as = Element(type="number", pattern=pattern or element.pattern, grouped=element.grouped)
    return text_of(written_as, value, schema.language)


def _apart(schema: Schema, names: Sequence[str], first: date, second: date) -> str:
    """The time between two dates: in months where one of the fields is written without the day."""
    if any(schema.fields[name].precision == "month" for name in names):
        count = abs(12 * (first.year - second.year) + first.month - second.month)
        return f"{count}个月" if schema.language == "zh" else f"{count:,} month{'' if count == 1 else 's'}"
    count = abs((first - second).days)
    return f"{count}天" if schema.language == "zh" else f"{count:,} day{'' if count == 1 else 's'}"


_SINGLE: dict[QuestionType, Callable[[Schema, Sequence[Written], int, Random], Iterator[Drafted]]] = {
    "factual": _factual,
    "summarization": _summaries,
    "multi_hop": _hops,
    "unanswerable": _unanswerable,
}
_PAIRED: dict[QuestionType, Callable[[Schema, Sequence[Written], int, int, Random], Iterator[Drafted]]] = {
    "information_integration": _integrations,
    "numerical_comparison": _comparisons,
    "temporal_sequence": _sequences,
}
