"""What ``ragassay scenario`` does: scenarios made and checked, documents beside them, and schemas.

Where a model on a server writes, its calls are logged in the folder of the result, and none is repeated.
"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from ragassay.annotation.beside import BASELINES_FILE
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.datasets.output import whole_output
from ragassay.errors import BudgetError, InputError, ModelError, RunFolderError, UsageError
from ragassay.models.base import Model
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.options import Group, Many, Option, settings
from ragassay.pipeline.asking.dry_run import DryRun
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.asking.models import Endpoints
from ragassay.pipeline.asking.servers import Told, served_model
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Progress, Silent, Written, followed
from ragassay.pipeline.folders.run_folder import LOCK_FILE, PART_FOLDER, lasting_folder, put_in_place
from ragassay.pipeline.make.dry_scenario import estimate_scenario, estimate_schema
from ragassay.records import Document, SkippedSource, write_jsonl
from ragassay.synthesis.scenario import generate as by_rules
from ragassay.synthesis.scenario.baselines import document_baselines
from ragassay.synthesis.scenario.folder import ABOUT, SCHEMA, read_scenario, write_scenario
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate_by_model
from ragassay.synthesis.scenario.infer import Inferred, infer_by_model
from ragassay.synthesis.scenario.inspection import Inspection, inspect_scenario
from ragassay.synthesis.scenario.schema_file import load_schema, schema_text, shipped_schemas, shipped_text
from ragassay.version import __version__

T = TypeVar("T")
_LEFT_OVER = frozenset({PROGRESS_FILE, f"{PROGRESS_FILE}.part", LOCK_FILE, PART_FOLDER})
_WITHOUT = frozenset({"judges", "panel", "answers", "embeddings", "judging"})
Writer = Annotated[ModelOptions, Group(_WITHOUT)]
Language = Annotated[str, Option("Language of a shipped schema: en or zh.", metavar="en|zh")]
Folder = Annotated[Path, Option("Folder that `ragassay scenario generate` wrote.", metavar="DIR", is_argument=True)]


@settings
class GenerateOptions:
    """From which schema how much is made, and by whom."""

    schema: Annotated[str, Option("Schema file (.toml), or a shipped one: finance, law, medicine.", metavar="SCHEMA")]
    out: Annotated[
        Path,
        Option("Folder for the results; created if missing.", metavar="FOLDER", panel="Output", is_about_work=True),
    ]
    plan: Annotated[ScenarioOptions, Group()] = field(default_factory=ScenarioOptions)
    language: Language = "en"
    overwrite: Annotated[bool, Option("Replace another scenario in the folder.", panel="Output")] = False
    strict: Annotated[bool, Option("Exit with code 5 if examples are missing.", panel="Output")] = False
    models: Writer = field(default_factory=ModelOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """about: what ``scenario.json`` says. answered: share of the calls that the model answered."""

    about: Mapping[str, Any]
    folder: Path
    answered: float | None


def generate(options: GenerateOptions, progress: Progress | None = None) -> Generated:
    """Make documents, questions and answers, and put all files in place together.

    Raises RunFolderError for a folder that cannot be used, UsageError and InputError for what cannot be made,
    BudgetError where a limit was reached: the replies so far are kept, and ``progress.json`` says where it stopped.
    """
    _check(options)
    schema, text = load_schema(options.schema, options.language)
    folder, tally = options.out, EffortTally()
    with (
        lasting_folder(folder, lambda: _check(options), {PROGRESS_FILE}),
        followed(progress or Silent(), folder, "scenario") as told,
    ):
        told.start("writing documents and questions", None)
        if options.models.uses_servers:
            try:
                made = _by_model(
                    options.models,
                    folder,
                    tally,
                    FromFirstReply(told),
                    lambda model: generate_by_model(schema, options.plan, model),
                )
            except BudgetError as error:
                told.stopped(str(error).partition(";")[0])
                raise
        else:
            made = by_rules.generate(schema, options.plan)
        part = folder / PART_FOLDER
        shutil.rmtree(part, ignore_errors=True)  # of one that was killed
        about = write_scenario(part, made, schema, text, options.plan, __version__)
        put_in_place(part, folder)
    return Generated(about=about, folder=folder, answered=_answered_share(tally))


class FromFirstReply:
    """Begins the work of a folder once there is a reply, or a batch is under way."""

    def __init__(self, told: Written) -> None:
        self._told = told

    def replied(self, failed: bool, cost_usd: float | None) -> None:
        self._begin()
        self._told.replied(failed, cost_usd)

    def waiting(self, news: str) -> None:
        self._begin()
        self._told.waiting(news)

    def _begin(self) -> None:
        if not self._told.has_begun:
            self._told.begin()


def estimate_generation(options: GenerateOptions) -> DryRun:
    """Count the calls. Raises as ``generate`` does."""
    _check(options)
    return estimate_scenario(load_schema(options.schema, options.language)[0], options.plan, options.models)


def _check(options: GenerateOptions) -> None:
    """Raise UsageError, and RunFolderError unless the folder is absent, empty, or a scenario that may be replaced."""
    options.plan.check()
    options.models.check()
    folder = options.out
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"--out: {folder} is a file; name a folder")
    there = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    if all(name in _LEFT_OVER or name.startswith(LOG_FILE) for name in there):
        return  # what one left that was stopped: its calls are not paid for twice
    if not (folder / ABOUT).is_file():
        raise RunFolderError(f"--out: {folder} holds other files; name an empty or new folder")
    if not options.overwrite:
        raise RunFolderError(f"--out: {folder} holds a scenario; name another folder, or replace it with --overwrite")


@settings
class CheckOptions:
    """Which scenario is checked."""

    folder: Folder


def check(options: CheckOptions) -> Inspection:
    """Look for values that are not said, contradictions, and references that are not in place."""
    schema, _ = load_schema(str(options.folder / SCHEMA))
    return inspect_scenario(*read_scenario(options.folder), schema)


@settings
class BaselinesOptions:
    """Beside which scenario documents are written, and after which."""

    folder: Folder
    seeds: Annotated[
        tuple[Path, ...],
        Many,
        Option("Real documents of the kind, shown one each; without them zero-shot only.", metavar="PATH"),
    ] = ()
    models: Writer = field(default_factory=ModelOptions)


class Baselines(NamedTuple):
    """documents: how many of each way. failed: reasons of those that were not written."""

    folder: Path
    documents: Mapping[str, int]
    failed: tuple[str, ...]
    skipped: tuple[SkippedSource, ...]
    answered: float | None


def write_baselines(options: BaselinesOptions, progress: Progress) -> Baselines:
    """Write zero-shot and one-shot documents beside those of a scenario, into ``baselines.jsonl`` of its folder.

    Raises InputError for a folder that holds no scenario.
    """
    seeds, skipped = _documents(options.seeds)
    tally = EffortTally()
    progress.start("writing documents", None)
    documents, _, _ = read_scenario(options.folder)
    kind = next((str(each.metadata["scenario"]) for each in documents if each.metadata.get("scenario")), "")
    if not kind:
        raise InputError(f"{options.folder}: its documents do not name their scenario; make it again")
    made = _by_model(
        options.models,
        options.folder,
        tally,
        progress,
        lambda model: document_baselines(kind, documents, seeds, model),
    )
    if not made.documents:
        raise ModelError(f"no document could be written: {made.failed[0]}")
    write_jsonl(options.folder / BASELINES_FILE, made.documents)
    ways = [str(each.metadata["way"]) for each in made.documents]
    counts = {way: ways.count(way) for way in dict.fromkeys(ways)}
    return Baselines(options.folder, counts, tuple(made.failed), skipped, _answered_share(tally))


@settings
class SchemaOptions:
    """Which schema is checked or copied, or which documents one is inferred from."""

    sources: Annotated[
        tuple[str, ...],
        Many,
        Option("A schema file, a shipped schema, or documents.", metavar="SOURCE", is_argument=True),
    ]
    out: Annotated[Path | None, Option("File to write; replaces no file.", metavar="FILE", panel="Output")] = None
    name: Annotated[str, Option("Name of an inferred schema.", metavar="NAME", is_rare=True)] = "mine"
    language: Language = "en"
    models: Writer = field(default_factory=ModelOptions)

    @property
    def known(self) -> str:
        """The file or name of a schema; empty for documents."""
        first = self.sources[0] if len(self.sources) == 1 else ""
        is_schema = first.endswith(".toml") or (
            first in {name for name, _ in shipped_schemas()} and not Path(first).exists()
        )
        return first if is_schema else ""


class Schemas(NamedTuple):
    """counts: of the parts of a schema that was checked. inferred: what was found in documents."""

    name: str
    language: str
    counts: Mapping[str, int]
    out: Path | None
    inferred: Inferred | None = None
    skipped: tuple[SkippedSource, ...] = ()
    answered: float | None = None


def schema(options: SchemaOptions, progress: Progress) -> Schemas:
    """Check a schema, copy a shipped one, or infer one from documents by a language model."""
    if options.known:
        found, text = load_schema(options.known, options.language)
        if options.out is not None:
            text = text if options.known.endswith(".toml") else shipped_text(options.known, options.language)
            _write(options.out, text)
        parts = ("sections", "summaries", "hops", "integrations", "comparisons", "sequences", "absent")
        counts = {
            "fields": len(found.fields),
            "fields_that_may_be_left_out": sum(each.may_be_left_out for each in found.fields.values()),
            **{part: len(getattr(found, part)) for part in parts},
        }
        return Schemas(found.name, found.language, counts, options.out)
    out = _inferable(options)
    documents, skipped = _documents(tuple(map(Path, options.sources)))
    tally = EffortTally()
    progress.start("inferring the schema", len(documents))
    inferred = _by_model(
        options.models,
        log_of(out),
        tally,
        progress,
        lambda model: infer_by_model(model, documents, options.name),
    )
    _write(out, schema_text(inferred.schema))
    return Schemas(options.name, "", {}, out, inferred, skipped, _answered_share(tally))


def estimate_inference(options: SchemaOptions) -> DryRun:
    """Count the calls. Raises as ``schema`` does."""
    if options.known:
        raise UsageError("--dry-run: nothing is asked of a model; leave it out")
    _inferable(options)
    documents, _ = _documents(tuple(map(Path, options.sources)))
    return DryRun(rows=tuple(estimate_schema(documents, options.models)))


def log_of(out: Path) -> Path:
    """The folder of the calls for a schema."""
    return out.with_name(f"{out.stem}-calls")


def _inferable(options: SchemaOptions) -> Path:
    """The file to write. Raises before anything is asked of a model."""
    options.models.check()
    if "writer" not in options.models.on_servers:
        raise UsageError(
            "a language model summarises seed documents in a schema: name one with --model, or edit a shipped schema "
            "(`ragassay scenario schema`) and give it with --schema"
        )
    if options.out is None:
        raise UsageError("--out: missing; name a file for the schema")
    if options.out.exists() or (options.out.parent.exists() and not options.out.parent.is_dir()):
        raise RunFolderError(f"--out: {options.out} already exists or cannot be made; name another file")
    return options.out


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_output(path, overwrite=False) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RunFolderError(f"--out: {path} cannot be written ({error.strerror}); name another place") from None


def _documents(paths: tuple[Path, ...]) -> tuple[list[Document], tuple[SkippedSource, ...]]:
    skipped: list[SkippedSource] = []
    found = list(read_corpus(paths, ReadOptions(), skipped.append, skipped.append)) if paths else []
    return found, tuple(skipped)


def _answered_share(tally: EffortTally) -> float | None:
    """Share of what was asked that was answered, in [0, 1]; None where nothing was asked."""
    asked = sum(row.asked for row in tally.rows())
    return 1 - sum(row.unanswered for row in tally.rows()) / asked if asked else None


def _by_model(
    options: ModelOptions, folder: Path, tally: EffortTally, told: Told, work: Callable[[Model], Awaitable[T]]
) -> T:
    """Do what the model named is needed for; its calls are logged in the folder.

    tally: counts what it is asked and leaves unanswered. told: of every reply, and how far batches are. Raises
    UsageError where no model is named, BudgetError where a limit was reached: the replies so far are kept.
    """
    if "writer" not in options.on_servers:
        raise UsageError(f"--model {options.model}: must be a model on a server; leave it out to use rules")
    options.check()
    folder.mkdir(parents=True, exist_ok=True)
    endpoints = Endpoints(options)

    async def ask() -> T:
        log = CallLog(folder / LOG_FILE)
        try:
            writer = endpoints.of_role["writer"]
            model = served_model(writer, options, log, endpoints.budget, endpoints.prices, told.replied)
            try:
                return await work(tally.watched(model, "writer"))
            finally:
                await model.close()
        finally:
            log.close()

    made = finished(ask())
    if endpoints.budget.reached is not None:
        raise BudgetError(
            f"{endpoints.budget.reached}; replies so far are kept in {folder}: run the same command with "
            "a higher limit to continue"
        )
    return made
