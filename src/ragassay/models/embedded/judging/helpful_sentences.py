"""The sentences of a context that are near a question in words and in meaning, as those that help to answer it.

Good for comparing contexts of one question, and no more: on the finance queries of DragonBall a sentence that is picked
so belongs to a reference in 10 % of the cases, where 9 % of all sentences do (docs/decisions/metrics.md). Nearness is
about the subject, and help is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.terms import question_terms, terms, total_weight
from ragassay.tasks.context_sentences import HelpfulSentences, QuestionOnContext
from ragassay.text import sentences

# Half the question's terms, by weight, and half the cosine. The middle of a range in which pairs of contexts are told
# apart about equally well.
TERMS_SHARE = 0.5
NEAR_ABOVE = 0.45


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


HANDLERS: dict[str, Handler] = {"helpful_sentences": _helpful}
