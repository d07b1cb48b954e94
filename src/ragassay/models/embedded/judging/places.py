"""Where a text answers a question: which of its units speak of what is asked, and what of the question they leave out.

A question asks for something (``wanted``) of somebody or something (``about``): the birth of Ada Lovelace, the policy
number of
the travel policy. A unit answers if it has what is wanted; whom it is about may stand in the title, the heading, or
the table row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.judging.support import ContextIndex
from ragassay.models.embedded.reading.framing import unframed
from ragassay.models.embedded.reading.lexicon import MONTHS
from ragassay.models.embedded.reading.question_types import AnswerType, expected_types, holds_type
from ragassay.models.embedded.reading.terms import names, question_terms, term_of, terms, weight
from ragassay.models.embedded.reading.units import Unit

# What a term is worth to a unit when it stands not in it but in the heading above, the sentence before, the title, or
# elsewhere.
HEADING_SHARE, BEFORE_SHARE, TITLE_SHARE = 0.9, 0.7, 0.9
WANTED_ELSEWHERE, ABOUT_ELSEWHERE = 0.15, 0.6
# A table row speaks of what stands in it, and of nobody named elsewhere; a date belongs to its sentence.
ABOUT_ELSEWHERE_IN_ROW = 0.3
WANTED_WEIGHT = 0.65

_POINTS_BACK = re.compile(
    r"\s*(?:it|he|she|they|this|these|that|those|his|her|its|their|the|at\s+the\s+time|both)\b|\s*[他她它该此其]",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""^\W*(?:(?:what|who|which)\s+(?:is|are|was|were)|how\s+(?:many|much|long|old|large|big|high|tall)(?:\s+is|\s+was)?
        |(?:what|which))\s+(?:the\s+)?(?P<wanted>.+?)\s+(?:is|are|was|were)?\s*(?:listed\s+|given\s+|named\s+)?
        (?:of|for|in|at|on|about)\s+(?P<about>.+?)\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
_NOUN_BEFORE_NAME = re.compile(r"\bthe\s+((?:[a-z]+\s+){1,3})(?=[A-Z\"“'‘])")
_SCAFFOLD = frozenset(
    term_of(word)
    for word in (
        "year years month months day days date dates time lie lies passed elapsed pass difference between term defined"
        " known happened first last many number organisation effect mean meant parameter parameters option options"
        " command function program sql procedure take"
    ).split()
)
"""Terms by which a question says what kind of answer it wants; a text need not repeat them."""

_LIFE_DATES = re.compile(r"\((?:[^()]*[;,]\s*)?(?:c\.\s*)?[^()–]{0,24}\d{4}\s*[–-]\s*[^()]{0,24}\d{4}[^()]*\)")
_BORN_ONLY = re.compile(r"\(\s*(?:b\.|born)\s", re.IGNORECASE)
_BIRTH, _DEATH = term_of("born"), term_of("died")


class ParsedQuestion(NamedTuple):
    """A question, read.

    about: terms that say of whom or what it asks; wanted: the other terms, which say what of it.
    soft: wanted terms that only name the kind of the answer ("which actress", "what type").
    """

    text: str
    terms: tuple[str, ...]
    about: frozenset[str]
    wanted: frozenset[str]
    soft: frozenset[str]
    types: tuple[AnswerType, ...]


class Place(NamedTuple):
    """A unit that may answer. wanted, about: share of those terms' weight that it has or inherits; score.

    Both together.
    """

    unit: int
    score: float
    wanted: float
    about: float
    fits_type: bool


def read_question(question: str) -> ParsedQuestion:
    """What the question asks for, and of whom."""
    question = unframed(question)
    found = tuple(dict.fromkeys(question_terms(question)))
    _, _, rest = question.partition(" ")  # the first word of a question is capitalised without being a name
    about = names("x " + rest) | {term for term in found if term in _DATE_TERMS or term[0].isdigit()}
    for match in _NOUN_BEFORE_NAME.finditer(question):
        about |= set(terms(match[1].split()[-1]))
    kind = _KIND_NOUN.match(question)
    soft = set(terms(kind[1])) if kind else set()
    attribute = _ATTRIBUTE.match(question)
    wanted = set(found) - about
    if attribute is not None:
        head = set(terms(attribute["wanted"])) - _SCAFFOLD
        if head <= _GENERIC:
            soft |= head
        else:
            about = (about | set(terms(attribute["about"]))) - head
            wanted = head
    wanted &= set(found)
    plain = wanted - _SCAFFOLD
    return ParsedQuestion(
        text=question,
        terms=found,
        about=frozenset(about & set(found)),
        wanted=frozenset(plain or wanted),
        soft=frozenset(soft & wanted),
        types=expected_types(question),
    )


_GENERIC = frozenset(
    term_of(word)
    for word in (
        "percentage number amount type kind sort form part name size portion share one group member step stage phase"
    ).split()
)
"""Heads that say nothing of what is asked: in "the number of visitors", visitors are what is counted."""

_KIND_NOUN = re.compile(r"^\W*(?:(?:in|on|at|to|by|for|from|of|with)\s+)?(?:what|which)\s+(\w+)\b", re.IGNORECASE)
_DATE_TERMS = frozenset(term_of(month) for month in MONTHS)
SOFT_WEIGHT = 0.3


def _weight_in(asked: ParsedQuestion, term: str) -> float:
    return weight(term) * (SOFT_WEIGHT if term in asked.soft else 1.0)


class _Setting(NamedTuple):
    """A unit with what it inherits.

    Terms of the heading above, of its table's header row, and of the sentence before it.
    """

    own: frozenset[str]
    heading: frozenset[str]
    header: frozenset[str]
    before: frozenset[str]
    points_back: bool


class Text(ContextIndex):
    """A context with the structure that questions are answered from."""

    __slots__ = ("settings", "title")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.settings: list[_Setting] = list(_settings(self))
        self.title: frozenset[str] = self.settings[0].own if self.settings else frozenset()


@lru_cache(maxsize=256)
def read_text(text: str) -> Text:
    """A context with its structure; remembered, since the labeller and several critiques ask for the same one."""
    return Text(text)


def _settings(index: ContextIndex) -> Iterator[_Setting]:
    nothing: frozenset[str] = frozenset()
    heading = header = before = nothing
    previous = ""
    for unit, found in zip(index.units, index.sentence_terms, strict=True):
        own = frozenset(found) | _life_terms(unit.text)
        if unit.kind == "row" and previous != "row":
            header = own
        elif unit.kind != "row":
            header = nothing
        points_back = _POINTS_BACK.match(unit.text) is not None
        yield _Setting(own, heading, header, before, points_back)
        previous = unit.kind
        if unit.kind == "heading":
            heading, before = own, nothing
        elif unit.kind == "sentence":
            before = before | own if points_back else own


def _life_terms(text: str) -> frozenset[str]:
    """Birth and death, which a pair of years in brackets after a name says without a word."""
    if "(" not in text:
        return frozenset()
    if _LIFE_DATES.search(text):
        return frozenset((_BIRTH, _DEATH))
    return frozenset((_BIRTH,)) if _BORN_ONLY.search(text) else frozenset()


def rank_places(asked: ParsedQuestion, index: Text) -> list[Place]:
    """Every unit that shares a term with the question, best first; ties in the order of the text."""
    if not asked.terms or not index.units:
        return []
    touched = {number for term in asked.terms for number in index.postings.get(term, ())}
    for number, setting in enumerate(index.settings):
        if (
            not asked.wanted.isdisjoint(setting.heading)
            or not asked.wanted.isdisjoint(setting.header)
            or (_BIRTH in setting.own and (_BIRTH in asked.wanted or _DEATH in asked.wanted))
        ):
            touched.add(number)
    wanted = [(term, _weight_in(asked, term)) for term in asked.terms if term in asked.wanted]
    about = [(term, weight(term)) for term in asked.terms if term in asked.about]
    wanted_total, about_total = sum(share for _, share in wanted), sum(share for _, share in about)
    scored = []
    for number in sorted(touched):
        unit, setting = index.units[number], index.settings[number]
        says = (
            sum(share * _wanted_share(term, setting, unit, index) for term, share in wanted) / wanted_total
            if wanted
            else 1.0
        )
        of = (
            sum(share * _about_share(term, setting, unit, index) for term, share in about) / about_total
            if about
            else 1.0
        )
        scored.append((WANTED_WEIGHT * says + (1.0 - WANTED_WEIGHT) * of, number, says, of))
    scored.sort(key=lambda one: (-one[0], one[1]))
    places = []
    for rank, (score, number, says, of) in enumerate(scored):
        unit = index.units[number]
        fits = (
            rank < MOST_TYPED
            and unit.kind != "heading"
            and holds_type(unit.text, asked.types[0], frozenset(asked.terms))
        )
        places.append(Place(number, score, says, of, fits))
    places.sort(key=lambda place: (-place.score - TYPE_BONUS * place.fits_type, place.unit))
    return places


# Only the best few are searched for a date, name or amount.
MOST_TYPED = 8
# Between two sentences that share about as much with the question, the one that holds a date, name or amount asked
# for answers it.
TYPE_BONUS = 0.1


def _wanted_share(term: str, setting: _Setting, unit: Unit, index: Text) -> float:
    if term in setting.own or term in setting.header:
        return 1.0
    if term in setting.heading:
        return HEADING_SHARE
    if term in setting.before and unit.kind in ("sentence", "item"):
        return BEFORE_SHARE if unit.kind == "item" or setting.points_back else BEFORE_SHARE / 2
    return WANTED_ELSEWHERE if term in index.postings else 0.0


def _about_share(term: str, setting: _Setting, unit: Unit, index: Text) -> float:
    if term in setting.own:
        return 1.0
    if term in setting.heading or term in index.title:
        return TITLE_SHARE
    if term in setting.before:
        return BEFORE_SHARE
    if term in index.postings:
        strict = unit.kind == "row" or term in _DATE_TERMS or term[0].isdigit()
        return ABOUT_ELSEWHERE_IN_ROW if strict else ABOUT_ELSEWHERE
    return 0.0


# Share of what is asked for that a unit must have or inherit, and of the whole question; chosen after looking
# (docs/decisions/embedded-judge.md). A request to summarise or to compute names its subject more loosely.
WANTED_ABOVE, SCORE_ABOVE, WIDE_ABOVE = 0.45, 0.62, 0.25
# Places that may hold the date or amount asked for, beside the best one.
NEAR_BEST, NEAR_SCORE = 5, 0.15


def says_enough(place: Place) -> bool:
    """Whether a unit has enough of what is asked for."""
    return place.wanted >= WANTED_ABOVE and place.score >= SCORE_ABOVE


def answers(asked: ParsedQuestion, places: Sequence[Place], *, wide: bool = False) -> bool:
    """Whether one of the places answers by its words, and those about as good hold the date or amount asked for."""
    if wide:
        return any(place.score >= WIDE_ABOVE for place in places)
    saying = [place for place in places if says_enough(place)]
    close = [place for place in saying[:NEAR_BEST] if place.score >= saying[0].score - NEAR_SCORE]
    return bool(close) and (asked.types[0] not in ("date", "amount") or any(place.fits_type for place in close))


def section_under(index: Text, heading: int) -> list[Unit]:
    """The units between a heading and the next one."""
    found = []
    for unit in index.units[heading + 1 :]:
        if unit.kind == "heading":
            break
        found.append(unit)
    return found


def list_around(index: Text, place: int) -> list[int]:
    """The places of the list that a unit belongs to or leads into; empty where there is none."""
    units: Sequence[Unit] = index.units
    start = place
    if units[place].kind != "item":
        start = place + 1
    else:
        while start > 0 and units[start - 1].kind == "item":
            start -= 1
    end = start
    while end < len(units) and units[end].kind == "item":
        end += 1
    return list(range(start, end))
