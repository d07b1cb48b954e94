"""Whether a question says by itself what it asks of."""

from __future__ import annotations

import re

from ragassay.models.embedded.reading.parser import parse
from ragassay.models.embedded.reading.terms import terms, total_weight

_STOP = frozenset(
    """
    a an the of in on at by and or to with for from as that which is was are were be been did does do has have had
    what who when where how many much its his her their it he she they this these those
""".split()
)
_WORD = re.compile(r"[^\W_]+(?:[-_.'’][^\W_]+)*")


POINTS_AWAY = re.compile(
    r"\b(?:(?:see|listed|described|shown|mentioned|discussed|table|list|example|section|picture|diagram|figure|guidance"
    r"|instructions|steps)s? (?:below|above)|as follows|(?:the|these) following|click here"
    r"|(?:this|the present) (?:page|section|chapter|guide|document|tutorial))\b",
    re.I,
)
"""What sends a reader to another place, so that an answer with it is none by itself."""


def content_words(text: str) -> list[str]:
    """Lower-case words that carry meaning."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


CLEAR_WORDS = 3
"""Words that carry meaning, of a question that names nothing and is clear all the same."""
_OF_NOBODY = frozenset(
    "i my me we our us you your can could should may must will would there get use make need"
    " term mean meant defined not no".split()
)
_TERM = re.compile(r"what (?:is meant by|is|are) (?:an? |“)?([\w-]+) ([\w-]+)", re.IGNORECASE)


_NAMES = re.compile(r"\s(?:[A-Z]\w|\w*[_/\d.]\w)")
"""A word that is a name or a code."""


def is_clear(question: str, *, by_people: bool = False) -> bool:
    """Whether a question says what it asks of: by a name, by a rare word or a term of two, or by enough words.

    by_people: whether its page asks it itself. Somebody who knew its readers wrote it, so less is enough.
    """
    rare = _ONE_WORD.match(question)
    if rare is not None and total_weight(set(terms(rare[1]))) >= RARE:
        return True
    term = _TERM.match(question)
    if _NAMES.search(question):
        return True
    if term is not None and not {word.lower() for word in term.groups()} & (_STOP | _OF_NOBODY | _PRONOUNS):
        return True
    words = [word for word in content_words(question) if word not in _OF_NOBODY]
    return len(words) >= (CLEAR_WORDS - 1 if by_people else CLEAR_WORDS + len(_bare_definites(question)))


def placed(question: str, place: str) -> str:
    """'How do I adopt a package in Debian?', where no name says in what; others as they are.

    place: such as 'in Debian', or empty.
    """
    if not place or _NAMES.search(question) or len(question.split()) > _MOST_WORDS_PLACED:
        return question
    return f"{question.rstrip('?')} {place}?"


_MOST_WORDS_PLACED = 13
_ONE_WORD = re.compile(r"what (?:is|are) (?:an? )?([\w-]+)\?$", re.IGNORECASE)
"""'What is an axolotl?', but not 'What is a deposit?'"""
RARE = 0.9
"""Weight of a word that hardly any other text has."""
_PRONOUNS = frozenset("it its they them their this that these those he she here there one ones".split())


def _bare_definites(question: str) -> list[str]:
    """Nouns of which only "the" says which one is meant: 'How much does the trip cost?'"""
    if " the " not in question:
        return []
    (doc,) = parse([question])
    return [
        chunk.text
        for chunk in doc.noun_chunks
        if len(chunk) == 2
        and chunk[0].lower_ == "the"
        and not any(child.dep_ in ("prep", "relcl", "acl") for child in chunk.root.children)
    ]
