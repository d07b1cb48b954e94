"""Judgements of a whole answer: correctness by a reference, truthfulness and relevance by the knowledge block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.refusals import evasion, is_refusal, only_refuses, spoken
from ragassay.models.embedded.judging.relevance import relevances
from ragassay.models.embedded.judging.support import Claim, Support, support
from ragassay.models.embedded.judging.truthfulness import AnswerOnContext, OnBlock, on_block
from ragassay.models.embedded.judging.wordings import reworded
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.terms import question_terms, terms, total_weight
from ragassay.models.embedded.reading.units import sentences
from ragassay.tasks.ratings import AnswerAndReference, AnswerOnBlock, BlockRatings, Correctness
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

LEAST, MOST = 1.0, 5.0
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


def _correctness(encoder: Encoder | None, inputs: Sequence[AnswerAndReference]) -> list[Reply[Correctness]]:
    """The mean of how far the reference supports the answer and how far the answer holds the reference."""
    items = [Comparison(each.question, reworded(each.answer, each.reference), each.reference) for each in inputs]
    compared = reference_agreement(encoder, items)
    return [
        Reply(
            Correctness(
                correctness=min(1.0, max(0.0, each.overall)),
                precision=min(1.0, max(0.0, each.correctness)),
                recall=min(1.0, max(0.0, each.completeness)),
                reason=f"right by the reference {each.correctness:.2f}, complete by it {each.completeness:.2f}",
            )
        )
        for each in compared
    ]


def _block_ratings(encoder: Encoder | None, inputs: Sequence[AnswerOnBlock]) -> list[Reply[BlockRatings]]:
    """Likelihoods in [0, 1] stretched to the scale of 1 to 5, not rounded; the relevance of a refusal is 1."""
    asked = [AnswerToQuestion(question=each.question, answer=each.answer) for each in inputs]
    judged: list[Reply[Relevance]] = relevances(encoder, asked)
    by_question = [0.0 if each.value is None else each.value.relevance or 0.0 for each in judged]
    items = [AnswerOnContext(each.question, each.answer, each.block) for each in inputs]
    return [
        Reply(
            BlockRatings(
                truthfulness=_stretched(found.truthfulness), relevance=_stretched(found.relevance), reason=_why(found)
            )
        )
        for found in on_block(encoder, items, by_question)
    ]


CLASHES_SHOWN = 3
SENTENCE_CHARS = 160


def _why(found: OnBlock) -> str:
    if found.seen is None:
        return "the answer or the knowledge is empty"
    seen = found.seen.features
    least = " ".join(found.seen.least_supported.split())
    shown = least if len(least) <= SENTENCE_CHARS else f"{least[:SENTENCE_CHARS]}…"
    reasons = [
        f"likely right by the knowledge: {found.truthfulness:.2f}",
        f"new terms where the knowledge speaks of it {seen.near:.2f}, names found {seen.names:.2f}, "
        f"words as in the knowledge {seen.copied:.2f}",
        f'least supported, {seen.weakest:.2f}: "{shown}"',
        *dict.fromkeys(found.seen.clashes[:CLASHES_SHOWN]),
    ]
    return "; ".join(reasons)


def _stretched(share: float) -> float:
    return round(LEAST + (MOST - LEAST) * min(1.0, max(0.0, share)), 6)


HANDLERS: dict[str, Handler] = {"correctness": _correctness, "block_ratings": _block_ratings}
