"""Truthfulness of a whole answer: what the support of its sentences, and how much they say, make likely.

Faithfulness asks of every statement alone whether the context supports it. This asks how likely the answer as a whole
is right,
and there the amount of agreement counts too: two new words found in a context may be chance, twenty are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.refusals import evasion
from ragassay.models.embedded.support import Claim, ContextIndex, Support, support
from ragassay.models.embedded.terms import question_terms, terms, total_weight
from ragassay.models.embedded.units import sentences

# Chosen after looking, on answers scored by GPT-4; rounded from a logistic fit, so that nothing hangs on the last
# digit.
SUPPORT_SHARE, NEAR_SHARE = 0.7, 0.3
# Weight of agreeing new terms at which the evidence is 63 % of what it can be, and what an answer keeps without any.
EVIDENCE_WEIGHT, EVIDENCE_FLOOR = 8.0, 0.3
EVASION_COST = 0.7
# Sentences that the question points at, each with the one after it.
POINTED_AT = 3


class AnswerOnContext(NamedTuple):
    question: str
    answer: str
    context: str


def truthfulness(encoder: Encoder | None, items: Sequence[AnswerOnContext]) -> list[float]:
    """How likely each answer is right by its context, in [0, 1]; None as encoder leaves out the sentence vectors.

    (0.7 x support, weighted by new terms + 0.3 x new terms found where the context speaks of the question)
    x (0.3 + 0.7 x evidence) x (1 - 0.7 x evasion).
    """
    claims = [Claim(item.question, sentences(item.answer), item.context) for item in items]
    indexes: dict[str, ContextIndex] = {}
    judged = support(encoder, claims, indexes)
    return [
        _truthfulness(item, claim.statements, held, indexes[item.context])
        for item, claim, held in zip(items, claims, judged, strict=True)
    ]


def _truthfulness(item: AnswerOnContext, said: Sequence[str], held: list[Support], index: ContextIndex) -> float:
    asked = set(question_terms(item.question))
    new = set(terms(item.answer)) - asked
    if not held or not index.units:
        return 0.0
    weights = [total_weight(set(terms(sentence)) - asked) + 0.1 for sentence in said]
    supported = sum(one.score * share for one, share in zip(held, weights, strict=True)) / sum(weights)
    total = total_weight(new)
    near = total_weight(new & _pointed_at(index, asked)) / total if new else 0.5
    agreeing = total_weight(term for term in new if term in index.postings)
    evidence = 1.0 - math.exp(-agreeing / EVIDENCE_WEIGHT)
    likely = (SUPPORT_SHARE * supported + NEAR_SHARE * near) * (EVIDENCE_FLOOR + (1.0 - EVIDENCE_FLOOR) * evidence)
    return min(1.0, likely * (1.0 - EVASION_COST * evasion(item.answer)))


def _pointed_at(index: ContextIndex, asked: set[str]) -> set[str]:
    gains = index.window_weights(asked)
    places = sorted(range(len(gains)), key=lambda place: (-gains[place], place))[:POINTED_AT]
    return {term for place in places for terms_of in index.sentence_terms[place : place + 2] for term in terms_of}
