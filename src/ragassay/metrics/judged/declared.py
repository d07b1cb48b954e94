"""How a judged metric declares itself, at the end of its file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Kind, Metric, Needs, meaning_of
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.ratings import Quality

RAGAS, RAGEVAL = "RAGAS (EACL 2024), reference-free metrics", "RAGEval (ACL 2025), generation metrics"
RAGVAL = "RAGVAL, evaluation"
SYNDAITE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS"
BASELINE = "RAGAS (EACL 2024), baselines"
ON_CHUNKS: tuple[Input, ...] = ("answer", "chunk texts")
ON_KEYPOINTS: tuple[Input, ...] = ("answer", "keypoints")
ON_BLOCK: tuple[Input, ...] = ("answer", "knowledge block")


class _Plain(Protocol):
    """A metric that needs nothing of a judge but its model."""

    __name__: str

    async def __call__(self, model: Model, answered: Sequence[Answered]) -> list[Score]: ...


def judged_metric(
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


def inputs_of_quality(quality: Quality) -> tuple[Input, ...]:
    """What a baseline looks at."""
    of: dict[Quality, tuple[Input, ...]] = {
        "faithfulness": ON_CHUNKS,
        "answer_relevance": ("answer",),
        "context_relevance": ("chunk texts",),
    }
    return of[quality]
