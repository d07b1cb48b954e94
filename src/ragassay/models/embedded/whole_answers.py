"""Judgements of a whole answer: correctness by a reference, truthfulness and relevance by the knowledge block."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reference import Comparison, reference_agreement
from ragassay.models.embedded.refusals import is_refusal
from ragassay.models.embedded.relevance import HANDLERS as RELEVANCES
from ragassay.models.embedded.truthfulness import AnswerOnContext, truthfulness
from ragassay.tasks.correctness import AnswerAndReference, Correctness
from ragassay.tasks.ratings import AnswerOnBlock, BlockRatings
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

LEAST, MOST = 1.0, 5.0


def _correctness(encoder: Encoder, inputs: Sequence[AnswerAndReference]) -> list[Reply[Correctness]]:
    """The mean of how far the reference supports the answer and how far the answer holds the reference."""
    compared = reference_agreement(encoder, [Comparison(each.question, each.answer, each.reference) for each in inputs])
    return [
        Reply(
            Correctness(
                correctness=min(1.0, max(0.0, each.overall)),
                reason=f"right by the reference {each.correctness:.2f}, complete by it {each.completeness:.2f}",
            )
        )
        for each in compared
    ]


def _block_ratings(encoder: Encoder, inputs: Sequence[AnswerOnBlock]) -> list[Reply[BlockRatings]]:
    """Shares in [0, 1] stretched to the scale of 1 to 5, not rounded; an answer that declines has a relevance of 1."""
    truths = truthfulness(encoder, [AnswerOnContext(each.question, each.answer, each.block) for each in inputs])
    asked = [AnswerToQuestion(question=each.question, answer=each.answer) for each in inputs]
    relevances: list[Reply[Relevance]] = RELEVANCES["answer_relevance"](encoder, asked)
    return [_ratings(each, truth, reply.value) for each, truth, reply in zip(inputs, truths, relevances, strict=True)]


def _ratings(inputs: AnswerOnBlock, truth: float, judged: Relevance | None) -> Reply[BlockRatings]:
    if judged is None or judged.relevance is None:
        return Reply(None, "the rules for relevance gave no value")
    relevance = 0.0 if is_refusal(inputs.answer) else judged.relevance
    return Reply(
        BlockRatings(
            truthfulness=_stretched(truth),
            relevance=_stretched(relevance),
            reason=f"likely right by the knowledge: {truth:.2f}; {judged.reason}",
        )
    )


def _stretched(share: float) -> float:
    return round(LEAST + (MOST - LEAST) * min(1.0, max(0.0, share)), 6)


HANDLERS: dict[str, Handler] = {"correctness": _correctness, "block_ratings": _block_ratings}
