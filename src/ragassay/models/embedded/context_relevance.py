"""Chunks against a question and its answer: which of several helps most, and which were of use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judgements import Answered, QuestionOnText, answered
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.support import Claim, support
from ragassay.models.embedded.terms import bigrams, question_terms, terms, weight
from ragassay.models.embedded.units import sentences
from ragassay.models.embedded.verdicts import SUPPORTED_ABOVE, statements_of
from ragassay.tasks.contexts import AnswerFromChunks, ChunkUse, ChunkUses

# Half saturation at one half: a second mention adds little (as k1 of BM25, small because chunks are short).
SATURATION = 0.5
BIGRAM_SHARE = 0.3
WHOLE_SHARE, TOP_SHARE = 0.5, 0.5
TOP_SENTENCES = 2
# A term that every candidate has still tells a little.
COMMON_TERM = 0.2


class QuestionOnContexts(NamedTuple):
    question: str
    contexts: Sequence[str]


def chunk_scores(encoder: Encoder, items: Sequence[QuestionOnContexts]) -> list[list[float]]:
    """Scores that rank the chunks of one question; they are relative to those chunks and mean nothing across questions.

    score = weighted share of the question's terms, weighted again by how few of the chunks have them, + 0.3 x share
    of its term
    pairs + 0.5 x cosine of the whole chunk + 0.5 x mean cosine of its two nearest sentences.
    """
    nearness = _nearness(encoder, items)
    return [
        [
            lexical + WHOLE_SHARE * near.whole + TOP_SHARE * near.top
            for lexical, near in zip(_lexical_scores(item), found, strict=True)
        ]
        for item, found in zip(items, nearness, strict=True)
    ]


def _lexical_scores(item: QuestionOnContexts) -> list[float]:
    asked = question_terms(item.question)
    pairs = bigrams(asked)
    held = [terms(context) for context in item.contexts]
    spread = Counter(term for found in held for term in set(found))
    weights = {
        term: weight(term) * (COMMON_TERM + math.log((len(held) + 1) / (spread[term] + 0.5)))
        for term in dict.fromkeys(asked)
    }
    total = sum(weights.values()) or 1.0
    scores = []
    for found in held:
        counts = Counter(found)
        share = (
            sum(weights[term] * counts[term] / (counts[term] + SATURATION) for term in weights if term in counts)
            / total
        )
        scores.append(share + BIGRAM_SHARE * (len(pairs & bigrams(found)) / len(pairs) if pairs else 0.0))
    return scores


class _Nearness(NamedTuple):
    """Cosines with the question: of the whole context, mean of its two nearest sentences."""

    whole: float
    top: float


def _nearness(encoder: Encoder, items: Sequence[QuestionOnContexts]) -> list[list[_Nearness]]:
    rows: dict[str, int] = {}
    split = {context: sentences(context) for item in items for context in item.contexts}
    for item in items:
        rows.setdefault(item.question, len(rows))
        for context in item.contexts:
            for text in (context, *split[context]):
                rows.setdefault(text, len(rows))
    vectors: npt.NDArray[np.float32] = encoder.encode(list(rows)) if rows else np.zeros((0, 1), np.float32)
    found = []
    for item in items:
        asked = vectors[rows[item.question]]
        found.append([_near(asked, context, split[context], rows, vectors) for context in item.contexts])
    return found


def _near(
    asked: npt.NDArray[np.float32],
    context: str,
    parts: Sequence[str],
    rows: dict[str, int],
    vectors: npt.NDArray[np.float32],
) -> _Nearness:
    if not parts:
        return _Nearness(0.0, 0.0)
    cosines = np.sort(vectors[[rows[part] for part in parts]] @ asked)
    return _Nearness(float(vectors[rows[context]] @ asked), float(cosines[-TOP_SENTENCES:].mean()))


def _usefulness(encoder: Encoder, inputs: Sequence[AnswerFromChunks]) -> list[Reply[ChunkUses]]:
    """A chunk is useful if it has the words of a statement of the answer and, by the verifier, answers the question.

    Where the verifier is off the words alone decide.
    """
    asked = [QuestionOnText(item.question, chunk) for item in inputs for chunk in item.chunks]
    told = [statements_of(item.question, item.answer) for item in inputs]
    claims = [
        Claim(item.question, said, chunk) for item, said in zip(inputs, told, strict=True) for chunk in item.chunks
    ]
    uses = iter(
        [
            _use(max((one.score for one in held), default=0.0), found)
            for held, found in zip(support(None, claims), answered(encoder, asked), strict=True)
        ]
    )
    return [Reply(ChunkUses(items=tuple(next(uses) for _ in item.chunks))) for item in inputs]


def _use(held: float, found: Answered | None) -> ChunkUse:
    reason = f"support of what the answer says by its words {held:.2f}"
    if found is not None:
        reason += f", probability that it answers the question {found.likely:.2f}"
    useful = held > SUPPORTED_ABOVE and (found is None or found.is_answered)
    return ChunkUse(useful=useful, reason=reason)


HANDLERS: dict[str, Handler] = {"context_usefulness": _usefulness}
