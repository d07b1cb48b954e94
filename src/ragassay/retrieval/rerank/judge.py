"""Re-ranking by a language model that grades each chunk."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.models.base import Model
from ragassay.retrieval.rerank.base import Candidates, Reranked
from ragassay.retrieval.rerank.names import JUDGE
from ragassay.tasks.reranking import CHUNK_GRADES, QuestionWithCandidates


class JudgeReranker:
    """One call for a question with all of its candidates; chunks of one grade stay in the order of the search."""

    name = JUDGE

    def __init__(self, model: Model) -> None:
        self._model = model

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Grades from 0 to 3."""
        inputs = [QuestionWithCandidates(question=each.question, chunks=each.texts) for each in asked]
        replies = await self._model.ask_all(CHUNK_GRADES, inputs)
        return [
            Reranked(None, f"not re-ranked: {reply.reason}")
            if reply.value is None
            else Reranked(tuple(float(grade) for grade in reply.value.grades))
            for reply in replies
        ]
