"""Puts something to a judge, embedded or on a server, and counts what that took.

Calls of a judge on a server go through a log in the output folder, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from ragassay.errors import RunFolderError
from ragassay.metrics.judged.judge import Judge
from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.judge.check_options import JudgeCheckOptions
from ragassay.report.costs import JudgingCost
from ragassay.workers import Workers

T = TypeVar("T")
MakeModel = Callable[[Model, Endpoint], Model]


class JudgeResult(NamedTuple, Generic[T]):
    """said: what came of it. model: who judged."""

    said: T
    model: str
    cost: JudgingCost


async def ask_judge(
    options: JudgeCheckOptions,
    endpoints: Endpoints,
    folder: Path | None,
    progress: Progress,
    ask: Callable[[Judge], Awaitable[T]],
    *,
    make: MakeModel | None = None,
) -> JudgeResult[T]:
    """What the judge of the options says. make: stands in for the models on servers, which are then not called."""
    begun = time.perf_counter()
    before = endpoints.budget.spent
    on_server = "judge" in options.models.on_servers
    with ExitStack() as stack:
        workers = stack.enter_context(Workers(1, imports=()))
        async with RunModels(options.models, endpoints, workers, progress) as models:
            if make is not None:
                models.stand_in(make)
            else:
                models.ask_servers(made_folder(folder) if folder is not None and on_server else Path())
            judge = Judge(
                model=models.judging(),
                encoder=models.encoder,
                prompts=options.models.prompts if on_server else None,
                seed=options.seed,
            )
            said = await ask(judge)
            counted = models.judge
    after = endpoints.budget.spent
    return JudgeResult(
        said,
        counted.name,
        JudgingCost(
            asked=counted.calls,
            unanswered=counted.unanswered,
            calls=after.calls - before.calls,
            prompt_tokens=after.prompt_tokens - before.prompt_tokens,
            completion_tokens=after.completion_tokens - before.completion_tokens,
            cost_usd=after.cost_usd - before.cost_usd,
            unpriced=after.unpriced - before.unpriced,
            wall_s=time.perf_counter() - begun,
        ),
    )


def estimate_asking(
    options: JudgeCheckOptions, progress: Progress, ask: Callable[[Judge], Awaitable[T]]
) -> list[CallEstimate]:
    """What asking would cost on a server; nothing is sent or kept."""
    endpoints = Endpoints(options.models, without_keys=True)
    estimates = Estimates(endpoints.prices)
    estimates.stage = "judge check"

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(inner, endpoint.name, estimates, overrides=options.models.prompts)

    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        finished(ask_judge(options, endpoints, Path(folder), progress, ask, make=stand_in))
    return estimates.rows()


def made_folder(folder: Path) -> Path:
    """The folder, which is there now. Raises RunFolderError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be created ({error.strerror}); name another folder") from None
    return folder


def write_result(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = made_folder(path.parent) / f"{path.name}.part"
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
