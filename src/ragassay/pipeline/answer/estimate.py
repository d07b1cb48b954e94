"""What a run of a built-in system would ask of models on servers, counted before the first call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ragassay.errors import UsageError
from ragassay.models.base import Model, Reply
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.pipeline.answer.options import EvaluateOptions
from ragassay.pipeline.answer.predict import Predicted, predict_by
from ragassay.pipeline.asking.counting_encoder import CountingEncoder
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.tasks.answering import Answer
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.reranking import ChunkGrades
from ragassay.tasks.searching import HypotheticalPassage, Search

STAGE = "answers"
_PASSAGE = "The passage says what such a document may say about the question, with names and figures. " * 4
_GRADE: Literal[1] = 1
_MADE_UP: Mapping[str, Callable[[Any], Any]] = {
    "search_decision": lambda asked: Search(needed=True, query=asked.question),
    "hypothetical_passage": lambda asked: HypotheticalPassage(text=_PASSAGE),
    "closed_book_answer": lambda asked: Answer(text=_PASSAGE[:90], abstained=False),
    "chunk_grades": lambda asked: ChunkGrades(grades=(_GRADE,) * len(asked.chunks)),
}
"""Replies as long as usual to the tasks that the embedded model cannot do."""


def stand_in(options: EvaluateOptions, progress: Progress | None = None) -> tuple[Predicted, list[CallEstimate]]:
    """A run of a built-in system in which the embedded model answers in the place of those on servers."""
    options.check_system()
    if not options.is_built_in:
        raise UsageError(
            f"--dry-run: only works for built-in systems, not for {options.spec.kind}; try it with --limit 10"
        )
    endpoints = Endpoints(options.answering, without_keys=True)
    estimates = Estimates(endpoints.prices)
    estimates.stage = STAGE

    def fill(models: RunModels) -> None:
        models.stand_in(lambda inner, endpoint: _counting(inner, endpoint, options, estimates))
        if endpoints.embeddings is not None:
            models.encoder = CountingEncoder(endpoints.embeddings.name, estimates)

    predicted = predict_by(options, endpoints, progress or Silent(), None, fill)
    return predicted, estimates.rows()


def _counting(inner: Model, endpoint: Endpoint, options: EvaluateOptions, estimates: Estimates) -> Model:
    overrides = options.answering.prompts
    return EstimatingModel(_StandIn(inner), endpoint.name, estimates, overrides=overrides)


class _StandIn:
    """The embedded model, and made-up replies to what it cannot do."""

    def __init__(self, inner: Model) -> None:
        self.name = inner.name
        self._inner = inner

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        made_up = _MADE_UP.get(task.name)
        if made_up is None:
            return await self._inner.ask_all(task, inputs)
        return [Reply(made_up(each)) for each in inputs]
