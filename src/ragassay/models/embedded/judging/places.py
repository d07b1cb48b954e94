"""Where a text answers a question: which of its units speak of what is asked, and what of the question they leave out.

A question asks for something (``wanted``) of somebody or something (``about``). A unit answers if it has what is
wanted; whom it is about may stand in the title, the heading, or the table row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.judging.questions import unframed
from ragassay.models.embedded.judging.support import ContextIndex
from ragassay.models.embedded.reading import chinese
from ragassay.models.embedded.reading.question_types import AnswerType, expected_types, holds_type
from ragassay.models.embedded.reading.terms import MONTHS, has_cjk, names, question_terms, term_of, weight

# What a term is worth to a unit when it stands not in it but in the heading above, the sentence before, the title, or
# elsewhere.
HEADING_SHARE, TITLE_SHARE = 0.9, 0.9
WANTED_BEFORE, WANTED_BEFORE_ITEM, ABOUT_BEFORE = 0.35, 0.7, 0.7
WANTED_ELSEWHERE, ABOUT_ELSEWHERE = 0.15, 0.6
# A table row speaks of what stands in it, and of nobody named elsewhere; a date belongs to its sentence.
ABOUT_ELSEWHERE_IN_ROW = 0.3
WANTED_WEIGHT = 0.65

_SCAFFOLD = frozenset(
    term_of(word)
    for word in (
        "year years month months day days date dates time lie lies passed elapsed pass difference between term defined"
        " known happened first last many number organisation effect mean meant parameter parameters option options"
        " command function program sql procedure take"
    ).split()
)
"""Terms by which a question says what kind of answer it wants; a text need not repeat them."""
_DATE_TERMS = frozenset(term_of(month) for month in MONTHS)


class ParsedQuestion(NamedTuple):
    """about: terms that say of whom or what it asks; wanted: the other terms, which say what of it."""

    text: str
    terms: tuple[str, ...]
    about: frozenset[str]
    wanted: frozenset[str]
    types: tuple[AnswerType, ...]


class Place(NamedTuple):
    """A unit that may answer. wanted, about: share of those terms' weight that it has or inherits; score: both."""

    unit: int
    score: float
    wanted: float
    about: float
    fits_type: bool


def read_question(question: str) -> ParsedQuestion:
    """What the question asks for, and of whom."""
    question = unframed(question)
    if has_cjk(question):
        said = chinese.read(question)
        left = frozenset(said.wanted) - said.about or frozenset(said.wanted)
        return ParsedQuestion(question, (*said.wanted, *said.about), said.about, left, expected_types(question))
    found = tuple(dict.fromkeys(question_terms(question)))
    _, _, rest = question.partition(" ")  # the first word of a question is capitalised without being a name
    named = names("x " + rest)
    about = frozenset(term for term in found if term in named or term in _DATE_TERMS or term[0].isdigit())
    wanted = frozenset(found) - about
    return ParsedQuestion(question, found, about, wanted - _SCAFFOLD or wanted, expected_types(question))


class _Setting(NamedTuple):
    """The terms of a unit, and those that it inherits: of the heading, its table's header, the sentence before it."""

    own: frozenset[str]
    heading: frozenset[str]
    header: frozenset[str]
    before: frozenset[str]


class Text(ContextIndex):
    """A context with the structure that questions are answered from."""

    __slots__ = ("settings", "title")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.settings: list[_Setting] = list(_settings(self))
        self.title: frozenset[str] = self.settings[0].own if self.settings else frozenset()


read_text = lru_cache(maxsize=256)(Text)
"""Remembered, since the labeller and several critiques ask for the same one."""


def _settings(index: ContextIndex) -> Iterator[_Setting]:
    nothing: frozenset[str] = frozenset()
    heading = header = before = nothing
    previous = ""
    for unit, found in zip(index.units, index.sentence_terms, strict=True):
        own = frozenset(found)
        if unit.kind != "row":
            header = nothing
        elif previous != "row":
            header = own
        yield _Setting(own, heading, header, before)
        previous = unit.kind
        if unit.kind == "heading":
            heading, before = own, nothing
        elif unit.kind == "sentence":
            before = own


def rank_places(asked: ParsedQuestion, index: Text) -> list[Place]:
    """Every unit that shares a term with the question, best first; ties in the order of the text."""
    if not asked.terms:
        return []
    touched = {number for term in asked.terms for number in index.postings.get(term, ())}
    touched |= {
        number
        for number, setting in enumerate(index.settings)
        if not asked.wanted.isdisjoint(setting.heading | setting.header)
    }
    scored = []
    for number in touched:
        says = _share_of(asked.terms, asked.wanted, number, index, _wanted_share)
        of = _share_of(asked.terms, asked.about, number, index, _about_share)
        scored.append((WANTED_WEIGHT * says + (1.0 - WANTED_WEIGHT) * of, number, says, of))
    scored.sort(key=lambda one: (-one[0], one[1]))
    places = []
    for rank, (score, number, says, of) in enumerate(scored):
        unit = index.units[number]
        may_fit = rank < MOST_TYPED and unit.kind != "heading"
        fits = may_fit and holds_type(unit.text, asked.types[0], frozenset(asked.terms))
        places.append(Place(number, score, says, of, fits))
    places.sort(key=lambda place: (-place.score - TYPE_BONUS * place.fits_type, place.unit))
    return places


# Only the best few are searched for a date, name or amount.
MOST_TYPED = 8
# Between two sentences that share about as much with the question, the one that holds a date, name or amount asked
# for answers it.
TYPE_BONUS = 0.1


def _share_of(
    asked: Sequence[str], part: frozenset[str], number: int, index: Text, share: Callable[[str, int, Text], float]
) -> float:
    """Share of a part of the question's terms that a unit has, by weight; 1 where the part is empty."""
    weights = [(weight(term), share(term, number, index)) for term in asked if term in part]
    return sum(one * of for one, of in weights) / sum(one for one, _ in weights) if weights else 1.0


def _wanted_share(term: str, number: int, index: Text) -> float:
    setting, kind = index.settings[number], index.units[number].kind
    if term in setting.own or term in setting.header:
        return 1.0
    if term in setting.heading:
        return HEADING_SHARE
    if term in setting.before and kind in ("sentence", "item"):
        return WANTED_BEFORE_ITEM if kind == "item" else WANTED_BEFORE
    return WANTED_ELSEWHERE if term in index.postings else 0.0


def _about_share(term: str, number: int, index: Text) -> float:
    setting = index.settings[number]
    if term in setting.own:
        return 1.0
    if term in setting.heading or term in index.title:
        return TITLE_SHARE
    if term in setting.before:
        return ABOUT_BEFORE
    if term in index.postings:
        strict = index.units[number].kind == "row" or term in _DATE_TERMS or term[0].isdigit()
        return ABOUT_ELSEWHERE_IN_ROW if strict else ABOUT_ELSEWHERE
    return 0.0


# Share of what is asked for that a unit must have or inherit, and of the whole question; chosen after looking
# (docs/decisions/embedded-judge.md). A request to summarise or to compute names its subject more loosely.
WANTED_ABOVE, SCORE_ABOVE, WIDE_ABOVE = 0.45, 0.62, 0.25
# Of pairs of signs fewer are shared by chance; chosen on half of XQuAD in Chinese (docs/chinese.md).
CJK_ABOVE = 0.3
# Places that may hold the date or amount asked for, beside the best one.
NEAR_BEST, NEAR_SCORE = 5, 0.15


def says_enough(place: Place) -> bool:
    """Whether a unit has enough of what is asked for."""
    return place.wanted >= WANTED_ABOVE and place.score >= SCORE_ABOVE


def answers(asked: ParsedQuestion, places: Sequence[Place], *, wide: bool = False) -> bool:
    """Whether one of the places answers by its words, and those about as good hold the date or amount asked for."""
    if has_cjk(asked.text):
        is_of_kind = asked.types[0] not in ("date", "amount") or any(place.fits_type for place in places[:NEAR_BEST])
        return is_of_kind and any(place.wanted >= CJK_ABOVE for place in places)
    if wide:
        return any(place.score >= WIDE_ABOVE for place in places)
    saying = [place for place in places if says_enough(place)]
    close = [place for place in saying[:NEAR_BEST] if place.score >= saying[0].score - NEAR_SCORE]
    return bool(close) and (asked.types[0] not in ("date", "amount") or any(place.fits_type for place in close))
