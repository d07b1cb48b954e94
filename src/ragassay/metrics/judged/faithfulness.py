"""Faithfulness: how much of an answer its chunks support."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import NO_CHUNK, Answered
from ragassay.metrics.judged.claims import TASKS, claims_of, verdicts_on
from ragassay.metrics.judged.declared import ON_CHUNKS, RAGAS, SYNDAITE, judged_metric
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.base import Task
from ragassay.tasks.verdicts import (
    ANSWER_CLAIMS,
    ANSWER_STATEMENTS,
    STATEMENT_INFERENCES,
    STATEMENT_VERDICTS,
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdicts,
)

_Split = Task[AnswerToQuestion, AnswerStatements]
_Verify = Task[StatementsOnContext, StatementVerdicts]


async def faithfulness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F = |V| / |S|: statements of the answer that the retrieved chunks support, of all its statements, in [0, 1].

    None where the system abstained, gave no answer or retrieved nothing, the answer makes no statement, or the judge
    failed or did not give one verdict for each statement.
    Source: RAGAS (EACL 2024), reference-free metrics.
    """
    return await _supported_share(model, answered, "faithfulness", ANSWER_STATEMENTS, STATEMENT_VERDICTS)


async def faithfulness_inferred(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """As faithfulness in its other wording: split sentence by sentence, then 1 or 0 for what can be directly inferred.

    Two judges of one answer by two wordings show how much hangs on the prompt. Rules read no prompt: the embedded model
    gives what it gives for ``faithfulness``.
    Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS.
    """
    return await _supported_share(model, answered, "faithfulness_inferred", ANSWER_CLAIMS, STATEMENT_INFERENCES)


async def _supported_share(
    model: Model, answered: Sequence[Answered], name: str, split: _Split, verify: _Verify
) -> list[Score]:
    asked = [each for each in answered if _why_not(each) is None]
    texts = [AnswerToQuestion(question=each.question, answer=each.answer) for each in asked]
    claims = await claims_of(model, texts, task=split)
    cases = [(each.question, of_it, each.context) for each, of_it in zip(asked, claims, strict=True)]
    scores = {
        each.key: each.score(name, None, verdicts.reason)
        if verdicts.reason is not None
        else each.score(name, verdicts.share, evidence=verdicts.told("supported", "not supported"))
        for each, verdicts in zip(asked, await verdicts_on(model, cases, verify), strict=True)
    }
    return [scores.get(each.key) or each.score(name, None, _why_not(each)) for each in answered]


def _why_not(each: Answered) -> str | None:
    return each.missing or (None if each.context.strip() else NO_CHUNK)


METRICS = (
    judged_metric(faithfulness, ON_CHUNKS, RAGAS, *TASKS, is_usual=True),
    judged_metric(faithfulness_inferred, ON_CHUNKS, SYNDAITE, ANSWER_CLAIMS.name, STATEMENT_INFERENCES.name),
)
