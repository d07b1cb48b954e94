"""How a judged metric of one task is declared: what is asked of an answer, and how the reply is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Kind, Measured, Metric, Needs, meaning_of, score_of
from ragassay.records import Score
from ragassay.tasks.base import In, Out, Task

RAGAS, RAGEVAL = "RAGAS (EACL 2024), reference-free metrics", "RAGEval (ACL 2025), generation metrics"
RAGVAL = "RAGVAL, evaluation"
SYNDAITE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), after RAGAS"
ON_CHUNKS: tuple[Input, ...] = ("answer", "chunk texts")
ON_REFERENCE: tuple[Input, ...] = ("answer", "reference answer")
NO_REFERENCE = "the example has no reference answer"


def judged_metric(
    reads: Callable[[Answered, Out], Measured],
    task: Task[In, Out],
    asks: Callable[[Answered], In],
    *,
    inputs: tuple[Input, ...],
    source: str,
    name: str | None = None,
    meaning: str | None = None,
    kind: Kind = "answer",
    needs: Needs = "model",
    low: float = 0.0,
    high: float = 1.0,
    higher_is_better: bool = True,
    is_usual: bool = False,
    why_not: Callable[[Answered], str | None] = lambda each: each.missing,
    unasked: Callable[[Answered], Measured] | None = None,
) -> Metric:
    """Return the metric that is one task of an answer, asked of all answers at once.

    asks, reads: what is asked of an answer, and how the reply is read; without one the value is None with the reason.
    name, meaning: those of ``reads`` if None. why_not: why the model is not asked of an answer; ``unasked`` measures
    those.
    """
    called = name or reads.__name__

    async def score_all(judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        reasons = [why_not(each) for each in answered]
        asked = [each for each, reason in zip(answered, reasons, strict=True) if reason is None]
        replies = iter(await judge.model.ask_all(task, [asks(each) for each in asked]))
        scores = []
        for each, reason in zip(answered, reasons, strict=True):
            if reason is not None:
                measured = unasked(each) if unasked is not None else Measured(None, reason=reason)
            else:
                reply = next(replies)
                measured = Measured(None, reason=reply.reason) if reply.value is None else reads(each, reply.value)
            scores.append(score_of(each, called, measured))
        return scores

    return Metric(
        name=called,
        kind=kind,
        meaning=meaning or meaning_of(reads),
        inputs=inputs,
        source=source,
        needs=needs,
        low=low,
        high=high,
        higher_is_better=higher_is_better,
        judge=score_all,
        tasks=(task.name,),
        is_usual=is_usual,
    )
