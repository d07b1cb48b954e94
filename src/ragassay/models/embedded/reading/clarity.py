"""Whether a question says by itself what it asks of."""

from __future__ import annotations

import re

from ragassay.models.embedded.reading.parser import parse

_STOP = frozenset(
    """
    a an the of in on at by and or to with for from as that which is was are were be been did does do has have had
    what who when where how many much its his her their it he she they this these those
""".split()
)
_WORD = re.compile(r"[^\W_]+(?:[-_.'’][^\W_]+)*")


def content_words(text: str) -> list[str]:
    """Lower-case words that carry meaning."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


CLEAR_WORDS = 3
"""Words that carry meaning, of a question that names nothing and is clear all the same."""
_OF_NOBODY = frozenset(
    "i my me we our us you your can could should may must will would there get use make need"
    " term mean meant defined not no".split()
)
_TERM = re.compile(r"what (?:is|are|is meant by) (?:an? |“)?(?!the )[\w-]+ [\w-]+", re.IGNORECASE)


def is_clear(question: str, *, by_people: bool = False) -> bool:
    """Whether a question says what it asks of: by a name, by a term of two words, or by enough words.

    by_people: whether its page asks it itself. Somebody who knew its readers wrote it, so less is enough.
    """
    if re.search(r"\s(?:[A-Z]\w|\w*[_/\d]\w)", question) or _TERM.match(question):
        return True
    words = [word for word in content_words(question) if word not in _OF_NOBODY]
    return len(words) >= (CLEAR_WORDS - 1 if by_people else CLEAR_WORDS + len(_bare_definites(question)))


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
