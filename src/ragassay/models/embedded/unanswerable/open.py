"""A question that a passage may leave open; the verifier reads whether document and corpus do."""

from __future__ import annotations

from typing import NamedTuple

from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.small import roles


class Open(NamedTuple):
    """pattern: the rule that wrote it."""

    pattern: str
    question: str


_FEWEST_LETTERS = 3
_STEM = 5
"""Letters by which two words are taken for forms of one: directed, director."""


def is_unsaid(question: str, about: str, text: str) -> bool:
    """Whether a question may be put: the verifier reads whether the text answers it.

    Where it is off, only if none of the question's words beside ``about`` stands in the text in any form.
    """
    told, words = text.lower(), content_words(question.replace(about, " "))
    return roles.is_on() or not any(word[:_STEM] in told for word in words if len(word) >= _FEWEST_LETTERS)
