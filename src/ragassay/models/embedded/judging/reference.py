"""How far a response agrees with a reference answer: is what it says right, and is what should be said there?

Three scores in [0, 1], for metrics that compare with a reference. Weighted means count a sentence by the weight of
its terms that
the question has not. Chosen after looking at human preferences (docs/decisions/embedded-judge.md).
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
    """correctness: what the response says stands in the reference. completeness.

    What the reference says stands in the response.
    """

    correctness: float
    completeness: float
    overall: float


def reference_agreement(encoder: Encoder | None, items: Sequence[Comparison]) -> list[ReferenceAgreement]:
    """Agreement of each response with its reference; the encoder is called once for all, and None does without.

    correctness = mean of (support of the response by the reference, F1 of new terms), times 1 - 0.5 x evasion.
    completeness = mean of (support of the reference by the response, recall of new terms, terms known with the
    question), likewise.
    overall = mean of the two.
    Where the reference says that there is no answer, an answer that refuses is right, every other one wrong.
    """
    claims: list[Claim] = []
    for item in items:
        claims.append(Claim(item.question, spoken(item.response), item.reference))
        claims.append(Claim(item.question, sentences(item.reference), item.response))
    judged = support(encoder, claims)
    return [
        _agreement(
            item,
            claims[2 * place].statements,
            judged[2 * place],
            claims[2 * place + 1].statements,
            judged[2 * place + 1],
        )
        for place, item in enumerate(items)
    ]


def _agreement(
    item: Comparison,
    said: Sequence[str],
    of_response: list[Support],
    wanted: Sequence[str],
    of_reference: list[Support],
) -> ReferenceAgreement:
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
    correctness = committed * (_weighted_mean([one.score for one in of_response], said, asked) + f1) / 2
    known = _weighted_mean([one.known for one in of_reference], wanted, set())
    held = _weighted_mean([one.score for one in of_reference], wanted, asked)
    completeness = committed * (held + recall + known) / 3
    return ReferenceAgreement(correctness, completeness, (correctness + completeness) / 2)


# Keeps a sentence without a new term in the mean.
_LEAST_WEIGHT = 0.1


def _weighted_mean(values: Sequence[float], texts: Sequence[str], asked: set[str]) -> float:
    weights = [total_weight(set(terms(text)) - asked) + _LEAST_WEIGHT for text in texts]
    return sum(value * share for value, share in zip(values, weights, strict=True)) / sum(weights) if weights else 0.0
