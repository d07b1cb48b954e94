"""What the verifier says of a text, in the words of the judge; None where it is off, and rules decide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.languages import language_of
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged, Verifier, Way


def verifier_for(encoder: Encoder | None) -> Verifier | None:
    """The verifier; None where it is off, and in the judge by words alone, which has no encoder."""
    return roles.verifier() if encoder is not None else None


class Answered(NamedTuple):
    """likely: probability that a text answers a question; least: from which on it counts. way: if known."""

    likely: float
    least: float
    way: Way | None = None

    @property
    def is_answered(self) -> bool:
        return self.likely >= self.least


ANSWERED_WINDOWS = 1
"""Windows of a long text that are read for a question with an answer, and for what the answer states."""
OPEN_WINDOWS = 2
"""The same for a question that is to have no answer there."""


class QuestionOnText(NamedTuple):
    """claims: what its answer states; read along with the question, and kept. windows: read of a long text."""

    question: str
    text: str
    claims: Sequence[str] = ()
    windows: int = OPEN_WINDOWS


def answered(encoder: Encoder | None, items: Sequence[QuestionOnText]) -> list[Answered | None]:
    """How likely each text answers its question; None where rules decide: without a verifier, and in Chinese."""
    verifier = verifier_for(encoder)
    if verifier is None:
        return [None] * len(items)
    read = [item for item in items if language_of(item) != "zh"]
    checks = [Check(item.text, [item.question], questions=True, windows=item.windows) for item in read]
    ahead = [Check(item.text, item.claims, windows=item.windows) for item in read if item.claims]
    judged = iter(verifier.judge([*checks, *ahead]))
    least = verifier.threshold(questions=True)
    read_off = (Answered(told.supported, least, told.way) for told, *_ in judged)
    return [None if language_of(item) == "zh" else next(read_off) for item in items]


WORDS_SHARE = 0.2
"""Of the log-odds that a statement is supported, those by its words; the others are the verifier's.

The verifier learned from claims in which shared words are no cue, and falls for what only sounds right; in answers as
systems write them words are the better judge (docs/decisions/embedded-judge.md, "Words beside the verifier")."""
WORDS_SCALE, WORDS_SHIFT = 1.145, 0.108
"""Platt scaling (1999) of both together, on the sources that calibrate the verifier."""
SUPPORTED_FROM = 0.5
_SUREST = 0.995


def with_words(judged: Judged, words: float, beside: float = 0.0) -> Judged:
    """The verifier's probabilities, moved by how far its words stand in the text, in [0, 1]. beside: more log-odds."""
    odds = (1 - WORDS_SHARE) * _odds(judged.supported) + WORDS_SHARE * _odds(words)
    supported = 1 / (1 + math.exp(-(WORDS_SCALE * odds + WORDS_SHIFT + beside)))
    rest = judged.contradicted + judged.not_stated
    contradicted = (1 - supported) * (judged.contradicted / rest if rest else 0.5)
    return judged._replace(supported=supported, contradicted=contradicted, not_stated=1 - supported - contradicted)


def _odds(probability: float) -> float:
    kept = min(max(probability, 1 - _SUREST), _SUREST)
    return math.log(kept / (1 - kept))


def told(judged: Judged, text: str, *, supported: bool) -> str:
    """The reason for a verdict. text: what was read, "the context" or "the answer"."""
    if supported:
        return f"{text} says so, probability {judged.supported:.2f}"
    if judged.contradicted > judged.not_stated:
        return f"{text} says otherwise, probability {judged.contradicted:.2f}"
    return f"{text} does not say it, probability {judged.not_stated:.2f}"
