"""The extractive answerer: the sentences, rows or lines of the chunks that answer, or an abstention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.reading import Asked, Place, rank_places, read_question
from ragassay.models.embedded.support import ContextIndex
from ragassay.tasks.answering import Answer, QuestionWithChunks

# Only these few are embedded: vectors decide between near ties, words find the candidates.
MOST_EMBEDDED = 4
COSINE_SHARE = 0.3
# A later chunk is a little less likely to hold the answer than an earlier one.
RANK_COST = 0.02
ANSWERED_SHARE = 0.5
ABSTENTION = "The given documents do not answer this question."
MOST_SENTENCES = 3


class _Candidate(NamedTuple):
    chunk: int
    place: Place
    text: str
    score: float


_index = lru_cache(maxsize=4096)(ContextIndex)


def _answers(encoder: Encoder, inputs: Sequence[QuestionWithChunks]) -> list[Reply[Answer]]:
    read = [read_question(item.question) for item in inputs]
    candidates = [_candidates(asked, item.chunks) for asked, item in zip(read, inputs, strict=True)]
    rows: dict[str, int] = {}
    for item, found in zip(inputs, candidates, strict=True):
        for text in (item.question, *(one.text for one in found)):
            rows.setdefault(text, len(rows))
    vectors = encoder.encode(list(rows)) if rows else np.zeros((0, 1), np.float32)
    replies = []
    for item, asked, found in zip(inputs, read, candidates, strict=True):
        ranked = sorted(
            found,
            key=lambda one: (
                -(one.score + COSINE_SHARE * float(vectors[rows[item.question]] @ vectors[rows[one.text]])),
                one.chunk,
                one.place.unit,
            ),
        )
        replies.append(Reply(_answer(asked, ranked)))
    return replies


def _candidates(asked: Asked, chunks: Sequence[str]) -> list[_Candidate]:
    found = []
    for number, chunk in enumerate(chunks):
        index = _index(chunk)
        for place in rank_places(asked, index)[:MOST_EMBEDDED]:
            score = place.share + 0.1 * place.fits_type - RANK_COST * number
            found.append(_Candidate(number, place, index.units[place.unit].text, score))
    found.sort(key=lambda one: (-one.score, one.chunk, one.place.unit))
    return found[:MOST_EMBEDDED]


def _answer(asked: Asked, ranked: Sequence[_Candidate]) -> Answer:
    if not ranked or ranked[0].place.wanted_share < ANSWERED_SHARE:
        return Answer(text=ABSTENTION, abstained=True)
    return Answer(text=ranked[0].text, abstained=False, used=(ranked[0].chunk,))


HANDLERS = {"answer": _answers}
