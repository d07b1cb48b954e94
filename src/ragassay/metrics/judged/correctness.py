"""Correctness: how far an answer says what its reference says, no less and no more."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.judged.answered import ABSTAINED, Answered
from ragassay.metrics.judged.declared import judged_metric, scores_by_reply
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.ratings import CORRECTNESS, AnswerAndReference, Correctness

NAME = "correctness"
_NO_REFERENCE = "the example has no reference answer"


async def correctness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F1 of the statements of answer and reference, TP / (TP + (FP + FN) / 2), in [0, 1]; 0 where the system abstained.

    1 where it abstained and the reference says that there is no answer.

    TP: statements of the answer that the reference says; FP: its other statements; FN: statements of the reference that
    the answer does not make. A judge that says it directly, as the embedded model does, is taken at its word.
    None where the system failed, answer or reference is empty, or the judge failed.
    Source: RAGAS 0.1, answer correctness, the factual part; without the embedding part, which is a metric of its own.
    """
    return await scores_by_reply(
        model,
        CORRECTNESS,
        answered,
        NAME,
        why_not=lambda each: each.missing or (None if each.example.answer.strip() else _NO_REFERENCE),
        inputs=lambda each: AnswerAndReference(
            question=each.question, answer=each.answer, reference=each.example.answer
        ),
        score=_score,
        unasked=_unasked,
    )


def _score(each: Answered, found: Correctness) -> Score:
    evidence = (
        found.reason,
        *(f"confirmed: {statement}" for statement in found.confirmed),
        *(f"not confirmed: {statement}" for statement in found.unconfirmed),
        *(f"left out: {statement}" for statement in found.left_out),
    )
    if found.correctness is not None:
        return each.score(NAME, found.correctness, evidence=evidence)
    confirmed = len(found.confirmed)
    wrong = len(found.unconfirmed) + len(found.left_out)
    if not confirmed + wrong:
        return each.score(NAME, None, "the judge sorted no statement")
    return each.score(NAME, confirmed / (confirmed + wrong / 2), evidence=evidence)


def _unasked(each: Answered) -> Score:
    if not each.example.answer.strip():
        return each.score(NAME, None, _NO_REFERENCE)
    if each.missing != ABSTAINED:
        return each.score(NAME, None, each.missing)
    return each.score(NAME, float(all_refuse((each.example.answer,))), evidence=(ABSTAINED,))


METRICS = (
    judged_metric(
        correctness,
        ("answer", "reference answer"),
        "RAGAS 0.1, answer correctness",
        "correctness",
        kind="answer and reference",
    ),
)
