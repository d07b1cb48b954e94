"""Re-ranking by a language model that grades each chunk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ragassay.models.base import Model, Reply
from ragassay.retrieval.rerank.base import Candidates, Reranked
from ragassay.retrieval.rerank.names import JUDGE
from ragassay.tasks.reranking import CHUNK_GRADES, ChunkGrades, QuestionWithCandidates


class JudgeReranker:
    """One call for a question with all of its candidates; chunks of one grade stay in the order of the search.

    They are shown in an order that depends on their texts alone: a model that favours what stands first then favours no
    ranking, and rankings of the same chunks are one call.
    """

    name = JUDGE
    is_pointwise = False

    def __init__(self, model: Model) -> None:
        self._model = model

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Grades from 0 to 3."""
        orders = [_order_shown(each.texts) for each in asked]
        inputs = [
            QuestionWithCandidates(question=each.question, chunks=tuple(each.texts[place] for place in order))
            for each, order in zip(asked, orders, strict=True)
        ]
        distinct = list(dict.fromkeys(inputs))
        replies = dict(zip(distinct, await self._model.ask_all(CHUNK_GRADES, distinct), strict=True))
        return [_in_order(replies[each], order) for each, order in zip(inputs, orders, strict=True)]


def _order_shown(texts: Sequence[str]) -> list[int]:
    digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    return sorted(range(len(texts)), key=lambda place: (digests[place], place))


def _in_order(reply: Reply[ChunkGrades], order: Sequence[int]) -> Reranked:
    """The grades in the order of the candidates."""
    if reply.value is None:
        return Reranked(None, f"not re-ranked: {reply.reason}", reply.effort)
    grades = dict(zip(order, reply.value.grades, strict=True))
    return Reranked(tuple(float(grades[place]) for place in range(len(order))), effort=reply.effort)
