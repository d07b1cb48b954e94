"""What the verifier says of a text, in the words of the judge; None where it is off, and rules decide.

Which judgements of support it decides was settled one at a time, by measurement on the same rows
(``benchmarks/judgements.py``, docs/decisions/embedded-judge.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.languages import language_of
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged, Verifier


def verifier_for(encoder: Encoder | None) -> Verifier | None:
    """The verifier; None where it is off, and in the judge by words alone, which has no encoder."""
    return roles.verifier() if encoder is not None else None


class Answered(NamedTuple):
    """likely: probability that a text answers a question; least: from which on it counts as answered."""

    likely: float
    least: float

    @property
    def is_answered(self) -> bool:
        return self.likely >= self.least


class QuestionOnText(NamedTuple):
    question: str
    text: str


def answered(encoder: Encoder | None, items: Sequence[QuestionOnText]) -> list[Answered | None]:
    """How likely each text answers its question, read once for all of them.

    None where rules decide: without a verifier, and in Chinese, which it does not know.
    """
    verifier = verifier_for(encoder)
    if verifier is None:
        return [None] * len(items)
    of_text: dict[str, list[str]] = {}
    for item in items:
        if language_of(item) != "zh":
            of_text.setdefault(item.text, []).append(item.question)
    judged = verifier.judge([Check(text, asked, questions=True) for text, asked in of_text.items()])
    replies = {text: iter(found) for text, found in zip(of_text, judged, strict=True)}
    least = verifier.threshold(questions=True)
    return [
        None if language_of(item) == "zh" else Answered(next(replies[item.text]).supported, least) for item in items
    ]


def told(judged: Judged, text: str, *, supported: bool) -> str:
    """The reason for a verdict. text: what was read, "the context" or "the answer"."""
    if supported:
        return f"{text} says so, probability {judged.supported:.2f}"
    if judged.contradicted > judged.not_stated:
        return f"{text} says otherwise, probability {judged.contradicted:.2f}"
    return f"{text} does not say it, probability {judged.not_stated:.2f}"
