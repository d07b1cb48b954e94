"""Chunks against a question and its answer: which were of use."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.judgements import Answered, QuestionOnText, answered
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import SUPPORTED_ABOVE, statements_of
from ragassay.models.embedded.model import Handler
from ragassay.tasks.contexts import AnswerFromChunks, ChunkUse, ChunkUses


def _usefulness(encoder: Encoder, inputs: Sequence[AnswerFromChunks]) -> list[Reply[ChunkUses]]:
    """A chunk is useful if it has the words of a statement of the answer and, by the verifier, answers the question.

    The verifier reads only chunks that have the words. Where it is off the words alone decide.
    """
    told = [statements_of(item.question, item.answer) for item in inputs]
    claims = [
        Claim(item.question, said, chunk) for item, said in zip(inputs, told, strict=True) for chunk in item.chunks
    ]
    held = [max((one.score for one in found), default=0.0) for found in support(None, claims)]
    close = [
        QuestionOnText(claim.question, claim.context)
        for claim, words in zip(claims, held, strict=True)
        if words > SUPPORTED_ABOVE
    ]
    read = iter(answered(encoder, close))
    uses = iter([_use(words, next(read) if words > SUPPORTED_ABOVE else None) for words in held])
    return [Reply(ChunkUses(items=tuple(next(uses) for _ in item.chunks))) for item in inputs]


def _use(held: float, found: Answered | None) -> ChunkUse:
    reason = f"support of what the answer says by its words {held:.2f}"
    if found is not None:
        reason += f", probability that it answers the question {found.likely:.2f}"
    useful = held > SUPPORTED_ABOVE and (found is None or found.is_answered)
    return ChunkUse(useful=useful, reason=reason)


HANDLERS: dict[str, Handler] = {"context_usefulness": _usefulness}
