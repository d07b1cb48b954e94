"""Time between dated facts: ages, durations, periods of records."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.reckoning import find_dates, months_between, years_between
from ragassay.models.embedded.reasoning.events import pronoun_of
from ragassay.models.embedded.structure.drafts import Draft, Event, capitalised, pick
from ragassay.models.embedded.structure.record_keys import is_event


def distinct_events(facts: Sequence[Draft]) -> list[tuple[Draft, Event]]:
    """Dated facts, each event once."""
    seen: set[tuple[str, datetime.date]] = set()
    found = []
    for fact in facts:
        event = fact.event
        if event is None or len(event.told.split()) > 16 or _PLANNED.search(event.told):
            continue
        key = (
            fact.attribute.split()[0].removesuffix("ed"),
            event.date.first_day,
        )  # "joined" as a key and in a sentence
        if key not in seen:
            seen.add(key)
            found.append((fact, event))
    return found


_PLANNED = re.compile(r"\b(?:slated|scheduled|planned|expected|due|supposed|intended|set) (?:to|for)\b")
"""What was planned for a date need not have happened on it."""


def sources(*drafts: Draft) -> tuple[str, ...]:
    """The quotes of several drafts, each once."""
    return tuple(dict.fromkeys(quote for draft in drafts for quote in draft.quotes))


def ages(analysis: Analysis, dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """'How old was X when she won the title?'"""
    theme = analysis.profile.theme
    births = [(fact, event) for fact, event in dated if event.told == f"{theme} was born"]
    if not births or not analysis.profile.is_person:
        return
    birth_fact, birth = births[0]
    for fact, event in dated:
        if (
            event is birth
            or not event.subject_is_theme
            or not event.told.startswith(theme)
            or birth.date.precision != "day"
            or event.date.precision != "day"
        ):
            continue
        age = years_between(birth.date.first_day, event.date.first_day)
        if not 0 < age < 110 or _states_age(analysis.passage.text, age):
            continue
        told = event.told.removeprefix(theme).strip()
        pronoun = pronoun_of(analysis, told)
        if not pronoun:
            continue
        yield Draft(
            pattern="lifespan" if fact.quotes == birth_fact.quotes else "age",
            question=f"How old was {theme} when {pronoun} {told}?",
            answer=f"{age} years old",
            statement=f"{theme} was born {_at(birth)} and {told} {_at(event)}, {age} years old.",
            quotes=sources(birth_fact, fact),
            attribute="age",
        )


def _states_age(text: str, age: int) -> bool:
    """Whether a text gives an age of about so many years itself, rightly or by a year off."""
    years = "|".join(str(each) for each in (age - 1, age, age + 1))
    return re.search(rf"\b(?:aged?|age of|at) (?:{years})\b|\b(?:{years})(?: years old|-year-old)", text) is not None


def durations(dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """Whole years, months or days between two events of equal precision."""
    for (fact1, event1), (fact2, event2) in pairwise(sorted(dated, key=lambda pair: pair[1].date.first_day)):
        first, second = event1.date, event2.date
        if first.precision != second.precision or first.first_day == second.first_day or fact1.quotes == fact2.quotes:
            continue
        if first.precision == "year":
            count, unit = second.first_day.year - first.first_day.year, "year"
            if count < 2:
                continue
        elif first.precision == "month":
            count, unit = months_between(first.first_day, second.first_day), "month"
            if count > 36:
                continue
        else:
            count, unit = (second.first_day - first.first_day).days, "day"
            if count > 800:
                count, unit = years_between(first.first_day, second.first_day), "whole year"
        if count < 1:
            continue
        plural = unit if count == 1 else f"{unit}s"
        asked = event2.asked
        if event2.subject_is_theme and not event1.subject_is_theme:
            asked = fact2.event.asked if fact2.event else event2.asked
            continue
        span = unit if unit in {"year", "month"} else "day"
        wording = pick(
            (
                f"How many {unit}s after {event1.told} {asked}?",
                f"How many {unit}s passed between the {span} when {event1.told} and the {span} when {event2.told}?",
            ),
            event1.told,
        )
        if unit == "whole year":
            wording = f"How many whole years after {event1.told} {asked}?"
        yield Draft(
            pattern="duration",
            question=wording,
            answer=f"{count} {plural}",
            statement=f"{capitalised(event1.told)} {_at(event1)}; {event2.told} {_at(event2)}, "
            f"which is {count} {plural} later.",
            quotes=sources(fact1, fact2),
            attribute="duration",
        )


def _at(event: Event) -> str:
    return f"{'on' if event.date.precision == 'day' else 'in'} {event.date.text}"


_PERIODS = {
    ("opened", "closed"): "How many days was {} open?",
    ("effective from", "next review"): "How many days after {} takes effect is its next review due?",
    ("ordered", "delivered"): "How many days after {} was ordered was it delivered?",
    ("launched", "entered service"): "How many days after {} was launched did it enter service?",
    ("start", "report published"): "How many days after {} began was the report on it published?",
    ("end", "report published"): "How many days after the end of {} was the report on it published?",
}
"""Pairs of dated keys with a question about the days between them."""
_SPANS = {
    ("start", "end"): "How {} passed between the start and the end of {}?",
    ("start date", "end date"): "How {} passed between the start and the end of {}?",
    ("started", "ended"): "How {} passed between the start and the end of {}?",
    ("detected", "resolved"): "How {} passed from the detection of {} to its resolution?",
}
"""Pairs of keys with a question about the time between them, to the minute where both give the time of day; what goes
into it is 'many days' or 'much time', and the theme."""
_CLOCK = re.compile(r"\b(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)\b")


def key_periods(analysis: Analysis) -> Iterator[Draft]:
    """Time between two dated keys of one record."""
    theme = analysis.profile.theme
    groups: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for entry in analysis.keys:
        groups[entry.group][entry.name.lower()] = (entry.text, entry.quote)
    for keys in groups.values() if theme else ():
        for (start, end), question in {**_PERIODS, **_SPANS}.items():
            if start not in keys or end not in keys:
                continue
            is_span = (start, end) in _SPANS
            if (is_span or start in {"start", "end"}) and not is_event(theme):
                continue  # the passenger details had no start
            count = _between(keys[start][0], keys[end][0], to_the_minute=is_span)
            if count is None or (is_span and _states_length(analysis.passage.text, count)):
                continue
            statement = f"{capitalised(start)}: {keys[start][0]}; {end}: {keys[end][0]}; that is {_told(count)} later."
            yield Draft(
                pattern="period",
                question=question.format("much time" if count.seconds else "many days", theme)
                if is_span
                else question.format(theme),
                answer=_told(count),
                statement=statement,
                quotes=(keys[start][1], keys[end][1]),
                attribute="duration",
            )


def _between(first: str, second: str, *, to_the_minute: bool) -> datetime.timedelta | None:
    """The time from one date to another, None where a text has not exactly one day or the second comes first.

    to_the_minute: both must give the time of day, or neither.
    """
    one, other = find_dates(first), find_dates(second)
    if len(one) != 1 or len(other) != 1 or not one[0].precision == other[0].precision == "day":
        return None
    length = datetime.timedelta(days=(other[0].first_day - one[0].first_day).days)
    if to_the_minute:
        clocks = [_CLOCK.findall(text) for text in (first, second)]
        if len(clocks[0]) != len(clocks[1]) or len(clocks[0]) > 1:
            return None
        if clocks[0]:
            minutes = [int(hour) * 60 + int(minute) for ((hour, minute),) in clocks]
            length += datetime.timedelta(minutes=minutes[1] - minutes[0])
    return length if length > datetime.timedelta(0) else None


def _told(length: datetime.timedelta) -> str:
    """'3 days', '2 days, 8 hours and 30 minutes'."""
    hours, minutes = divmod(length.seconds // 60, 60)
    parts = [
        f"{count} {unit}{'s' if count > 1 else ''}"
        for count, unit in ((length.days, "day"), (hours, "hour"), (minutes, "minute"))
        if count
    ]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


_LENGTH = re.compile(r"\b(?P<number>\d+(?:\.\d+)?|[a-z]+)(?P<half> and a half)? (?P<unit>minute|hour|day)s?\b")
_NUMBER_WORDS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
}
_MINUTES = {"minute": 1, "hour": 60, "day": 1440}


def _states_length(text: str, length: datetime.timedelta) -> bool:
    """Whether a text gives a length of about so much time itself, rightly or by a fifth off."""
    for match in _LENGTH.finditer(text.lower()):
        word = match["number"]
        number = float(word) if word[0].isdigit() else float(_NUMBER_WORDS.get(word, 0))
        minutes = (number + (0.5 if match["half"] else 0)) * _MINUTES[match["unit"]]
        if abs(minutes - length.total_seconds() / 60) <= length.total_seconds() / 60 / 5:
            return True
    return False
