"""Names the theme in a question that names nothing of its own: "When renaming spaces, …", "… in the travel policy?"."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from ragassay.models.embedded.prose.setting import Setting, Title, stem
from ragassay.models.embedded.reading.clarity import is_clear
from ragassay.models.embedded.reading.grammar import gerund
from ragassay.models.embedded.reading.parser import is_english

SHORT = 11
"""Words. To a question up to this length the theme is added at the end, in half of the cases."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


class Framed(NamedTuple):
    """kind: of the title that was used; empty where none was needed. question: empty where none can be used."""

    question: str
    kind: str


def framed(question: str, answer: str, setting: Setting, anchored: bool) -> Framed:
    """The question with its theme named, where it is not clear without.

    Nobody says "for TITLE": a name or a topic is no frame.
    """
    named = setting.name
    if anchored or (named is not None and (named.person or named.text in answer)) or names_theme(question, setting):
        return Framed(question, "")
    if is_clear(question):
        return Framed(question, "")
    title = next((title for title in setting.titles if title.kind not in ("name", "topic")), None)
    if title is None or title.text.lower() in answer.lower():
        return Framed("", "")
    return Framed(with_frame(question, frame(title), at_end=_ends(question)), title.kind)


def names_theme(question: str, setting: Setting) -> bool:
    """Whether the question has half of the words of the title, all of a heading's, or a rare one of a name."""
    stems = {stem(word) for word in _WORD.findall(question)}
    for number, title in enumerate(setting.titles):
        if title.kind == "name":
            rare = [word for word in _WORD.findall(title.text) if word[:1].isupper() and not is_english(word.lower())]
            if title.text in question or any(stem(word) in stems for word in rare):
                return True
            continue
        words = {stem(word) for word in _WORD.findall(title.text) if len(word) > 3}
        enough = len(words) / 2 if number == 0 else max(2, len(words))
        if words and len(words & stems) >= enough:
            return True
    return False


_PREPOSITIONS = frozenset("of for in on to with from by at about as into over under through like".split())
_OWN = ("the ", "a ", "an ", "your ", "our ", "my ", "their ")


def frame(title: Title) -> str:
    """How a title is taken up: that of a document, or of something to be done."""
    text = title.text
    if title.kind == "document":
        return f"in {text}" if text.lower().startswith(_OWN) else f"in the {text}"
    return f"when {text if title.kind == 'gerund' else gerund(text)}"


def with_frame(question: str, words: str, *, at_end: bool) -> str:
    """The frame before the question, with a comma, or at its end."""
    words = re.sub(r"\byour\b", "my", re.sub(r"\byou\b", "I", words))
    if at_end:
        return f"{question.rstrip('?')} {words}?"
    return f"{words[:1].upper()}{words[1:]}, {decapitalised(question)}"


def decapitalised(question: str) -> str:
    """A question within a sentence: its question word or auxiliary small."""
    first = question.split(maxsplit=1)[0]
    return question if first in ("I",) or first[1:] != first[1:].lower() else question[:1].lower() + question[1:]


def _ends(question: str) -> bool:
    """Whether the theme goes to the end: in every other short question without a comma."""
    if (
        question.rstrip("?").rsplit(maxsplit=1)[-1] in _PREPOSITIONS
        or len(question.split()) > SHORT
        or "," in question
        or re.search(r"\b(?:if|when|unless|before|after|until|once|that)\b", question[5:])
    ):
        return False
    return hashlib.blake2b(question.encode(), digest_size=1).digest()[0] % 2 == 0
