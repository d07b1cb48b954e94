"""Where a text answers a question: which of its units speak of what is asked, and what of the question they leave out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.embedded.question_types import AnswerType, expected_types, holds_type
from ragassay.models.embedded.support import ContextIndex
from ragassay.models.embedded.terms import names, question_terms, total_weight, weight

# What a term is worth to a unit when it stands not in it but in the heading above, in the sentence before, or elsewhere in the text.
HEADING_SHARE, BEFORE_SHARE = 0.9, 0.6
# The theme of a text need not be repeated in every sentence of it.
NAME_ELSEWHERE_SHARE, TERM_ELSEWHERE_SHARE = 0.7, 0.2

_POINTS_BACK = re.compile(
    r"\s*(?:it|he|she|they|this|these|that|those|his|her|its|their|the)\b|\s*(?:他|她|它|该|此|其)", re.IGNORECASE
)


class Asked(NamedTuple):
    """A question, read. about: terms of names, which say of whom it asks; wanted: the other terms, which say what of them."""

    text: str
    terms: tuple[str, ...]
    about: frozenset[str]
    wanted: frozenset[str]
    types: tuple[AnswerType, ...]


class Place(NamedTuple):
    """A unit that may answer. share: of the question's weight that it has or inherits; wanted_share: of the wanted terms alone."""

    unit: int
    share: float
    wanted_share: float
    fits_type: bool


def read_question(question: str) -> Asked:
    """What the question asks for, and of whom."""
    found = tuple(dict.fromkeys(question_terms(question)))
    # The first word of a question is capitalised without being a name.
    _, _, rest = question.partition(" ")
    about = frozenset(names("x " + rest)) & frozenset(found)
    return Asked(question, found, about, frozenset(found) - about, expected_types(question))


def rank_places(asked: Asked, index: ContextIndex) -> list[Place]:
    """Every unit that shares a term with the question, best first; ties in the order of the text."""
    if not asked.terms or not index.units:
        return []
    total = total_weight(asked.terms)
    wanted_total = total_weight(asked.wanted)
    elsewhere = {
        term: NAME_ELSEWHERE_SHARE if term in asked.about else TERM_ELSEWHERE_SHARE
        for term in asked.terms
        if term in index.postings
    }
    heading: set[str] = set()
    places = []
    before: set[str] = set()
    for number, unit in enumerate(index.units):
        own = set(index.sentence_terms[number])
        if unit.kind == "heading":
            heading, before = own, set()
            continue
        back = before if _POINTS_BACK.match(unit.text) or unit.kind == "item" else set()
        gained = wanted_gained = 0.0
        touched = False
        for term in asked.terms:
            if term in own:
                share, touched = 1.0, True
            elif term in heading:
                share, touched = HEADING_SHARE, True
            elif term in back:
                share, touched = BEFORE_SHARE, True
            else:
                share = elsewhere.get(term, 0.0)
            gained += share * weight(term)
            if term in asked.wanted:
                wanted_gained += share * weight(term)
        if touched:
            fits = holds_type(unit.text, asked.types[0], frozenset(asked.terms))
            wanted_share = wanted_gained / wanted_total if wanted_total else gained / total
            places.append(Place(number, gained / total, wanted_share, fits))
        if unit.kind != "item":
            before = own
    places.sort(key=lambda place: (-place.share - TYPE_BONUS * place.fits_type, place.unit))
    return places


# Between two sentences that share about as much with the question, the one that holds a date, name or amount asked for answers it.
TYPE_BONUS = 0.1


def missing_terms(asked: Asked, index: ContextIndex) -> list[str]:
    """Terms of the question that the text has nowhere, heaviest first."""
    return sorted((term for term in asked.terms if term not in index.postings), key=lambda term: (-weight(term), term))


def texts_of(index: ContextIndex, places: Sequence[Place], most: int) -> list[str]:
    """The texts of the best places, in their order."""
    return [index.units[place.unit].text for place in places[:most]]
