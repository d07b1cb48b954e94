"""What a synthesis would ask of models on servers, counted before the first call; and the counting itself."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragassay.errors import UsageError
from ragassay.models.base import Model, Reply
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.pipeline.asking.counting_encoder import CountingEncoder
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.make.corpus_stage import workers_of
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import make_in
from ragassay.tasks.answering import Answer
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.creative import CLOSED_BOOK, KNOWLEDGE_CHECK, Known
from ragassay.workers import Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """rows: calls by stage and task. examples: how many the stand-in made. asked: how many were asked for."""

    rows: tuple[CallEstimate, ...]
    examples: int
    asked: int


def dry_synthesis(options: SynthesizeOptions, progress: Progress | None = None) -> DryRun:
    """As ``ragassay run --dry-run``, for ``ragassay synthesize``.

    Raises UsageError for a scenario, whose texts rules cannot foresee.
    """
    options.check()
    if options.synthesizer == "scenario":
        raise UsageError("--dry-run: estimate a scenario with `ragassay scenario generate --dry-run`")
    endpoints = Endpoints(options.models, without_keys=True)
    return finished(_dry_synthesis(options, endpoints, progress or Silent()))


async def _dry_synthesis(options: SynthesizeOptions, endpoints: Endpoints, progress: Progress) -> DryRun:
    async def job(folder: Path, models: RunModels, workers: Workers, enter: Callable[[str], None]) -> int:
        made = await make_in(folder, replace(options, out=folder), models, workers, progress, enter)
        return len(made.examples)

    return await estimated(options.corpus, options.n, endpoints, progress, job)


Job = Callable[[Path, RunModels, Workers, Callable[[str], None]], Awaitable[int]]
"""Does everything in a folder and returns how many examples came of it; told of each stage by its last argument."""


async def estimated(options: RunOptions, asked: int, endpoints: Endpoints, progress: Progress, job: Job) -> DryRun:
    """Does a job with the embedded model in the place of those on servers, and counts what they would be asked."""
    estimates = Estimates(endpoints.prices)

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(_Ignorant(inner), endpoint.name, estimates, overrides=options.models.prompts)

    def enter(stage: str) -> None:
        estimates.stage = stage

    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, workers_of(options) as workers:
        async with RunModels(options.models, endpoints, workers, progress.replied) as models:
            models.stand_in(stand_in)
            if endpoints.embeddings is not None:
                models.encoder = CountingEncoder(endpoints.embeddings.name, estimates)
            made = await job(Path(folder), models, workers, enter)
    return DryRun(rows=tuple(estimates.rows()), examples=made, asked=asked)


class _Ignorant:
    """The embedded model, which knows nothing, where it stands in for one that may: all blocks are new to it."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """As the model inside, but for what it cannot know."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside, but for what it cannot know."""
        said = _SAID_BY_THE_IGNORANT.get(task.name)
        return await self._inner.ask_all(task, inputs) if said is None else [Reply(said) for _ in inputs]


_SAID_BY_THE_IGNORANT: Mapping[str, Any] = {
    KNOWLEDGE_CHECK.name: Known(known=False, after_cutoff=False, reason="nothing is known of it"),
    CLOSED_BOOK.name: Answer(text="I do not know that.", abstained=True),
}
