"""The metrics that a judge decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged import block_ratings
from ragassay.metrics.judged.answer_relevance import answer_relevance
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.completeness import completeness
from ragassay.metrics.judged.context_precision import context_precision
from ragassay.metrics.judged.context_relevance import context_relevance
from ragassay.metrics.judged.correctness import correctness
from ragassay.metrics.judged.faithfulness import faithfulness, faithfulness_inferred
from ragassay.metrics.judged.gpt_ranking import agreement_name, gpt_ranking, order_agreement, ranking_name
from ragassay.metrics.judged.gpt_score import gpt_score, score_name
from ragassay.metrics.judged.hallucination import hallucination
from ragassay.metrics.judged.irrelevancy import irrelevancy
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Kind, Metric, Needs, meaning_of
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.ratings import QUALITIES, Quality

_RAGAS, _RAGEVAL, _RAGVAL = "RAGAS (EACL 2024), section 3", "RAGEval (ACL 2025), section 4.2", "RAGVAL, evaluation"
_SYNDAITE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS"
_BASELINE = "RAGAS (EACL 2024), section 5"
_ON_CHUNKS: tuple[Input, ...] = ("answer", "chunk texts")
_ON_KEYPOINTS: tuple[Input, ...] = ("answer", "keypoints")
_ON_BLOCK: tuple[Input, ...] = ("answer", "knowledge block")


class _Plain(Protocol):
    """A metric that needs nothing of a judge but its model."""

    __name__: str

    async def __call__(self, model: Model, answered: Sequence[Answered]) -> list[Score]: ...


async def _relevance(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
    return await answer_relevance(
        judge.model, answered, judge.encoder, questions=judge.questions, evasive_is_zero=judge.evasive_is_zero
    )


def _judged(
    function: _Plain,
    inputs: tuple[Input, ...],
    source: str,
    *tasks: str,
    kind: Kind = "answer",
    needs: Needs = "model",
    low: float = 0.0,
    high: float = 1.0,
    higher_is_better: bool = True,
) -> Metric:
    """A metric that is called as its function, and has its docstring."""

    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await function(judge.model, answered)

    return Metric(
        name=function.__name__,
        kind=kind,
        meaning=meaning_of(function),
        inputs=inputs,
        source=source,
        needs=needs,
        low=low,
        high=high,
        higher_is_better=higher_is_better,
        judge=judge,
        tasks=tasks,
    )


def _scored(quality: Quality) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await gpt_score(judge.model, answered, quality)

    return Metric(
        name=score_name(quality),
        kind="baseline",
        meaning=f"What a language model gives for {quality.replace('_', ' ')} as the prompt defines it, from 0 to 10.",
        inputs=_inputs_of(quality),
        source=_BASELINE,
        needs="language model",
        high=10.0,
        judge=judge,
        tasks=(f"score_{quality}",),
    )


def _ranked(quality: Quality) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await gpt_ranking(judge.model, answered, quality, judge.seed)

    return Metric(
        name=ranking_name(quality),
        kind="baseline",
        meaning=f"1 if a language model prefers this system to the other by {quality.replace('_', ' ')}, asked in both "
        "orders, else 0; a coin decides ties.",
        inputs=(*_inputs_of(quality), "other prediction"),
        source=_BASELINE,
        needs="language model",
        judge=judge,
        tasks=(f"prefer_{quality}",),
    )


def _agreeing(quality: Quality) -> Metric:
    async def judge(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        return await order_agreement(judge.model, answered, quality)

    return Metric(
        name=agreement_name(quality),
        kind="baseline",
        meaning=f"1 where {ranking_name(quality)} comes out alike in both orders, else 0.",
        inputs=(*_inputs_of(quality), "other prediction"),
        source="ours, after the order effects of RAGAS, section 5",
        needs="language model",
        judge=judge,
        tasks=(f"prefer_{quality}",),
    )


def _inputs_of(quality: Quality) -> tuple[Input, ...]:
    of: dict[Quality, tuple[Input, ...]] = {
        "faithfulness": _ON_CHUNKS,
        "answer_relevance": ("answer",),
        "context_relevance": ("chunk texts",),
    }
    return of[quality]


JUDGED_METRICS: Sequence[Metric] = (
    _judged(
        context_relevance,
        ("chunk texts",),
        _RAGAS,
        "helpful_sentences",
        kind="retrieval",
    ),
    _judged(
        context_precision,
        _ON_CHUNKS,
        _SYNDAITE,
        "context_usefulness",
        kind="retrieval",
    ),
    _judged(completeness, _ON_KEYPOINTS, _RAGEVAL, "keypoint_verdicts", kind="answer and reference"),
    _judged(
        hallucination,
        _ON_KEYPOINTS,
        _RAGEVAL,
        "keypoint_verdicts",
        kind="answer and reference",
        higher_is_better=False,
    ),
    _judged(
        irrelevancy,
        _ON_KEYPOINTS,
        _RAGEVAL,
        "keypoint_verdicts",
        kind="answer and reference",
        higher_is_better=False,
    ),
    _judged(
        correctness,
        ("answer", "reference answer"),
        "RAGAS 0.1, answer correctness",
        "correctness",
        kind="answer and reference",
    ),
    _judged(
        block_ratings.truthfulness,
        _ON_BLOCK,
        _RAGVAL,
        "block_ratings",
        kind="answer and reference",
        low=1.0,
        high=5.0,
    ),
    _judged(
        block_ratings.relevance,
        _ON_BLOCK,
        _RAGVAL,
        "block_ratings",
        kind="answer and reference",
        low=1.0,
        high=5.0,
    ),
    _judged(
        block_ratings.truthfulness_and_relevance,
        _ON_BLOCK,
        _RAGVAL,
        "block_ratings",
        kind="answer and reference",
        low=2.0,
        high=10.0,
    ),
    _judged(faithfulness, _ON_CHUNKS, _RAGAS, "answer_statements", "statement_verdicts"),
    _judged(faithfulness_inferred, _ON_CHUNKS, _SYNDAITE, "answer_claims", "statement_inferences"),
    Metric(
        name="answer_relevance",
        kind="answer",
        meaning=meaning_of(answer_relevance),
        inputs=("answer",),
        source=_RAGAS,
        needs="model",
        judge=_relevance,
        tasks=("answer_relevance",),
    ),
    *map(_scored, QUALITIES),
    *map(_ranked, QUALITIES),
    *map(_agreeing, QUALITIES),
)
