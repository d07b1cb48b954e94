"""Truthfulness and relevance from 1 to 5, and their sum, by a judge that sees the knowledge block (RAGVAL).

The block is what the question was made from; the answering system had to find it (information asymmetry).
"""

from __future__ import annotations

from collections.abc import Callable

from ragassay.metrics.answer.abstention import has_refused, how_it_answered, is_unanswerable
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import RAGVAL, judged_metric
from ragassay.metrics.metric import Measured, Metric
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, BlockRatings

LEAST, MOST = 1.0, 5.0
"""Relevance of an answer that says that it does not know; its truthfulness, where the block has no answer either."""


def _metric(name: str, meaning: str, value: Callable[[float, float], float], parts: int = 1) -> Metric:
    """Return the metric of both ratings. parts: how many of them are added up.

    None where the system failed or said nothing, the block is not known, or the judge failed. Refusals are rated too.
    """

    def reads(each: Answered, rated: BlockRatings) -> Measured:
        refuses = has_refused(each.prediction)
        has_no_answer = each.example.label == "unanswerable" or is_unanswerable(each.example)[0] is True
        relevance = LEAST if refuses else rated.relevance
        truthfulness = MOST if refuses and has_no_answer else rated.truthfulness
        evidence = (
            f"truthfulness {truthfulness:g}, relevance {relevance:g}: {rated.reason}",
            *((f"{how_it_answered(each.prediction)}: relevance is 1",) if refuses else ()),
            *(("the question is unanswerable: truthfulness is 5",) if refuses and has_no_answer else ()),
        )
        return Measured(value(truthfulness, relevance), evidence)

    return judged_metric(
        reads,
        BLOCK_RATINGS,
        lambda each: AnswerOnBlock(question=each.question, answer=each.answer, block=each.block),
        name=name,
        meaning=meaning,
        inputs=("answer", "knowledge block"),
        source=RAGVAL,
        kind="answer and reference",
        low=parts * LEAST,
        high=parts * MOST,
        why_not=_why_not,
    )


def _why_not(each: Answered) -> str | None:
    if not each.answer.strip() or each.prediction.error:
        return each.missing
    return None if each.block.strip() else "the knowledge block of the example is not known"


METRICS = (
    _metric(
        "truthfulness",
        "How far what the answer claims agrees with the knowledge block, from 1 to 5.",
        lambda truthfulness, _: truthfulness,
    ),
    _metric(
        "relevance",
        "How well the answer addresses the question, from 1 to 5; 1 where the system refuses.",
        lambda _, relevance: relevance,
    ),
    _metric(
        "truthfulness_and_relevance",
        "The sum of truthfulness and relevance, from 2 to 10: RAGVAL's figure of merit.",
        lambda truthfulness, relevance: truthfulness + relevance,
        parts=2,
    ),
)
