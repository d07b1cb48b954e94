"""Factual correctness: claims of answer and reference, each held against the other text."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.abstention import all_refuse
from ragassay.metrics.judged.answered import ABSTAINED, Answered
from ragassay.metrics.judged.claims import TASKS, Verdicts, claims_of, verdicts_on
from ragassay.metrics.judged.declared import judged_metric
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import AnswerToQuestion

_SOURCE = "RAGAS 0.2, factual correctness; recall counts the claims of the reference"


async def factual_precision(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Claims of the answer that the reference answer supports, of all claims of the answer, in [0, 1].

    None where the system abstained or failed, the example has no reference answer, the answer makes no statement, or
    the judge failed. Source: RAGAS 0.2 (its documentation, factual correctness).
    """
    return await _scores(model, answered, "factual_precision", said=True)


async def factual_recall(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Claims of the reference answer that the answer supports, of all claims of the reference, in [0, 1].

    0 where the system abstained; 1 where the reference, too, says no more than that there is no answer. None where it
    failed, the example has no reference answer, or one without a statement, and where the judge failed.
    Source: RAGAS 0.2 (its documentation, factual correctness). RAGAS takes the confirmed claims of the answer as those
    of the reference that are found, though both texts are split in their own way; here each text counts its own.
    """
    return await _scores(model, answered, "factual_recall", wanted=True)


async def factual_correctness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """F1 of factual_precision and factual_recall, 2 P R / (P + R), in [0, 1]; 0 where the system abstained.

    1 where it abstained and the reference says no more than that there is no answer. None where either is None.
    Source: RAGAS 0.2 (its documentation, factual correctness, mode F1).
    """
    return await _scores(model, answered, "factual_correctness", said=True, wanted=True)


async def _scores(
    model: Model, answered: Sequence[Answered], name: str, *, said: bool = False, wanted: bool = False
) -> list[Score]:
    asked = [each for each in answered if each.missing is None and each.example.answer.strip()]
    of_answers: Sequence[Verdicts | None] = [None] * len(asked)
    of_references = of_answers
    if said:
        of_answers = await _held(model, asked, "the answer", [(each.answer, each.example.answer) for each in asked])
    if wanted:
        pairs = [(each.example.answer, each.answer) for each in asked]
        of_references = await _held(model, asked, "the reference answer", pairs)
    scores = {each.key: _score(each, name, *both) for each, *both in zip(asked, of_answers, of_references, strict=True)}
    return [scores.get(each.key) or _unasked(each, name) for each in answered]


async def _held(model: Model, asked: Sequence[Answered], noun: str, pairs: Sequence[tuple[str, str]]) -> list[Verdicts]:
    """Split the first text of each pair into claims and hold these against the other."""
    texts = [
        AnswerToQuestion(question=each.question, answer=text) for each, (text, _) in zip(asked, pairs, strict=True)
    ]
    claims = await claims_of(model, texts, noun)
    cases = [(each.question, of_it, other) for each, of_it, (_, other) in zip(asked, claims, pairs, strict=True)]
    return await verdicts_on(model, cases)


def _score(each: Answered, name: str, said: Verdicts | None, wanted: Verdicts | None) -> Score:
    judged = [verdicts for verdicts in (said, wanted) if verdicts is not None]
    reason = next((verdicts.reason for verdicts in judged if verdicts.reason is not None), None)
    if reason is not None:
        return each.score(name, None, reason)
    shares = [verdicts.share for verdicts in judged]
    # The harmonic mean of one share is that share.
    value = len(shares) / sum(1 / share for share in shares) if all(shares) else 0.0
    evidence = (
        *(said.told("confirmed", "not confirmed") if said is not None else ()),
        *(wanted.told("said", "left out") if wanted is not None else ()),
    )
    return each.score(name, value, evidence=evidence)


def _unasked(each: Answered, name: str) -> Score:
    if not each.example.answer.strip():
        return each.score(name, None, "the example has no reference answer")
    if each.missing != ABSTAINED or name == "factual_precision":
        return each.score(name, None, each.missing)
    return each.score(name, float(all_refuse((each.example.answer,))), evidence=(ABSTAINED,))


METRICS = tuple(
    judged_metric(each, ("answer", "reference answer"), _SOURCE, *TASKS, kind="answer and reference")
    for each in (factual_precision, factual_recall, factual_correctness)
)
