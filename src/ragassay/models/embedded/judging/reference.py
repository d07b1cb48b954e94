"""How far a response agrees with a reference answer: is what it says right, and is what should be said there?

Three scores in [0, 1], for metrics that compare with a reference, chosen after looking at human preferences
(docs/decisions/embedded-judge.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder
from ragassay.models.embedded.judging.refusals import evasion, is_refusal, only_refuses, spoken
from ragassay.models.embedded.judging.support import Claim, Support, support
from ragassay.models.embedded.reading.terms import question_terms, terms, total_weight
from ragassay.models.embedded.reading.units import sentences

EVASION_COST = 0.5


class Comparison(NamedTuple):
    question: str
    response: str
    reference: str


class ReferenceAgreement(NamedTuple):
    """correctness: what the response says stands in the reference; completeness: the other way round."""

    correctness: float
    completeness: float
    overall: float


def reference_agreement(encoder: Encoder | None, items: Sequence[Comparison]) -> list[ReferenceAgreement]:
    """Agreement of each response with its reference; the encoder is called once for all, and None does without.

    correctness = mean of (support of the response by the reference, F1 of new terms), times 1 - 0.5 x evasion.
    completeness = mean of (support of the reference by the response, recall of new terms, terms known with the
    question), likewise. overall = mean of the two.
    Where the reference says that there is no answer, an answer that refuses is right, every other one wrong.
    """
    forth = support(encoder, [Claim(each.question, spoken(each.response), each.reference) for each in items])
    back = support(encoder, [Claim(each.question, sentences(each.reference), each.response) for each in items])
    return [_agreement(item, said, wanted) for item, said, wanted in zip(items, forth, back, strict=True)]


def _agreement(item: Comparison, said: Sequence[Support], wanted: Sequence[Support]) -> ReferenceAgreement:
    if only_refuses(item.reference):
        right = float(is_refusal(item.response))
        return ReferenceAgreement(right, right, right)
    asked = set(question_terms(item.question))
    new_said, new_wanted = set(terms(item.response)) - asked, set(terms(item.reference)) - asked
    shared = total_weight(new_said & new_wanted)
    recall = shared / total_weight(new_wanted) if new_wanted else 1.0
    precision = shared / total_weight(new_said) if new_said else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    committed = 1.0 - EVASION_COST * evasion(item.response)
    correctness = committed * (_mean([one.score for one in said]) + f1) / 2
    held = _mean([one.score for one in wanted]) + _mean([one.known for one in wanted])
    completeness = committed * (held + recall) / 3
    return ReferenceAgreement(correctness, completeness, (correctness + completeness) / 2)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
