"""Scenarios and schemas by a model on a server: the endpoint, its call log and its budget around the pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ragassay.annotation.beside import BASELINES_FILE
from ragassay.errors import BudgetError, InputError, ModelError, UsageError
from ragassay.models.base import Model
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.model_options import ModelOptions, Role
from ragassay.pipeline.asking.models import Endpoints
from ragassay.pipeline.asking.servers import Told, served_model
from ragassay.pipeline.folders.progress import Silent
from ragassay.records import Document, write_jsonl
from ragassay.synthesis.scenario.baselines import DocumentBaselines, document_baselines
from ragassay.synthesis.scenario.folder import read_scenario
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions, generate_by_model
from ragassay.synthesis.scenario.infer import Inferred, infer_by_model
from ragassay.synthesis.scenario.schema import Schema

T = TypeVar("T")
_WRITER: Role = "writer"


def make_scenario(
    schema: Schema,
    options: ScenarioOptions,
    models: ModelOptions,
    folder: Path,
    tally: EffortTally | None = None,
    told: Told | None = None,
) -> Scenario:
    """A scenario that the model named writes; calls are logged in the folder, and none is repeated.

    tally: counts what the model is asked and what it leaves unanswered. told: of every reply, and how far batches are.
    Raises BudgetError where a limit was reached: the replies so far are kept for a run with a higher one.
    """
    options.check()
    return _with_model(models, folder, tally, told or Silent(), lambda model: generate_by_model(schema, options, model))


def infer_schema(
    seeds: Sequence[Document],
    name: str,
    models: ModelOptions,
    folder: Path,
    tally: EffortTally | None = None,
    told: Told | None = None,
) -> Inferred:
    """A schema from what the model named finds in the seeds; calls are logged in the folder. The rest: see above.

    Raises UsageError where no model is named.
    """
    check_reader(models)
    return _with_model(models, folder, tally, told or Silent(), lambda model: infer_by_model(model, seeds, name))


def check_reader(models: ModelOptions) -> None:
    """Raises UsageError where no language model is named that could summarise seeds."""
    if _WRITER not in models.on_servers:
        raise UsageError(
            "a language model summarises seed documents in a schema: name one with --model, or edit a shipped schema "
            "(`ragassay scenario schema`) and give it with --schema"
        )


def write_document_baselines(
    folder: Path,
    seeds: Sequence[Document],
    models: ModelOptions,
    tally: EffortTally | None = None,
    told: Told | None = None,
) -> DocumentBaselines:
    """Writes zero-shot and one-shot documents beside those of a scenario, into ``baselines.jsonl`` of its folder.

    seeds: real documents of the kind; none for zero-shot alone. Raises InputError for a folder that holds no scenario.
    """
    documents, _, _ = read_scenario(folder)
    kind = next((each.metadata["scenario"] for each in documents if each.metadata.get("scenario")), "")
    if not kind:
        raise InputError(f"{folder}: its documents do not name their scenario; make it again")
    made = _with_model(
        models, folder, tally, told or Silent(), lambda model: document_baselines(kind, documents, seeds, model)
    )
    if not made.documents:
        raise ModelError(f"no document could be written: {made.failed[0]}")
    write_jsonl(folder / BASELINES_FILE, made.documents)
    return made


def answered_share(tally: EffortTally) -> float | None:
    """Share of what was asked that was answered, in [0, 1]; None where nothing was asked."""
    asked = sum(row.asked for row in tally.rows())
    return 1 - sum(row.unanswered for row in tally.rows()) / asked if asked else None


def _with_model(
    options: ModelOptions,
    folder: Path,
    tally: EffortTally | None,
    told: Told,
    work: Callable[[Model], Awaitable[T]],
) -> T:
    if _WRITER not in options.on_servers:
        raise UsageError(f"--model {options.model}: must be a model on a server; leave it out to use rules")
    options.check()
    folder.mkdir(parents=True, exist_ok=True)
    return finished(_asked(options, Endpoints(options), folder, tally or EffortTally(), told, work))


async def _asked(
    options: ModelOptions,
    endpoints: Endpoints,
    folder: Path,
    tally: EffortTally,
    told: Told,
    work: Callable[[Model], Awaitable[T]],
) -> T:
    log = CallLog(folder / LOG_FILE)
    try:
        writer = endpoints.of_role[_WRITER]
        model = served_model(writer, options, log, endpoints.budget, endpoints.prices, told.replied)
        try:
            made = await work(tally.watched(model, _WRITER))
        finally:
            await model.close()
    finally:
        log.close()
    if endpoints.budget.reached is not None:
        raise BudgetError(
            f"{endpoints.budget.reached}; replies so far are kept in {folder}: run the same command with "
            "a higher limit to continue"
        )
    return made
