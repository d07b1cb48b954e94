"""The embedded model's way to harder questions: from a fact to what follows from it, from two facts to a comparison.

Rules do not rewrite a seed. They look for a question that needs the seed's statement and another one: of the same
passage for an inference, of another document for a comparison.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import handler
from ragassay.models.embedded.reading.analysis import Analysis, analyse
from ragassay.models.embedded.reading.grammar import noun_phrase
from ragassay.models.embedded.reading.reckoning import DateSpan, whole_amount, years_between
from ragassay.models.embedded.reasoning.events import dated_events
from ragassay.models.embedded.reasoning.table_comparisons import has_more
from ragassay.models.embedded.structure.drafts import Draft, Event, fault_of
from ragassay.models.embedded.structure.record_keys import is_attribute
from ragassay.models.embedded.writing.pairs import drawn, found_in
from ragassay.models.embedded.writing.statements import drafts_of_facts
from ragassay.records import Label
from ragassay.tasks.evolved import CombinedPair, CombinedPairs, SeedOnPassage, SeedsOnTwo, TwoDocumentKind
from ragassay.tasks.labelling import Pair
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.statements import Statement


def _reasoning(encoder: Encoder, inputs: Sequence[SeedOnPassage]) -> list[Reply[GroundedPairs]]:
    """A conclusion that rests on the seed's statement and on others; none where nothing follows from it."""
    replies: list[Reply[GroundedPairs]] = []
    for each in inputs:
        request = PairRequest(passage=each.passage, asked=(each.seed.question,))
        conclusions = found_in(encoder, each.passage).conclusions
        of_seed = [conclusion for conclusion in conclusions if _rests_on(conclusion, each.seed)]
        replies.append(Reply(GroundedPairs(items=tuple(islice(drawn(encoder, request, of_seed, "reasoning"), 1)))))
    return replies


def _rests_on(conclusion: Statement, seed: GroundedPair) -> bool:
    return len(conclusion.quotes) > 1 and any(a in b or b in a for a in conclusion.quotes for b in seed.quotes)


def _combined(encoder: Encoder, inputs: Sequence[SeedsOnTwo]) -> list[Reply[CombinedPairs]]:
    replies = []
    for each in inputs:
        found = [pair for pair in _comparisons(encoder, each) if _reads_as_harder(encoder, each, pair)]
        random.Random(f"{each.first.text} {each.second.text}").shuffle(found)
        seeds = (*each.first_seed.quotes, *each.second_seed.quotes)
        found.sort(key=lambda pair: -sum(quote in seeds for quote in (*pair.first_quotes, *pair.second_quotes)))
        replies.append(Reply(CombinedPairs(items=tuple(found[:1]))))
    return replies


def _reads_as_harder(encoder: Encoder, inputs: SeedsOnTwo, pair: CombinedPair) -> bool:
    """Whether the labeller takes the question for what it is: one that a single fact does not answer."""
    context = f"{inputs.first.text}\n\n{inputs.second.text}"
    verdict = handler("label")(encoder, [Pair(context=context, question=pair.question, answer=pair.answer)])[0].value
    return verdict is not None and verdict.label == LABEL_OF_KIND[pair.kind]


LABEL_OF_KIND: Mapping[TwoDocumentKind, Label] = {
    "information_integration": "summary",
    "numerical_comparison": "reasoning",
    "temporal_sequence": "reasoning",
}


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two documents. name: what it is about, as questions call it."""

    name: str
    is_person: bool
    facts: tuple[Draft, ...]


def _comparisons(encoder: Encoder, inputs: SeedsOnTwo) -> Iterator[CombinedPair]:
    sides = []
    if not {inputs.first.language, inputs.second.language} <= _ENGLISH:
        return  # rules ask in English only
    for passage in (inputs.first, inputs.second):
        found = found_in(encoder, passage, facts_only=True)
        if found.theme:
            analysis: Analysis = analyse(passage, found.theme)
            facts = (*drafts_of_facts(passage, found.theme), *dated_events(analysis))
            sides.append(_Side(found.theme, analysis.profile.is_person, facts))
    if len(sides) < 2 or sides[0].name.lower() == sides[1].name.lower():
        return
    first, second = sides
    for rule in (_earlier, _years_apart, _larger, _both):
        yield from rule(first, second)


class _Dated(NamedTuple):
    """What dates an event of one of the two."""

    side: _Side
    fact: Draft
    date: DateSpan


def _events(side: _Side) -> dict[str, tuple[Draft, Event]]:
    """What happened to the subject, without its name: 'was founded' to the fact that dates it."""
    found: dict[str, tuple[Draft, Event]] = {}
    for fact in side.facts:
        event = fact.event
        if event is not None and event.subject_is_theme and event.told.startswith(f"{side.name} "):
            found.setdefault(event.told.removeprefix(f"{side.name} "), (fact, event))
    return found


_ENGLISH = frozenset({"en", "und"})
_LONGEST_EVENT_WORDS = 6


def _shared_events(first: _Side, second: _Side) -> Iterator[tuple[str, list[_Dated]]]:
    """What happened to both, with the two of them in the order of time; nothing where that cannot be told."""
    of_second = _events(second)
    for happened, (fact1, event1) in _events(first).items():
        if happened not in of_second or len(happened.split()) > _LONGEST_EVENT_WORDS:
            continue
        fact2, event2 = of_second[happened]
        order = _order(event1.date, event2.date)
        if order:
            yield happened, [_Dated(first, fact1, event1.date), _Dated(second, fact2, event2.date)][::-order]


def _earlier(first: _Side, second: _Side) -> Iterator[CombinedPair]:
    """'Which was founded earlier, A or B?'"""
    for happened, (earlier, later) in _shared_events(first, second):
        who = "Who" if first.is_person or second.is_person else "Which"
        yield from _pair(
            "temporal_sequence",
            "earlier_of_two",
            f"{who} {happened} earlier, {first.name} or {second.name}?",
            earlier.side.name,
            f"({earlier.date.text}; {later.side.name}: {later.date.text})",
            *((earlier.fact, later.fact) if earlier.side is first else (later.fact, earlier.fact)),
        )


def _years_apart(first: _Side, second: _Side) -> Iterator[CombinedPair]:
    """'How many whole years after A was founded was B founded?'"""
    for happened, (earlier, later) in _shared_events(first, second):
        years = years_between(earlier.date.first_day, later.date.first_day)
        precise = earlier.date.precision == later.date.precision == "day"
        if not happened.startswith("was ") or not precise or years < 1:
            continue
        unit = "year" if years == 1 else "years"
        yield from _pair(
            "temporal_sequence",
            "years_between_two",
            f"How many whole years after {earlier.side.name} {happened} was {later.side.name} {happened[4:]}?",
            f"{years} {unit}",
            f"({earlier.date.text}; {later.side.name}: {later.date.text})",
            *((earlier.fact, later.fact) if earlier.side is first else (later.fact, earlier.fact)),
        )


def _order(one: DateSpan, other: DateSpan) -> int:
    """-1 where the first date is the earlier one, 1 where the second is, 0 where that cannot be told."""
    a, b = one.first_day, other.first_day
    for parts_a, parts_b, needed in (
        ((a.year,), (b.year,), ("day", "month", "year")),
        ((a.year, a.month), (b.year, b.month), ("day", "month")),
        ((a.year, a.month, a.day), (b.year, b.month, b.day), ("day",)),
    ):
        if one.precision not in needed or other.precision not in needed:
            return 0
        if parts_a != parts_b:
            return -1 if parts_a < parts_b else 1
    return 0


_NOT_TOLD = frozenset("start end name title date time".split())
"""Attributes that read badly as 'the ... of A': 'the start of the fire'."""
_NOT_COMPARED = re.compile(r"\b(?:year|number|no|id|code|date|phone|telephone|address|version)\b")


def _attributes(side: _Side) -> dict[str, Draft]:
    """What is stated of the subject itself, by nouns that can stand after 'the'; not 'joined on'.

    A page with a record for each of several ships states nothing of itself.
    """
    name = side.name.lower().removeprefix("the ")
    facts = [fact for fact in reversed(side.facts) if fact.pattern == "key_value" and name in fact.question.lower()]
    return {fact.attribute: fact for fact in facts if fact.attribute and is_attribute(fact.attribute)}


def _larger(first: _Side, second: _Side) -> Iterator[CombinedPair]:
    """'Which has the larger total area, A or B?'"""
    of_second = _attributes(second)
    for noun, fact1 in _attributes(first).items():
        fact2 = of_second.get(noun)
        one, other = whole_amount(fact1.answer), whole_amount(fact2.answer) if fact2 else None
        if fact2 is None or one is None or other is None or one.unit != other.unit or one.value == other.value:
            continue
        if not one.unit or _NOT_COMPARED.search(noun):
            continue  # bare numbers may count unlike things
        larger, smaller = (first, second) if one.value > other.value else (second, first)
        amounts = (one, other) if one.value > other.value else (other, one)
        yield from _pair(
            "numerical_comparison",
            "larger_of_two",
            f"Which {has_more(noun, one.unit)}, {first.name} or {second.name}?",
            larger.name,
            f"({amounts[0].text}; {smaller.name}: {amounts[1].text})",
            fact1,
            fact2,
        )


def _both(first: _Side, second: _Side) -> Iterator[CombinedPair]:
    """'What is the residence of A, and what is that of B?'"""
    of_second = _attributes(second)
    for noun, fact1 in _attributes(first).items():
        fact2 = of_second.get(noun)
        if fact2 is not None and noun not in _NOT_TOLD:
            yield from _told_of_both(_asked_of_both(noun, first, second, fact1), first, second, fact1, fact2)


def _asked_of_both(noun: str, first: _Side, second: _Side, fact: Draft) -> str:
    plural = noun_phrase(noun)[-1].tag == "NNS"
    if plural and fact.answer.replace(",", "").isdecimal():
        return f"How many {noun} does {first.name} have, and how many does {second.name} have?"
    is_, that = ("are", "those") if plural else ("is", "that")
    return f"What {is_} the {noun} of {first.name}, and what {is_} {that} of {second.name}?"


def _told_of_both(question: str, first: _Side, second: _Side, fact1: Draft, fact2: Draft) -> Iterator[CombinedPair]:
    yield from _pair(
        "information_integration",
        "told_of_two",
        question,
        "",
        f"{first.name}: {fact1.answer.rstrip('.')}; {second.name}: {fact2.answer.rstrip('.')}",
        fact1,
        fact2,
    )


def _pair(
    kind: TwoDocumentKind, pattern: str, question: str, choice: str, values: str, fact1: Draft, fact2: Draft
) -> Iterator[CombinedPair]:
    """The pair, unless its question is broken. choice: which of the two; values: what decides, or is told of both."""
    statement = " ".join(dict.fromkeys((fact1.statement, fact2.statement)))
    told = f"{fact1.answer} {fact2.answer}"  # the names that the answer repeats are no leak
    draft = Draft(pattern=pattern, question=question, answer=told, statement=statement, quotes=("",))
    if fault_of(draft, "") is None:
        yield CombinedPair(
            question=question,
            answer=" ".join(filter(None, (choice, values))),
            kind=kind,
            first_quotes=fact1.quotes,
            second_quotes=fact2.quotes,
            pattern=pattern,
            statement=statement,
        )


HANDLERS = {"evolve_reasoning": _reasoning, "evolve_combined": _combined}
