"""Contexts against a question: which chunks were of use for an answer, and which sentences help to answer.

Sentences are picked by nearness in words and in meaning: good for comparing contexts of one question, and no more
(docs/decisions/metrics.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.judgements import Answered, QuestionOnText, answered
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import SUPPORTED_ABOVE, statements_of
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.terms import question_terms, terms, total_weight
from ragassay.tasks.contexts import AnswerFromChunks, ChunkUse, ChunkUses, HelpfulSentences, QuestionOnContext
from ragassay.text import sentences

# Half the question's terms, by weight, and half the cosine. The middle of a range in which pairs of contexts are told
# apart about equally well.
TERMS_SHARE = 0.5
NEAR_ABOVE = 0.45


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


def _helpful(encoder: Encoder, inputs: Sequence[QuestionOnContext]) -> list[Reply[HelpfulSentences]]:
    split = [sentences(each.context) for each in inputs]
    texts = list(
        dict.fromkeys(text for each, found in zip(inputs, split, strict=True) for text in (each.question, *found))
    )
    rows = {text: row for row, text in enumerate(texts)}
    vectors: npt.NDArray[np.float32] = encoder.encode(texts) if texts else np.zeros((0, 1), np.float32)
    replies = []
    for each, found in zip(inputs, split, strict=True):
        asked = set(question_terms(each.question))
        total = total_weight(asked) or 1.0
        cosines = vectors[[rows[text] for text in found]] @ vectors[rows[each.question]]
        near = tuple(
            text
            for text, cosine in zip(found, cosines.tolist(), strict=True)
            if TERMS_SHARE * total_weight(asked & set(terms(text))) / total + (1 - TERMS_SHARE) * cosine > NEAR_ABOVE
        )
        reason = f"{len(near)} of {len(found)} sentences are near the question in words and meaning"
        replies.append(Reply(HelpfulSentences(items=near, reason=reason)))
    return replies


HANDLERS: dict[str, Handler] = {"context_usefulness": _usefulness, "helpful_sentences": _helpful}
