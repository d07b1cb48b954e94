"""How likely a whole answer is right, and to the point, by a text that holds the truth (RAGVAL).

Faithfulness asks of every statement alone whether a context supports it. This asks about the answer as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.judging.answer_features import AnswerFeatures, AnswerOnContext, Seen, seen_answers
from ragassay.models.embedded.judging.refusals import is_refusal

__all__ = ["AnswerOnContext", "OnBlock", "on_block", "truthfulness"]


class _Weights(NamedTuple):
    """Of a logistic regression: log odds = constant + sum of weight x feature + by_question x answer relevance."""

    constant: float
    features: AnswerFeatures
    by_question: float = 0.0


# Fitted on answers of four runs that GPT-4 rated by the article (RAGVAL: one half of the articles), 4 and 5 against 1
# and 2, and rounded. Between two halves of these articles the weights agree; docs/decisions/embedded-judge.md has what
# a fit on one half does on the other.
_TRUTH = _Weights(
    -5.0,
    AnswerFeatures(
        weakest=2.6,
        near=2.5,
        names=0.9,
        copied=2.5,
        clashing=-1.5,
        length=1.15,
        says_missing=1.3,
        beside_refusal=-0.3,
    ),
)
_RELEVANCE = _Weights(
    -4.4,
    AnswerFeatures(
        weakest=3.0,
        near=1.9,
        names=0.7,
        copied=2.0,
        clashing=-1.2,
        length=0.8,
        says_missing=1.2,
        beside_refusal=-0.2,
    ),
    by_question=2.5,
)
LEAST_RELEVANCE = 0.12
"""Of an answer that commits itself. A refusal has 0, a rating of 1, as RAGVAL has it."""


class OnBlock(NamedTuple):
    """Both in [0, 1], likelihoods of a good rating. seen: what they rest on; None where there was nothing."""

    truthfulness: float
    relevance: float
    seen: Seen | None


def truthfulness(encoder: Encoder | None, items: Sequence[AnswerOnContext]) -> list[float]:
    """How likely each answer is right by its context, in [0, 1]; None as encoder leaves out the sentence vectors.

    0 where the answer or the context is empty.
    """
    return [0.0 if seen is None else _likelihood(_TRUTH, seen.features) for seen in seen_answers(encoder, items)]


def on_block(encoder: Encoder | None, items: Sequence[AnswerOnContext], by_question: Sequence[float]) -> list[OnBlock]:
    """Truthfulness and relevance of each answer by a text that holds the truth.

    by_question: how far each answer is about what was asked, in [0, 1], as one sees without the text
    (``relevance.py``). A rater who has the text calls an answer relevant that is both on topic and right.
    """
    return [
        OnBlock(0.0, 0.0, None)
        if seen is None
        else OnBlock(_likelihood(_TRUTH, seen.features), _relevance(item.answer, seen.features, on_topic), seen)
        for item, seen, on_topic in zip(items, seen_answers(encoder, items), by_question, strict=True)
    ]


def _relevance(answer: str, found: AnswerFeatures, on_topic: float) -> float:
    likely = _likelihood(_RELEVANCE, found, on_topic)
    return 0.0 if is_refusal(answer) else LEAST_RELEVANCE + (1.0 - LEAST_RELEVANCE) * likely


def _likelihood(weights: _Weights, found: AnswerFeatures, on_topic: float = 0.0) -> float:
    terms = (weight * value for weight, value in zip(weights.features, found, strict=True))
    return 1.0 / (1.0 + math.exp(-(weights.constant + math.fsum(terms) + weights.by_question * on_topic)))
