"""Faithfulness: how much of an answer its chunks support."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered, miscounted
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    STATEMENT_VERDICTS,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdicts,
)

NAME = "faithfulness"


async def faithfulness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F = |V| / |S|: statements of the answer that the retrieved chunks support, of all its statements, in [0, 1].

    None where the system abstained, gave no answer, the answer makes no statement, or the judge failed or did not give
    one verdict for each statement.
    Source: RAGAS (EACL 2024 demo), section 3.
    """
    asked = [each for each in answered if each.missing is None]
    splits = await model.ask_all(
        ANSWER_STATEMENTS, [AnswerToQuestion(question=each.example.question, answer=each.answer) for each in asked]
    )
    stated = []
    scores = {}
    for each, split in zip(asked, splits, strict=True):
        if split.value is None:
            scores[each.key] = each.score(NAME, None, split.reason)
        elif split.value.items:
            stated.append((each, split.value.items))
    replies = await model.ask_all(
        STATEMENT_VERDICTS,
        [
            StatementsOnContext(
                question=each.example.question, statements=statements, context="\n\n".join(each.chunk_texts)
            )
            for each, statements in stated
        ],
    )
    for (each, statements), reply in zip(stated, replies, strict=True):
        scores[each.key] = _score(each, len(statements), reply)
    return [
        scores.get(each.key) or each.score(NAME, None, each.missing or "the answer makes no statement")
        for each in answered
    ]


def _score(each: Answered, statements: int, reply: Reply[StatementVerdicts]) -> Score:
    if reply.value is None:
        return each.score(NAME, None, reply.reason)
    verdicts = reply.value.items
    if problem := miscounted(len(verdicts), statements, "statement"):
        return each.score(NAME, None, problem)
    return each.score(
        NAME,
        sum(verdict.supported for verdict in verdicts) / len(verdicts),
        evidence=tuple(verdict.reason for verdict in verdicts),
    )
