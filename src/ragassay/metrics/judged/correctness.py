"""Correctness: how far an answer says what its reference says, no less and no more."""

from __future__ import annotations

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.judged.answered import ABSTAINED, Answered
from ragassay.metrics.judged.declared import NO_REFERENCE, ON_REFERENCE, judged_metric
from ragassay.metrics.metric import Measured
from ragassay.tasks.ratings import CORRECTNESS, AnswerAndReference, Correctness


def correctness(each: Answered, judged: Correctness) -> Measured:
    """F1 of the statements of answer and reference, TP / (TP + (FP + FN) / 2), in [0, 1]; 0 where the system abstained.

    1 where it abstained and the reference says that there is no answer.
    TP: statements of the answer that the reference says; FP: its other statements; FN: statements of the reference that
    the answer does not make. A judge that says it directly, as the embedded model does, is taken at its word.
    None where the system failed, answer or reference is empty, or the judge failed.
    Source: RAGAS 0.1, answer correctness, the factual part; without the embedding part, which is a metric of its own.
    """
    evidence = (
        judged.reason,
        *(f"confirmed: {statement}" for statement in judged.confirmed),
        *(f"not confirmed: {statement}" for statement in judged.unconfirmed),
        *(f"left out: {statement}" for statement in judged.left_out),
    )
    if judged.correctness is not None:
        return Measured(judged.correctness, evidence)
    confirmed, wrong = len(judged.confirmed), len(judged.unconfirmed) + len(judged.left_out)
    if not confirmed + wrong:
        return Measured(None, reason="the judge sorted no statement")
    return Measured(confirmed / (confirmed + wrong / 2), evidence)


def _why_not(each: Answered) -> str | None:
    return NO_REFERENCE if not each.example.answer.strip() else each.missing


def _unasked(each: Answered) -> Measured:
    if (reason := _why_not(each)) != ABSTAINED:
        return Measured(None, reason=reason)
    return Measured(float(all_refuse((each.example.answer,))), (ABSTAINED,))


METRICS = (
    judged_metric(
        correctness,
        CORRECTNESS,
        lambda each: AnswerAndReference(question=each.question, answer=each.answer, reference=each.example.answer),
        inputs=ON_REFERENCE,
        source="RAGAS 0.1, answer correctness",
        kind="answer and reference",
        why_not=_why_not,
        unasked=_unasked,
    ),
)
