"""Two dated events of one subject: which came first, and how long lay between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.phrasing import choice
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.spans import When, dated_events, gender, years_between
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

LONGEST = 15
_UNTOLD = frozenset("be have begin start continue remain use see make do include say report note announce".split())
"""English verbs that do not tell which event is meant."""
_AGAIN = frozenset("again also later then still until since while when before after same another other further".split())


class Event(NamedTuple):
    """What a subject did on a date. who: the subject's name."""

    told: Told
    clause: Clause
    when: When
    who: str


def _events(reading: Reading) -> Iterator[Event]:
    for told, clause, when in dated_events(reading):
        if clause.head is None or clause.verb.lemma_ in ("bear", "die", "release"):
            continue
        if (clause.verb.lemma_ in _UNTOLD and not clause.passive) or len(clause.members) > LONGEST:
            continue
        gone = {token.i for token in when.tokens}
        rest = [token for token in clause.members if token.i not in gone]
        if any(token.lower_ in _AGAIN for token in rest) or len(rest) < 2 or clause.negated:
            continue
        if any(token.i not in gone for phrase in clause.fronted for token in phrase):
            continue
        if told.resolved.dangling & {token.i for token in (*clause.subject, *rest)}:
            continue
        who = told.write(clause.subject, asker=False)
        if clause.head.pos_ in ("NOUN", "PROPN") or clause.head.i in told.resolved.references:
            yield Event(told, clause, when, who)


def _pairs(reading: Reading) -> Iterator[tuple[Event, Event]]:
    """Each two events in a row of one subject, the earlier one first."""
    last: dict[str, Event] = {}
    for event in _events(reading):
        before = last.get(event.who)
        last[event.who] = event
        if before is None or before.clause is event.clause:
            continue
        one, two = before.when, event.when
        if one.year < two.year or (one.year == two.year and 0 < one.month < two.month):
            yield before, event


def _pronoun(reading: Reading, event: Event) -> str:
    """he, she, it or they for the subject; empty where that is not certain."""
    head = event.clause.head
    name = reading.setting.name
    if head is None:
        return ""
    if bool(head.conjuncts) or head.tag_ == "NNS":
        return "they"
    if head.tag_ == "NNPS" and head.ent_type_ != "ORG":
        return ""
    if name is not None and name.text == event.who:
        return gender(reading) if name.person else "it"
    if head.ent_type_ == "PERSON" or is_person(head):
        return ""
    return "it" if head.pos_ == "NOUN" or head.ent_type_ in ("ORG", "FAC", "PRODUCT", "WORK_OF_ART") else ""


_OPENING = frozenset(
    "join marry move meet graduate appoint elect found establish open build launch enter sign retire".split()
)
"""English verbs of events that others are counted from."""


def _related(first: Event, second: Event) -> bool:
    """Whether the time between two events says something: the first opens a period, or both are about one thing."""
    if first.clause.verb.lemma_ in _OPENING:
        return True
    one, two = (
        {t.lemma_.lower() for t in event.clause.members if t.pos_ in ("NOUN", "PROPN") and t.ent_type_ != "DATE"}
        for event in (first, second)
    )
    return bool(one & two)


class Gap(NamedTuple):
    """unit: years or months."""

    number: int
    unit: str
    exact: bool


def _gap(first: When, second: When) -> Gap | None:
    """How long lay between two dates; None where they are too near or too far to ask."""
    years, exact = years_between(first, second)
    if first.month and second.month and years < 2:
        months = 12 * (second.year - first.year) + second.month - first.month
        return Gap(months, "months", False) if months > 1 else None
    return Gap(years, "years", exact) if 2 <= years <= 300 else None


def _date(event: Event) -> str:
    """The date of an event with its preposition: "in May 2021"."""
    text = event.told.doc[event.when.tokens[0].i : event.when.tokens[-1].i + 1].text
    return text[:1].lower() + text[1:]


def _past(event: Event) -> Pieces:
    """What the event was, in the past tense, without subject and date."""
    gone = {token.i for token in event.when.tokens}
    own = {token.i for token in event.clause.members}
    shared = [auxiliary for auxiliary in event.clause.auxiliaries if auxiliary.i not in own]
    return [*shared, *(token for token in event.clause.members if token.i not in gone)]


@source(
    "before_or_after",
    infers="which of two events of one subject came first, from their dates",
    example="Did Anna Berg move to Oslo before or after she joined the party? After: in 1978; the other in 1974.",
    accepted=0.67,
)
def before_or_after(reading: Reading) -> Iterator[Inferred]:
    for first, second in _pairs(reading):
        if (
            choice(first.told.doc.text + second.told.doc.text, 2)
            and _related(first, second)
            and _gap(first.when, second.when)
        ):
            continue
        early = choice(second.told.doc.text, 2) == 0
        asked, other = (first, second) if early else (second, first)
        who = _pronoun(reading, other)
        turned = inverted(asked.clause, "", list(asked.when.tokens))
        if not who or turned is None:
            continue
        than = other.told.write(_past(other), asker=False, named={other.who})
        dates = [_date(event) for event in (asked, other)]
        yield Inferred(
            asked.told,
            [*turned.pieces, f"before or after {who} {than}"],
            f"{'Before' if early else 'After'}: that was {dates[0]}, and the other {dates[1]}",
            [],
            forms=turned.forms,
            others=(other.told,),
            asker=False,
        )


@source(
    "time_between",
    infers="how long lay between two events of one subject, from their dates",
    example="How many years after it opened was the mill closed? About 40 years (1880 to 1920).",
    accepted=0.34,
)
def time_between(reading: Reading) -> Iterator[Inferred]:
    for first, second in _pairs(reading):
        if not choice(first.told.doc.text + second.told.doc.text, 2):
            continue
        who = _pronoun(reading, first)
        turned = inverted(second.clause, "", list(second.when.tokens))
        gap = _gap(first.when, second.when)
        if not who or turned is None or gap is None or not _related(first, second):
            continue
        before = first.told.write(_past(first), asker=False, named={first.who})
        yield Inferred(
            second.told,
            [f"how many {gap.unit} after {who} {before}", *turned.pieces],
            f"{'' if gap.exact else 'About '}{gap.number} {gap.unit} ({_date(first)}, then {_date(second)})",
            [],
            forms=turned.forms,
            others=(first.told,),
            asker=False,
        )
