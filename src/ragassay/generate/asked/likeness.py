"""How people ask: shares of styles, kinds, lengths and labels of questions, and how far two mixes are apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from ragassay.models.embedded.reading.parser import is_english
from ragassay.models.embedded.reading.question_types import expected_types
from ragassay.records import UNLABELLED, Example
from ragassay.tasks.drafting import Style
from ragassay.text import words

Habits = Mapping[str, Mapping[str, float]]
"""Aspect (style, kind, words, label) to name to its share; no label where a question has none."""
_OWN = re.compile(r"\b(?:my|our|i['’](?:m|ve)|i (?:am|have|had|want|need|was|got|get))\b", re.IGNORECASE)
_FEWEST_LETTERS, _TERSE, _LENGTHS = 5, 4, (3, 7, 12)


def habits(examples: Iterable[Example], known: frozenset[str]) -> Habits:
    """Return how the questions are asked. known: lower-case words of the documents, which are no slips of the keys."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        length = len(words(example.question))
        counts["style"][_style(example.question, known)] += 1
        counts["kind"][expected_types(example.question)[0]] += 1
        counts["words"][next((f"up to {most}" for most in _LENGTHS if length <= most), "more")] += 1
        counts["label"][example.label] += 1
    told = {aspect: of for aspect, of in counts.items() if UNLABELLED not in of}
    return {aspect: {name: n / of.total() for name, n in of.items()} for aspect, of in told.items()}


def _style(question: str, known: frozenset[str]) -> Style:
    said = [word for word in words(question) if word.islower() and len(word) >= _FEWEST_LETTERS]
    if any(word not in known and not is_english(word) for word in said):
        return "typos"
    if _OWN.search(question):
        return "first_person"
    if "?" not in question and expected_types(question) == ("other",):
        return "keywords"
    return "terse" if len(question.split()) <= _TERSE else "plain"


def distance(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Total variation distance of two mixes: the share of one that would have to change to be the other, in [0, 1]."""
    return sum(abs(one.get(name, 0) - other.get(name, 0)) for name in {*one, *other}) / 2
