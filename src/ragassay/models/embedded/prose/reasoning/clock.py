"""Times of day and days of the year as limits: "Is it in time if I call at 17:30?" from "Call before 17:00."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.limits import plural
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause, stated
from ragassay.models.embedded.prose.reasoning.requirements import on_duty
from ragassay.models.embedded.prose.reasoning.rules import denied, present, usable
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

MONTHS = "January February March April May June July August September October November December".split()
DAYS_OF = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_CLOCK = r"(\d{1,2})(?:[:.](\d\d))?(?:\s?([ap])\.?m\b\.?)?"
_NAMES = "|".join(MONTHS)
_DAY = rf"(?:(\d{{1,2}})(?:st|nd|rd|th)? ({_NAMES})|({_NAMES}) (\d{{1,2}})(?:st|nd|rd|th)?)(?!\w)(?:,? (\d{{4}}))?"
_BY_CLOCK = re.compile(rf"\b(?:by|before|no later than|until) {_CLOCK}(?![\w:%])", re.I)
_BY_DAY = re.compile(rf"\b(?:by|before|no later than|on or before) (?:the )?{_DAY}", re.I)
_HOURS = re.compile(rf"\b(?:from|between) {_CLOCK} (?:to|and|until|till) {_CLOCK}(?![\w:%])", re.I)


class Clock(NamedTuple):
    """Minutes since midnight, and how the text writes times."""

    minutes: int
    dotted: str
    half: str

    def written(self, minutes: int) -> str:
        """Another time in the same style: "17:30", "5:30 p.m."."""
        hour, minute = divmod(minutes, 60)
        if self.half:
            mark = "a.m." if hour < 12 else "p.m."
            shown = hour % 12 or 12
            return f"{shown}:{minute:02d} {mark}" if minute else f"{shown} {mark}"
        return f"{hour}{self.dotted or ':'}{minute:02d}"


def clock(hour: str, minute: str | None, half: str | None) -> Clock | None:
    """The time of day; None for what is none, or could be either half of the day."""
    if minute is None and not half:
        return None
    value = int(hour)
    if half:
        value = value % 12 + (12 if half.lower() == "p" else 0)
    if value > 23 or int(minute or 0) > 59:
        return None
    return Clock(value * 60 + int(minute or 0), ":", half or "")


@source(
    "by_the_clock",
    infers="whether a time of day is early enough",
    example="Is it in time if I call at 17:45? No; you must call before 17:00.",
    accepted=0.55,
)
def by_the_clock(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        match = _BY_CLOCK.search(told.doc.text)
        if (
            match is None
            or not usable(clause)
            or denied(clause)
            or not (on_duty(clause) or clause.modal == "should" or clause.imperative)
        ):
            continue
        limit = clock(*match.groups())
        span = told.doc.char_span(*match.span(), alignment_mode="expand")
        if limit is None or span is None or not {t.i for t in span} <= {t.i for t in clause.members}:
            continue
        late = choice(told.doc.text, 3) > 0
        minutes = limit.minutes + (45 if late else -75)
        if not 0 < minutes < 24 * 60:
            continue
        yield _in_time(told, clause, list(span), f"at {limit.written(minutes)}", not late)


@source(
    "by_the_day",
    infers="whether a day of the year is early enough",
    example="Is it in time if I register on 9 April? No; you must register by 31 March.",
    accepted=0.55,
)
def by_the_day(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        match = _BY_DAY.search(told.doc.text)
        if match is None or not usable(clause) or denied(clause) or not present(clause):
            continue
        if not (on_duty(clause) or clause.modal in ("should", "can", "may") or clause.imperative):
            continue
        day, month, month_first, day_after, year = match.groups()
        name = (month or month_first).capitalize()
        span = told.doc.char_span(*match.span(), alignment_mode="expand")
        if span is None or not {t.i for t in span} <= {t.i for t in clause.members}:
            continue
        late = choice(told.doc.text, 3) > 0
        other = _shifted(MONTHS.index(name), int(day or day_after), 9 if late else -12)
        if other is None:
            continue
        new_month, new_day = MONTHS[other[0]], other[1]
        text = f"{new_day} {new_month}" if day else f"{new_month} {new_day}"
        if year:
            text += f" {year}" if day else f", {year}"
        yield _in_time(told, clause, list(span), f"on {text}", not late)


def _shifted(month: int, day: int, days: int) -> tuple[int, int] | None:
    """Month (from 0) and day after some days, within the same year; None outside it or for no day at all."""
    if not 1 <= day <= DAYS_OF[month]:
        return None
    number = sum(DAYS_OF[:month]) + day + days
    if not 1 <= number <= 365:
        return None
    for at, length in enumerate(DAYS_OF):
        if number <= length:
            return at, number
        number -= length
    return None


def _in_time(told: Told, clause: Clause, span: list[Token], text: str, early: bool) -> Inferred:
    """The question whether that is in time, with ``text`` for the limit."""
    own = of_clause(clause)
    words, forms = own.form("finite")
    inside = {token.i for token in span}
    pieces: Pieces = []
    for word in words:
        if isinstance(word, str) or word.i not in inside:
            pieces.append(word)
        elif text not in pieces:
            pieces.append(text)
    fronted: Pieces = [token for phrase in clause.fronted for token in phrase]
    question: Pieces = ["is it in time if", *own.subject_pieces(), *pieces, *fronted]
    return Inferred(told, question, "Yes" if early else "No", stated(clause), forms=forms)


@source(
    "opening_hours",
    infers="whether something is so at a time of day, from the hours between which it is",
    example="Is the library open at 18:30 on weekdays? No; the library is open from 9:00 to 17:00 on weekdays.",
    accepted=0.55,
)
def opening_hours(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        match = _HOURS.search(told.doc.text)
        if match is None or not usable(clause) or denied(clause) or not present(clause) or clause.imperative:
            continue
        if not (clause.verb.lemma_ == "be" or clause.modal in ("can", "may")) or len(_HOURS.findall(told.doc.text)) > 1:
            continue
        groups = match.groups()
        start, end = clock(*groups[:3]), clock(*groups[3:])
        span = told.doc.char_span(*match.span(), alignment_mode="expand")
        if start is None or end is None or span is None or start.minutes >= end.minutes:
            continue
        inside = {t.i for t in span}
        if not inside <= {t.i for t in clause.members}:
            continue
        turned = inverted(clause, "")
        if turned is None:
            continue
        later = choice(told.doc.text, 3) > 0
        minutes = end.minutes + 75 if later else (start.minutes + end.minutes) // 2 // 30 * 30
        if minutes >= 24 * 60:
            continue
        text = f"at {end.written(minutes)}"
        pieces: Pieces = []
        for piece in turned.pieces:
            if isinstance(piece, str) or piece.i not in inside:
                pieces.append(piece)
            elif text not in pieces:
                pieces.append(text)
        yield Inferred(told, pieces, "No" if later else "Yes", stated(clause), forms=turned.forms)


_EVERY = re.compile(r"\bevery (?:(?P<n>\d+|two|three|four|five|six) )?(?P<unit>hour|day|week|month|quarter|year)s?\b")
_NEXT = {"two": "four", "three": "five", "four": "six", "five": "eight", "six": "nine"}


@source(
    "interval",
    infers="whether a longer interval is enough, from how often something must be done",
    example="Is it enough if the oil is changed every five months? No; the oil must be changed every three months.",
    accepted=0.55,
)
def interval(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        match = _EVERY.search(told.doc.text)
        if match is None or not usable(clause) or not on_duty(clause):
            continue
        span = told.doc.char_span(*match.span(), alignment_mode="expand")
        if span is None or not {t.i for t in span} <= {t.i for t in clause.members}:
            continue
        number, unit = match["n"], match["unit"]
        more = (
            "two"
            if not number
            else _NEXT.get(number) or str(int(number) * 4 // 3 if int(number) > 5 else int(number) + 2)
        )
        text = f"every {more} {plural(unit)}"
        own = of_clause(clause)
        words, forms = own.form("finite")
        inside = {t.i for t in span}
        pieces: Pieces = []
        for word in words:
            if isinstance(word, str) or word.i not in inside:
                pieces.append(word)
            elif text not in pieces:
                pieces.append(text)
        question: Pieces = ["is it enough if", *own.subject_pieces(), *pieces]
        yield Inferred(told, question, "No", stated(clause), forms=forms)
