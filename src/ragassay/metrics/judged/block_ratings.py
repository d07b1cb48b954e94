"""Truthfulness and relevance from 1 to 5, and their sum, by a judge that sees the knowledge block (RAGVAL).

The block is what the question was made from; the answering system had to find it (information asymmetry).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.answer.abstention import has_refused, how_it_answered, is_unanswerable
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import RAGVAL, judged_metric, scores_by_reply
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, BlockRatings

TRUTHFULNESS, RELEVANCE, SUM = "truthfulness", "relevance", "truthfulness_and_relevance"
LEAST, MOST = 1.0, 5.0
"""Relevance of an answer that says that it does not know; its truthfulness, where the block has no answer either."""

_Value = Callable[[BlockRatings], float]


async def truthfulness(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """How far what the answer claims agrees with the knowledge block, from 1 to 5.

    None where the system failed or said nothing, the block is not known, or the judge failed. Refusals are rated too,
    by what they say; who refuses to answer an unanswerable question gets 5.
    Source: RAGVAL, evaluation.
    """
    return await _ratings(model, answered, TRUTHFULNESS, lambda rated: rated.truthfulness)


async def relevance(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """How well the answer addresses the question, from 1 to 5; 1 where the system refuses.

    None as ``truthfulness``. Source: RAGVAL, evaluation.
    """
    return await _ratings(model, answered, RELEVANCE, lambda rated: rated.relevance)


async def truthfulness_and_relevance(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """The sum of truthfulness and relevance, from 2 to 10: RAGVAL's figure of merit.

    None as ``truthfulness``. Source: RAGVAL, evaluation.
    """
    return await _ratings(model, answered, SUM, lambda rated: rated.truthfulness + rated.relevance)


async def _ratings(model: Model, answered: Sequence[Answered], name: str, value: _Value) -> list[Score]:
    return await scores_by_reply(
        model,
        BLOCK_RATINGS,
        answered,
        name,
        why_not=_why_not,
        inputs=lambda each: AnswerOnBlock(question=each.question, answer=each.answer, block=each.block),
        score=lambda each, rated: _score(each, name, value, rated),
    )


def _score(each: Answered, name: str, value: _Value, rated: BlockRatings) -> Score:
    refuses = has_refused(each.prediction)
    has_no_answer = each.example.label == "unanswerable" or is_unanswerable(each.example)[0] is True
    is_right_to_refuse = refuses and has_no_answer
    if refuses:
        rated = rated.model_copy(update={"relevance": LEAST})
    if is_right_to_refuse:
        rated = rated.model_copy(update={"truthfulness": MOST})
    evidence = (
        f"truthfulness {rated.truthfulness:g}, relevance {rated.relevance:g}: {rated.reason}",
        *((f"{how_it_answered(each.prediction)}: relevance is 1",) if refuses else ()),
        *(("the question is unanswerable: truthfulness is 5",) if is_right_to_refuse else ()),
    )
    return each.score(name, value(rated), evidence=evidence)


def _why_not(each: Answered) -> str | None:
    if not each.answer.strip() or each.prediction.error:
        return each.missing
    return None if each.block.strip() else "the knowledge block of the example is not known"


METRICS = tuple(
    judged_metric(
        each, ("answer", "knowledge block"), RAGVAL, BLOCK_RATINGS.name, kind="answer and reference", low=low, high=high
    )
    for each, low, high in (
        (truthfulness, LEAST, MOST),
        (relevance, LEAST, MOST),
        (truthfulness_and_relevance, 2 * LEAST, 2 * MOST),
    )
)
