"""Context recall: how much of the reference answer the retrieved chunks hold."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.judged.answered import NO_CHUNK, Answered
from ragassay.metrics.judged.claims import TASKS, claims_of, verdicts_on
from ragassay.metrics.judged.declared import judged_metric
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import AnswerToQuestion

NAME = "context_recall"


async def context_recall(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Statements of the reference answer that the retrieved chunks support, of all its statements, in [0, 1].

    0 where nothing was retrieved. What the system answered is no matter. None where the example has no reference
    answer, or one without a statement, and where the judge failed or did not give one verdict for each statement.
    Source: RAGAS 0.2 (its documentation, LLM-based context recall).
    """
    asked = [each for each in answered if each.context.strip() and each.example.answer.strip()]
    texts = [AnswerToQuestion(question=each.question, answer=each.example.answer) for each in asked]
    claims = await claims_of(model, texts, "the reference answer")
    cases = [(each.question, of_it, each.context) for each, of_it in zip(asked, claims, strict=True)]
    found = {each.key: each_one for each, each_one in zip(asked, await verdicts_on(model, cases), strict=True)}
    scores = []
    for each in answered:
        verdicts = found.get(each.key)
        if verdicts is None:
            has_reference = bool(each.example.answer.strip())
            reason = None if has_reference else "the example has no reference answer"
            scores.append(each.score(NAME, 0.0 if has_reference else None, reason, (NO_CHUNK,)))
        elif verdicts.reason is not None:
            scores.append(each.score(NAME, None, verdicts.reason))
        else:
            scores.append(each.score(NAME, verdicts.share, evidence=verdicts.told("found", "not found")))
    return scores


METRICS = (
    judged_metric(
        context_recall,
        ("reference answer", "chunk texts"),
        "RAGAS 0.2, context recall",
        *TASKS,
        kind="retrieval",
    ),
)
