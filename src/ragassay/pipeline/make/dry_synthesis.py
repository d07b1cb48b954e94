"""What a synthesis would ask of models on servers, counted before the first call; and the counting itself."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.stand_in import StandIn
from ragassay.pipeline.asking.counting_encoder import CountingEncoder
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.make.corpus_stage import workers_of
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import make_in
from ragassay.workers import Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """rows: calls by stage and task. examples: how many the stand-in made. asked: how many were asked for."""

    rows: tuple[CallEstimate, ...]
    examples: int
    asked: int


def dry_synthesis(options: SynthesizeOptions, progress: Progress | None = None) -> DryRun:
    """As ``ragassay run --dry-run``, for ``ragassay synthesize``."""
    options.check()
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
        return EstimatingModel(StandIn(inner), endpoint.name, estimates, overrides=options.models.prompts)

    def enter(stage: str) -> None:
        estimates.stage = stage

    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, workers_of(options) as workers:
        async with RunModels(options.models, endpoints, workers, progress) as models:
            models.stand_in(stand_in)
            if endpoints.embeddings is not None:
                models.encoder = CountingEncoder(endpoints.embeddings.name, estimates)
            made = await job(Path(folder), models, workers, enter)
    return DryRun(rows=tuple(estimates.rows()), examples=made, asked=asked)
