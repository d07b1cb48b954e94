"""What a run would ask of models on servers, counted before the first call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.make.dry_synthesis import DryRun, estimated
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.run.run import run_in
from ragassay.workers import Workers


def dry_run(options: RunOptions, progress: Progress | None = None) -> DryRun:
    """Does the whole job with the embedded model in the place of the others, and counts what they would be asked.

    Nothing is written to the run folder and nothing is sent. Sentence vectors of the embedded encoder are computed and
    kept, so that the run itself need not. Raises as ``run``.
    """
    options.check()
    endpoints = Endpoints(options.models, without_keys=True)
    return finished(_dry_run(options, endpoints, progress or Silent()))


async def _dry_run(options: RunOptions, endpoints: Endpoints, progress: Progress) -> DryRun:
    async def job(folder: Path, models: RunModels, workers: Workers, enter: Callable[[str], None]) -> int:
        made = await run_in(folder, replace(options, out=folder), models, workers, progress, enter)
        return len(made.examples)

    return await estimated(options, options.n, endpoints, progress, job)
