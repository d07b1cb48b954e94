"""Answer relevance: whether an answer is about what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import RELEVANCE, AnswerToQuestion

NAME = "answer_relevance"


async def answer_relevance(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """How far the answer is about the question, right or wrong, in [0, 1]. None where the system abstained or failed.

    Source: RAGAS (EACL 2024 demo), section 3, here as one direct judgement.
    """
    asked = [each for each in answered if each.missing is None]
    replies = await model.ask_all(
        RELEVANCE, [AnswerToQuestion(question=each.example.question, answer=each.answer) for each in asked]
    )
    scores = {
        each.key: each.score(NAME, reply.value.relevance, evidence=(reply.value.reason,))
        if reply.value
        else each.score(NAME, None, reply.reason)
        for each, reply in zip(asked, replies, strict=True)
    }
    return [scores.get(each.key) or each.score(NAME, None, each.missing) for each in answered]
