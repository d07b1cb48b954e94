"""Faithfulness: how much of an answer its chunks support."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, STATEMENT_VERDICTS, AnswerToQuestion, StatementsOnContext

NAME = "faithfulness"


async def faithfulness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F = |V| / |S|: statements of the answer that the retrieved chunks support, of all its statements, in [0, 1].

    None where the system abstained, gave no answer, or the answer makes no statement.
    Source: RAGAS (EACL 2024 demo), section 3.
    """
    asked = [each for each in answered if each.missing is None]
    splits = await model.ask_all(
        ANSWER_STATEMENTS, [AnswerToQuestion(question=each.example.question, answer=each.answer) for each in asked]
    )
    stated = [
        (each, reply.value.items)
        for each, reply in zip(asked, splits, strict=True)
        if reply.value and reply.value.items
    ]
    verdicts = await model.ask_all(
        STATEMENT_VERDICTS,
        [
            StatementsOnContext(
                question=each.example.question, statements=statements, context="\n\n".join(each.chunk_texts)
            )
            for each, statements in stated
        ],
    )
    scores = {
        each.key: each.score(
            NAME,
            sum(verdict.supported for verdict in reply.value.items) / len(reply.value.items),
            evidence=tuple(verdict.reason for verdict in reply.value.items),
        )
        if reply.value
        else each.score(NAME, None, reply.reason)
        for (each, _), reply in zip(stated, verdicts, strict=True)
    }
    return [
        scores.get(each.key) or each.score(NAME, None, each.missing or "the answer makes no statement")
        for each in answered
    ]
