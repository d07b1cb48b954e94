"""Faithfulness: how much of an answer its chunks support."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import Answered, miscounted
from ragassay.metrics.judged.declared import ON_CHUNKS, RAGAS, SYNDAITE, judged_metric
from ragassay.metrics.judged.evidence import verdict_line
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.base import Task
from ragassay.tasks.faithfulness_variant import ANSWER_CLAIMS, STATEMENT_INFERENCES
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    STATEMENT_VERDICTS,
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdicts,
)

NAME, INFERRED_NAME = "faithfulness", "faithfulness_inferred"

_Split = Task[AnswerToQuestion, AnswerStatements]
_Verify = Task[StatementsOnContext, StatementVerdicts]


async def faithfulness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F = |V| / |S|: statements of the answer that the retrieved chunks support, of all its statements, in [0, 1].

    None where the system abstained, gave no answer or retrieved nothing, the answer makes no statement, or the judge
    failed or did not give one verdict for each statement.
    Source: RAGAS (EACL 2024), reference-free metrics.
    """
    return await _supported_share(model, answered, NAME, ANSWER_STATEMENTS, STATEMENT_VERDICTS)


async def faithfulness_inferred(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """As faithfulness in its other wording: split sentence by sentence, then 1 or 0 for what can be directly inferred.

    None as there. Two judges of one answer by two wordings show how much hangs on the prompt. Rules read no prompt: the
    embedded model gives what it gives for ``faithfulness``.
    Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS.
    """
    return await _supported_share(model, answered, INFERRED_NAME, ANSWER_CLAIMS, STATEMENT_INFERENCES)


async def _supported_share(
    model: Model, answered: Sequence[Answered], name: str, split_task: _Split, verify_task: _Verify
) -> list[Score]:
    asked = [each for each in answered if _why_not(each) is None]
    splits = await model.ask_all(
        split_task, [AnswerToQuestion(question=each.question, answer=each.answer) for each in asked]
    )
    stated = []
    scores = {}
    for each, split in zip(asked, splits, strict=True):
        if split.value is None:
            scores[each.key] = each.score(name, None, split.reason)
        elif split.value.items:
            stated.append((each, split.value.items))
    replies = await model.ask_all(
        verify_task,
        [
            StatementsOnContext(question=each.question, statements=statements, context=each.context)
            for each, statements in stated
        ],
    )
    for (each, statements), reply in zip(stated, replies, strict=True):
        scores[each.key] = _score(each, name, statements, reply)
    return [
        scores.get(each.key) or each.score(name, None, _why_not(each) or "the answer makes no statement")
        for each in answered
    ]


def _why_not(each: Answered) -> str | None:
    return each.missing or (None if each.context.strip() else "no chunk was retrieved")


def _score(each: Answered, name: str, statements: Sequence[str], reply: Reply[StatementVerdicts]) -> Score:
    if reply.value is None:
        return each.score(name, None, reply.reason)
    verdicts = reply.value.items
    if problem := miscounted(len(verdicts), len(statements), "statement"):
        return each.score(name, None, problem)
    return each.score(
        name,
        sum(verdict.supported for verdict in verdicts) / len(verdicts),
        evidence=tuple(
            verdict_line(
                "supported" if verdict.supported else "not supported", statement, verdict.reason, verdict.evidence
            )
            for statement, verdict in zip(statements, verdicts, strict=True)
        ),
    )


METRICS = (
    judged_metric(faithfulness, ON_CHUNKS, RAGAS, ANSWER_STATEMENTS.name, STATEMENT_VERDICTS.name),
    judged_metric(faithfulness_inferred, ON_CHUNKS, SYNDAITE, ANSWER_CLAIMS.name, STATEMENT_INFERENCES.name),
)
