"""What people ask of a thing of its kind, put where the verifier can read whether the document says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.themes import head_of
from ragassay.models.embedded.unanswerable.open import Open, is_unsaid

OF_KIND = "of_kind"
"""Begins the patterns of what is asked of a thing of its kind."""
_FEWEST_WORDS = 60
"""Words of a page below which hardly anything would stand in it, and every question would be far from it."""
_OCCASIONAL = 3
"""Of questions that fit everybody one in so many documents asks each, lest a set read monotonously."""


def _table(rows: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {noun: asked for nouns, asked in rows.items() for noun in nouns.split()}


_PERSONS = _table(
    {
        "politician senator minister lawyer": ("To which political party does {} belong?",),
        "footballer player cricketer swimmer runner athlete cyclist skier": ("How tall is {}?",),
        "actor actress director": ("Which award did {} win?",),
        "singer musician rapper guitarist songwriter": ("To which record label is {} signed?",),
        "writer novelist poet author journalist": ("Which literary prize did {} receive?",),
        "scientist physicist chemist biologist engineer researcher mathematician": (
            "Who supervised the doctoral thesis of {}?",
        ),
        "coach manager": ("Until when does the contract of {} run?",),
    }
)
_ANYBODY = (
    "Where was {} born?",
    "When was {} born?",
    "Which university did {} attend?",
    "What were the names of the parents of {}?",
)
_REACHED = ("What is the telephone number of {}?", "What is the e-mail address of {}?")
_MISHAP = (
    "How many people were injured in {}?",
    "How much did the damage from {} cost?",
    "Which insurer paid for the damage from {}?",
)
_BREAKDOWN = ("How much did {} cost?", "Who first noticed {}?", "Who investigated {}?")
_RULES = ("Who approved {}?", "When did {} come into force?", "When was {} last reviewed?")
_PLACE = (
    "How many parking spaces does {} have?",
    "Who designed {}?",
    "How much did it cost to build {}?",
    "Is {} accessible by wheelchair?",
    "What is the telephone number of {}?",
)
_FILM = ("Who directed {}?", "Who composed the music for {}?", "When was {} released?", "What was the budget of {}?")
_RECORDING = ("Who produced {}?", "Which record label released {}?", "What was the highest chart position of {}?")
_COMPANY = ("Who founded {}?", "Where is the headquarters of {}?", "How many employees does {} have?")
_THINGS = _table(
    {
        "film movie documentary thriller comedy": _FILM,
        "series show": ("Who composed the music for {}?",),
        "album single song mixtape": _RECORDING,
        "novel book memoir": ("Which publisher brought out {}?",),
        "village town city municipality commune township settlement hamlet": (
            "What is the population of {}?",
            "What is the elevation of {}?",
        ),
        "river stream creek": ("How long is {}?",),
        "company brand manufacturer startup corporation firm newspaper magazine": _COMPANY,
        "restaurant museum school university college band team club": ("Who founded {}?",),
        "stadium arena theatre theater ferry ship": ("What is the capacity of {}?",),
        "bridge tower church hotel castle dam": ("Who was the architect of {}?", "How much did it cost to build {}?"),
        "species moth beetle plant fish spider bird snail frog fungus": ("Who first described {}?",),
        "game": ("Who developed {}?",),
        "software framework app browser": ("Under which licence is {} distributed?",),
    }
)
_PAGES = _table(
    {
        "policy procedure plan standard code handbook scheme": _RULES,
        "fire collision accident grounding explosion crash derailment storm flood": _MISHAP,
        "failure outage incident fault leak spill breakdown breach": _BREAKDOWN,
        "terminal depot office yard station site warehouse building hall factory": _PLACE,
        "system app tool website": ("In which programming language is {} written?", "How many users does {} have?"),
        "report review survey study newsletter guide": ("Who wrote {}?",),
    }
)
_NO_PAGE = re.compile(r":|\b(?:manual|reference|topic|chapter|keyword)\b", re.IGNORECASE)
"""'Reference Manual: Topic fire' is no fire."""


def open_of_kinds(analysis: Analysis) -> Iterator[Open]:
    """What is asked of such a thing, person or page. The passage is the whole document."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    for asked in _asked(analysis) if theme and len(text.split()) >= _FEWEST_WORDS else ():
        question = asked.format(theme)
        if is_unsaid(question, theme, text):
            yield Open(pattern_of(asked), question)


def _asked(analysis: Analysis) -> Iterator[str]:
    theme, profile = analysis.profile.theme, analysis.profile
    if profile.is_person:
        yield from _of_a_person(analysis)
    else:
        yield from _THINGS.get(kind_of(analysis), ())
    if not profile.type_nouns and theme.startswith("the ") and not _NO_PAGE.search(theme):
        yield from _PAGES.get(head_of(theme).rsplit(" ", 1)[-1].lower(), ())


def pattern_of(asked: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: of_kind_who_directed."""
    return "_".join([OF_KIND, *filter(str.isalpha, asked.lower().split()[:2])])


def kind_of(analysis: Analysis) -> str:
    """What the text says that its theme is: 'film'; empty where it does not."""
    return next(iter(analysis.profile.type_nouns), "")


def _of_a_person(analysis: Analysis) -> Iterator[str]:
    if analysis.keys:  # a page of a staff handbook: nobody looks there for parents and prizes
        yield from _REACHED
        return
    yield from _PERSONS.get(kind_of(analysis), ())
    for place, question in enumerate(_ANYBODY):
        if (sum(analysis.profile.theme.encode("utf-8", "replace")) + place) % _OCCASIONAL == 0:
            yield question
