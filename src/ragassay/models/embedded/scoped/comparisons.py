"""Two statements of one document put together: amounts compared, dated events ordered, steps of a procedure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from ragassay.models.embedded.analysis import Analysis, is_self_contained
from ragassay.models.embedded.drafts import Draft, content_words
from ragassay.models.embedded.grammar import clause_of, inflect, lemma, tokens_of
from ragassay.models.embedded.scoped.amounts import Measured, measured_facts
from ragassay.models.embedded.scoped.scope import scoped, source_of, subject_in_sentence
from ragassay.models.embedded.scoped.sections import topic_of
from ragassay.models.embedded.tagger import is_word
from ragassay.models.embedded.time_rules import distinct_events, durations, sources
from ragassay.text import sentences

_MOST_PAIRS = 12
_HEDGED = re.compile(
    r"\b(?:up to|about|approximately|around|over|nearly|almost|roughly|more|less|fewer|some|most|least|maximum|"
    r"minimum)\b",
    re.IGNORECASE,
)


def amount_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """'Which is longer: the time within which X must be reported or that within which Y must be returned?'"""
    by_unit: dict[str, list[Measured]] = defaultdict(list)
    for fact in measured_facts(analysis):
        if fact.unit and fact.nominal and len(fact.nominal.split()) <= 14:
            by_unit[_comparable(fact)].append(fact)
    for unit, facts in by_unit.items():
        for one, other in list(combinations(facts, 2))[:_MOST_PAIRS]:
            if one.value != other.value and one.draft.quotes != other.draft.quotes:
                yield from _compared(analysis, one, other, unit)


def _comparable(fact: Measured) -> str:
    """Amounts under one key can be compared: times of one preposition, money, numbers of one noun of one verb."""
    if fact.unit == "time":
        return f"time {fact.nominal.split()[2]}"
    if re.match(r"[£$€]", fact.unit):
        return fact.unit
    return f"number {fact.draft.attribute}"


def _compared(analysis: Analysis, one: Measured, other: Measured, unit: str) -> Iterator[Draft]:
    word = "longer" if unit.startswith("time") else "larger"
    if _HEDGED.search(one.draft.answer) or _HEDGED.search(other.draft.answer):
        return  # about five and over four cannot be told apart
    larger, smaller = (one, other) if one.value > other.value else (other, one)
    first, second = (one, other) if sum(one.nominal.encode()) % 2 else (other, one)
    answer = larger.nominal[:1].upper() + larger.nominal[1:]
    yield from scoped(
        analysis,
        Draft(
            pattern="compared_amounts",
            question=f"which is {word}: {first.nominal} or {_that(first.nominal, second.nominal)}?",
            answer=f"{answer} ({larger.draft.answer.lower()}, against {smaller.draft.answer.lower()})",
            statement=f"{one.draft.statement} {other.draft.statement}",
            quotes=sources(one.draft, other.draft),
            attribute=unit,
        ),
    )


def _that(first: str, second: str) -> str:
    """'that within which ...' for a second 'the time within which ...'."""
    head = re.match(r"the (?:time|amount|number of [a-z -]+?) (?=within|for|after|that|to|on|in|over|from)", second)
    if head and first.startswith(head.group()):
        return (
            f"that {second[head.end() :].removeprefix('that ')}"
            if "that " not in second[head.end() - 1 : head.end() + 5]
            else second
        )
    return second


def event_orders(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """Which of two dated events was earlier, and how long lay between them; events of any subject."""
    dated = distinct_events([fact for fact in facts if fact.event is not None])
    for draft in durations(dated):
        lowered = draft.question[:1].lower() + draft.question[1:]
        yield from scoped(analysis, replace(draft, question=lowered))
    ordered = sorted(dated, key=lambda pair: pair[1].date.first_day)
    for (fact1, event1), (fact2, event2) in pairwise(ordered):
        if event1.date.first_day.year == event2.date.first_day.year and event1.date.precision != event2.date.precision:
            continue
        if event1.date.first_day == event2.date.first_day or fact1.quotes == fact2.quotes:
            continue
        told = (event1.told, event2.told) if sum(event1.told.encode()) % 2 else (event2.told, event1.told)
        if len(" ".join(told).split()) > 18 or any(" or " in each or "," in each for each in told):
            continue
        yield from scoped(
            analysis,
            Draft(
                pattern="event_order",
                question=f"which happened first: {told[0]} or {told[1]}?",
                answer=f"{event1.told[:1].upper()}{event1.told[1:]} ({event1.date.text}, against {event2.date.text})",
                statement=f"{fact1.statement} {fact2.statement}",
                quotes=sources(fact1, fact2),
                attribute="order",
            ),
        )


_CLAUSE_END = re.compile(r"[:;,(“”\"]| (?:and|or|then|until|so|if|when|before|after|by|which|that|because) |\.$|\. ")


def step_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """'Which comes first when changing the filter: removing the old filter or closing the cover?'"""
    source = source_of(analysis)
    for listed in analysis.lists if source else ():
        if not listed.ordered or not 3 <= len(listed.items) <= 15:
            continue
        told = [(place, item, gerund) for place, item in enumerate(listed.items) if (gerund := _doing(item))]
        if len(told) * 3 < len(listed.items) * 2 or len({gerund for _, _, gerund in told}) < len(told):
            continue
        where = _under(analysis, listed.section)
        for (place1, item1, first), (place2, item2, second) in list(zip(told, told[2:] or told[1:], strict=False))[:4]:
            shown = (first, second) if sum(first.encode()) % 2 else (second, first)
            yield from scoped(
                analysis,
                Draft(
                    pattern="step_first",
                    question=f"which step comes first{where}: {shown[0]} or {shown[1]}?",
                    answer=f"{first[:1].upper()}{first[1:]} (step {place1 + 1}, before step {place2 + 1})",
                    statement=f"In {source}, {first} is step {place1 + 1}, {second} is step {place2 + 1}.",
                    quotes=(next(iter(sentences(item1))), next(iter(sentences(item2)))),
                    attribute="order",
                ),
            )


def _under(analysis: Analysis, section: str) -> str:
    """' when changing the filter' for the section with that heading; '' where it says nothing of use."""
    topic = topic_of(section, analysis)
    if not topic or topic in analysis.profile.theme.lower():
        return ""
    return f" when {topic}" if tokens_of(topic)[0].tag == "VBG" else f" under “{topic}”"


def _goes_on(cut_at: str, after: str) -> bool:
    """Whether an instruction was cut inside a noun phrase: 'Click Save or Save As'."""
    if cut_at.strip() not in {"and", "or"}:
        return False
    word = re.match(r"[a-z]+", after)
    return word is None or not tokens_of(f"to {word.group()} it")[1].tag.startswith("VB")


def _doing(item: str) -> str | None:
    """'Peel the potatoes and boil them for 18 minutes.' as 'peeling the potatoes'; None where it is no instruction."""
    text = item.strip()
    end = _CLAUSE_END.search(f"{text} ")
    if end is not None and _goes_on(end.group(), f"{text} "[end.end() :]):
        return None
    words = (text[: end.start()] if end else text).split()
    if not 3 <= len(words) <= 8 or not re.fullmatch(r"[A-Z][a-z]+", words[0]):
        return None
    verb, rest = words[0].lower(), " ".join(words[1:])
    tagged = tokens_of(f"to {verb} {rest}")
    if not is_word(verb) or words[1] == "of":
        return None
    if lemma(verb) != verb or verb in {"be", "see", "note", "do", "the", "if"}:
        return None
    if not (tagged[2].tag in {"DT", "PRP$"} or tokens_of(verb)[0].tag in {"VB", "VBP"}) or tagged[-1].tag in {
        "IN",
        "DT",
        "TO",
        "CC",
    }:
        return None
    if not is_self_contained(rest, subject_is_theme=False) or len(content_words(rest)) < 1:
        return None
    return f"{inflect(verb, 'VBG')} {rest}"


_AT = re.compile(
    r"^(?P<hour>[0-2]?\d)[:.](?P<minute>[0-5]\d)(?: ?(?:UTC|GMT|CET|h))?[\s,:–—-]+(?P<told>[A-Z][^.]+)\.?$"
)


def timelines(analysis: Analysis) -> Iterator[Draft]:
    """'How many minutes passed between ...?', of a list whose items begin with the time of day."""
    for listed in analysis.lists:
        found = [(item, match) for item in listed.items if (match := _AT.match(item.strip()))]
        if len(found) < 3 or len(found) * 3 < len(listed.items) * 2:
            continue
        told = []
        for item, match in found:
            clause = clause_of(f"{match['told']}.")
            is_clear = clause is not None and is_self_contained(match["told"], subject_is_theme=False)
            if clause is not None and is_clear and not clause.front and len(match["told"].split()) <= 10:
                event = f"{subject_in_sentence(clause, analysis)} {match['told'][len(clause.subject) :].strip()}"
                told.append((item, event, int(match["hour"]) * 60 + int(match["minute"]), match))
        for (item1, event1, at1, match1), (item2, event2, at2, match2) in combinations(told, 2):
            if not 0 < at2 - at1 <= 240:
                continue
            clocks = [f"{each['hour']}:{each['minute']}" for each in (match1, match2)]
            yield from scoped(
                analysis,
                Draft(
                    pattern="minutes_between",
                    question=f"how many minutes passed between the time when {event1} and the time when {event2}?",
                    answer=f"{at2 - at1} minutes ({clocks[0]} to {clocks[1]})",
                    statement=f"{event1[:1].upper()}{event1[1:]} at {clocks[0]}; {event2} at {clocks[1]}.",
                    quotes=(item1, item2),
                    attribute="duration",
                ),
            )
