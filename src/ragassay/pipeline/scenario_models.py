"""Scenarios and schemas by a model on a server: the endpoint, its call log and its budget around the pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ragassay.errors import BudgetError, UsageError
from ragassay.models.base import Model
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.pipeline.model_options import ModelOptions
from ragassay.pipeline.models import Endpoints
from ragassay.records import Document
from ragassay.synthesis.scenario.by_model import generate_by_model, infer_by_model
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions
from ragassay.synthesis.scenario.infer import Inferred
from ragassay.synthesis.scenario.schema import Schema

T = TypeVar("T")


def make_scenario(schema: Schema, options: ScenarioOptions, models: ModelOptions, folder: Path) -> Scenario:
    """A scenario that the model named writes; calls are logged in the folder, and none is repeated.

    Raises BudgetError where a limit was reached: the replies so far are kept for a run with a higher one.
    """
    options.check()
    return _with_model(models, folder, lambda model: generate_by_model(schema, options, model))


def infer_schema(seeds: Sequence[Document], name: str, models: ModelOptions, folder: Path) -> Inferred:
    """A schema from what the model named finds in the seeds; calls are logged in the folder."""
    return _with_model(models, folder, lambda model: infer_by_model(model, seeds, name))


def _with_model(options: ModelOptions, folder: Path, work: Callable[[Model], Awaitable[T]]) -> T:
    if "writer" not in options.on_servers:
        raise UsageError(f"--model {options.model}: name a model on a server, or leave --model out for the rules")
    options.check()
    folder.mkdir(parents=True, exist_ok=True)
    return asyncio.run(_asked(options, Endpoints(options), folder, work))


async def _asked(options: ModelOptions, endpoints: Endpoints, folder: Path, work: Callable[[Model], Awaitable[T]]) -> T:
    from ragassay.models.openai_compatible import OpenAICompatible  # imported late: it loads the HTTP client

    log = CallLog(folder / LOG_FILE)
    try:
        model = OpenAICompatible(
            endpoints.of_role["writer"],
            log,
            endpoints.budget,
            prices=endpoints.prices,
            overrides=options.prompts,
            limits=options.limits,
            samplings=options.samplings,
        )
        try:
            made = await work(model)
        finally:
            await model.close()
    finally:
        log.close()
    if endpoints.budget.reached is not None:
        raise BudgetError(
            f"{endpoints.budget.reached}; replies so far are kept in {folder}: run the same command with a higher "
            "limit to go on from there"
        )
    return made
