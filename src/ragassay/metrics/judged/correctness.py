"""Correctness: how far an answer says what its reference says, no less and no more."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.judged.answered import ABSTAINED, Answered
from ragassay.metrics.judged.declared import judged_metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.correctness import CORRECTNESS, AnswerAndReference, Correctness

NAME = "correctness"


async def correctness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F1 of the statements of answer and reference, TP / (TP + (FP + FN) / 2), in [0, 1]; 0 where the system abstained.

    1 where it abstained and the reference says that there is no answer.

    TP: statements of the answer that the reference says; FP: its other statements; FN: statements of the reference that
    the answer does not make. A judge that says it directly, as the embedded model does, is taken at its word.
    None where the system failed, answer or reference is empty, or the judge failed.
    Source: RAGAS 0.1, answer correctness, the factual part; without the embedding part, which is a metric of its own.
    """
    asked = [each for each in answered if each.missing is None and each.example.answer.strip()]
    replies = await model.ask_all(
        CORRECTNESS,
        [
            AnswerAndReference(question=each.question, answer=each.answer, reference=each.example.answer)
            for each in asked
        ],
    )
    scores = {each.key: _score(each, reply) for each, reply in zip(asked, replies, strict=True)}
    return [scores.get(each.key) or _unasked(each) for each in answered]


def _score(each: Answered, reply: Reply[Correctness]) -> Score:
    found = reply.value
    if found is None:
        return each.score(NAME, None, reply.reason)
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
        return each.score(NAME, None, "the example has no reference answer")
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
