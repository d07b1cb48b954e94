"""How a judged metric asks, and how it declares itself at the end of its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Kind, Metric, Needs, meaning_of
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.base import In, Out, Task

RAGAS, RAGEVAL = "RAGAS (EACL 2024), reference-free metrics", "RAGEval (ACL 2025), generation metrics"
RAGVAL = "RAGVAL, evaluation"
SYNDAITE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS"
ON_CHUNKS: tuple[Input, ...] = ("answer", "chunk texts")


class _Plain(Protocol):
    """A metric that needs nothing of a judge but its model."""

    __name__: str

    async def __call__(self, model: Model, answered: Sequence[Answered]) -> list[Score]: ...


async def scores_by_reply(
    model: Model,
    task: Task[In, Out],
    answered: Sequence[Answered],
    name: str,
    *,
    why_not: Callable[[Answered], str | None],
    inputs: Callable[[Answered], In],
    score: Callable[[Answered, Out], Score],
    unasked: Callable[[Answered], Score] | None = None,
) -> list[Score]:
    """Ask a task of all answers at once and score each reply; None with the reason where there is none.

    why_not: why the model is not asked of an answer; ``unasked`` scores those.
    """
    asked = [each for each in answered if why_not(each) is None]
    replies = await model.ask_all(task, [inputs(each) for each in asked])
    scores = {
        each.key: each.score(name, None, reply.reason) if reply.value is None else score(each, reply.value)
        for each, reply in zip(asked, replies, strict=True)
    }
    return [
        scores.get(each.key) or (unasked(each) if unasked else each.score(name, None, why_not(each)))
        for each in answered
    ]


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
    is_usual: bool = False,
) -> Metric:
    """Return the metric that is called as its function, and has its docstring."""

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
        is_usual=is_usual,
    )
