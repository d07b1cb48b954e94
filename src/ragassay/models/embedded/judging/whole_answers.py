"""Judgements of a whole answer: correctness by a reference, truthfulness and relevance by the knowledge block."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.reference import Comparison, reference_agreement
from ragassay.models.embedded.judging.relevance import relevances
from ragassay.models.embedded.judging.truthfulness import AnswerOnContext, OnBlock, on_block
from ragassay.models.embedded.judging.wordings import plainly, reworded
from ragassay.models.embedded.model import Handler
from ragassay.tasks.correctness import AnswerAndReference, Correctness
from ragassay.tasks.ratings import AnswerOnBlock, BlockRatings
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

LEAST, MOST = 1.0, 5.0


def _correctness(encoder: Encoder | None, inputs: Sequence[AnswerAndReference]) -> list[Reply[Correctness]]:
    """The mean of how far the reference supports the answer and how far the answer holds the reference."""
    items = [
        Comparison(each.question, plainly(reworded(each.answer, each.reference)), plainly(each.reference))
        for each in inputs
    ]
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
