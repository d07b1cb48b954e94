"""Which judgements of support the verifier decides, and how it says so; the others are rules.

One at a time, by measurement on the same rows (``benchmarks/judgements.py``, docs/decisions/embedded-judge.md): what
the verifier of today decides worse than rules is not listed, and an adapter that is better adds it here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged, Verifier

Judgement = Literal["statements", "keypoints", "label", "question_groundedness", "answer_groundedness", "chunks"]

DECIDED: frozenset[Judgement] = frozenset(
    {"statements", "label", "question_groundedness", "answer_groundedness", "chunks"}
)


def verifier_for(judgement: Judgement, encoder: Encoder | None) -> Verifier | None:
    """The verifier, where it decides a judgement; None where rules do, so in the judge by words alone (no encoder)."""
    return roles.verifier() if judgement in DECIDED and encoder is not None else None


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


def answered(judgement: Judgement, encoder: Encoder | None, items: Sequence[QuestionOnText]) -> list[Answered | None]:
    """How likely each text answers its question; None where rules decide. A text is read once for all its questions."""
    verifier = verifier_for(judgement, encoder)
    if verifier is None:
        return [None] * len(items)
    of_text: dict[str, list[str]] = {}
    for item in items:
        of_text.setdefault(item.text, []).append(item.question)
    judged = verifier.judge([Check(text, asked, questions=True) for text, asked in of_text.items()])
    replies = {text: iter(found) for text, found in zip(of_text, judged, strict=True)}
    least = verifier.threshold(questions=True)
    return [Answered(next(replies[item.text]).supported, least) for item in items]


def told(judged: Judged, text: str, *, supported: bool) -> str:
    """The reason for a verdict. text: what was read, "the context" or "the answer"."""
    if supported:
        return f"{text} says so, probability {judged.supported:.2f}"
    if judged.contradicted > judged.not_stated:
        return f"{text} says otherwise, probability {judged.contradicted:.2f}"
    return f"{text} does not say it, probability {judged.not_stated:.2f}"
