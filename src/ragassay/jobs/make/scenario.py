"""What ``ragassay scenario`` does: scenarios made and checked, documents beside them, and schemas."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from ragassay.datasets.registry import whole_output
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.errors import BudgetError, InputError, ModelError, RunFolderError, UsageError
from ragassay.generate.scenario.folder import (
    ABOUT,
    Inspection,
    inspect_scenario,
    read_scenario,
    write_scenario,
)
from ragassay.generate.scenario.generate import ScenarioOptions, generate_by_model
from ragassay.generate.scenario.generate import generate as generate_by_rules
from ragassay.generate.scenario.infer import Inferred, infer_by_model
from ragassay.generate.scenario.model_documents import document_baselines
from ragassay.generate.scenario.schema_file import load_schema, schema_text, shipped_schemas, shipped_text
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints, Told
from ragassay.jobs.folders.job import opened_models
from ragassay.jobs.folders.progress import PROGRESS_FILE, Progress, Silent, followed
from ragassay.jobs.folders.run_folder import OTHER_FILES, PART_FOLDER, check_place, lasting_folder, put_in_place
from ragassay.jobs.make.run_options import Out
from ragassay.models.base import Model
from ragassay.options import Group, Many, Option, settings
from ragassay.people.annotation.rounds import BASELINES_FILE
from ragassay.records import Document, Example, SkippedSource, write_jsonl
from ragassay.version import __version__

T = TypeVar("T")
COMMAND = "scenario"
_WITHOUT = frozenset({"judges", "panel", "answers", "embeddings", "judging"})
Writer = Annotated[ModelOptions, Group(_WITHOUT)]
Language = Annotated[str, Option("Language of a shipped schema: en or zh.", metavar="en|zh")]
Folder = Annotated[Path, Option("Folder that `ragassay scenario generate` wrote.", metavar="DIR", is_argument=True)]


@settings
class GenerateOptions:
    """From which schema how much is made, and by whom."""

    command: ClassVar[str] = COMMAND

    schema: Annotated[str, Option("Schema file (.toml), or a shipped one: finance, law, medicine.", metavar="SCHEMA")]
    out: Out
    plan: Annotated[ScenarioOptions, Group()] = field(default_factory=ScenarioOptions)
    language: Language = "en"
    overwrite: Annotated[bool, Option("Replace another scenario in the folder.", panel="Output")] = False
    strict: Annotated[bool, Option("Exit with code 5 if examples are missing.", panel="Output")] = False
    models: Writer = field(default_factory=ModelOptions)

    @property
    def n(self) -> int:
        return self.plan.examples

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """about: what ``scenario.json`` says. answered: share of the calls that the model answered."""

    about: Mapping[str, Any]
    examples: tuple[Example, ...]
    folder: Path
    answered: float | None


def generate(options: GenerateOptions, progress: Progress | None = None) -> Generated:
    """Make documents, questions and answers, by rules or a model, and put all files in place together.

    Raises UsageError, InputError and RunFolderError for what cannot be, BudgetError where a limit was reached: then the
    replies so far are kept, and ``progress.json`` says where it stopped.
    """
    folder, plan = options.out, options.plan
    plan.check()
    _check_out(folder, overwrite=options.overwrite)
    schema, text = load_schema(options.schema, options.language)
    options.models.check()
    with (
        lasting_folder(folder, lambda: _check_out(folder, overwrite=options.overwrite), {PROGRESS_FILE}),
        followed(progress or Silent(), folder, COMMAND) as told,
    ):
        told.start("writing documents and questions", None)
        answered = None
        if options.uses_servers:
            try:
                made, answered = _ask(
                    options.models, folder, told, lambda model: generate_by_model(schema, plan, model)
                )
            except BudgetError as error:
                told.stopped(str(error).partition(";")[0])
                raise
        else:
            made = generate_by_rules(schema, plan)
        part = folder / PART_FOLDER
        shutil.rmtree(part, ignore_errors=True)  # of one that was killed
        about = write_scenario(part, made, schema, text, plan, __version__)
        put_in_place(part, folder)
        (folder / BASELINES_FILE).unlink(missing_ok=True)  # written beside other documents
    return Generated(about=about, examples=tuple(made.examples), folder=folder, answered=answered)


def _check_out(folder: Path, *, overwrite: bool) -> None:
    """Raise RunFolderError unless the folder is absent, empty, or a scenario that may be replaced."""

    def fault_of(held: dict[str, Any]) -> str:
        if not held:
            return OTHER_FILES
        is_half_in_place = (folder / PART_FOLDER / ABOUT).is_file()  # by one that was killed
        return (
            "" if overwrite or is_half_in_place else "a scenario; name another folder, or replace it with --overwrite"
        )

    check_place(folder, ABOUT, fault_of)


def _ask(
    options: ModelOptions, folder: Path, told: Told, work: Callable[[Model], Awaitable[T]]
) -> tuple[T, float | None]:
    """Return what a model on a server makes, and the share of calls that it answered; calls are logged in the folder.

    Raises BudgetError where a limit was reached: the replies so far are kept for a run with a higher one.
    """
    options.check()
    if "writer" not in options.on_servers:
        raise UsageError(f"--model {options.model}: must be a model on a server")
    folder.mkdir(parents=True, exist_ok=True)
    endpoints = Endpoints(options)

    async def ask() -> tuple[T, float | None]:
        async with opened_models(options, endpoints, told, folder) as (models, _):
            made, writer = await work(models.writer), models.writer
            return made, 1 - writer.unanswered / writer.calls if writer.calls else None

    done = finished(ask())
    if endpoints.budget.reached is not None:
        raise BudgetError(
            f"{endpoints.budget.reached}; replies so far are kept in {folder}: run the same command with "
            "a higher limit to continue"
        )
    return done


@settings
class CheckOptions:
    """Which scenario is checked."""

    folder: Folder


def check(options: CheckOptions) -> Inspection:
    """Look for values that are not said, and references that are not in place."""
    return inspect_scenario(*read_scenario(options.folder))


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

    Raises InputError for a folder that holds no scenario, ModelError where no document could be written.
    """
    folder = options.folder
    with lasting_folder(folder, lambda: None):  # nobody replaces its documents meanwhile
        seeds, skipped = _documents(options.seeds)
        progress.start("writing documents", None)
        documents, _, _ = read_scenario(folder)
        kind = next((each.metadata["scenario"] for each in documents if each.metadata.get("scenario")), "")
        if not kind:
            raise InputError(f"{folder}: its documents do not name their scenario; make it again")
        made, answered = _ask(
            options.models, folder, progress, lambda model: document_baselines(kind, documents, seeds, model)
        )
        if not made.documents:
            raise ModelError(f"no document could be written: {made.failed[0]}")
        write_jsonl(folder / BASELINES_FILE, made.documents)
    counts = Counter(str(each.metadata["way"]) for each in made.documents)
    return Baselines(folder, counts, made.failed, skipped, answered)


@settings
class SchemaOptions:
    """Which schema is checked or copied, or which documents one is inferred from."""

    command: ClassVar[str] = "schema"

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
        """Return the file or name of a schema; empty for documents."""
        first = self.sources[0] if len(self.sources) == 1 else ""
        is_shipped = first in {name for name, _ in shipped_schemas()} and not Path(first).exists()
        return first if first.endswith(".toml") or is_shipped else ""

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers and not self.known


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
    return _known_schema(options) if options.known else _inferred_schema(options, progress)


def _known_schema(options: SchemaOptions) -> Schemas:
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


def _inferred_schema(options: SchemaOptions, progress: Progress) -> Schemas:
    options.models.check()
    missing = next((source for source in options.sources if not Path(source).exists()), None)
    if missing is not None:
        shipped = ", ".join(dict.fromkeys(name for name, _ in shipped_schemas()))
        kind = InputError if options.uses_servers else UsageError  # without a model only a schema can be meant
        raise kind(f"{missing} does not exist; give a schema file, documents, or one of {shipped}")
    out = options.out
    if not options.uses_servers:
        raise UsageError(
            "a language model summarises seed documents in a schema: name one with --model, or edit a shipped schema "
            "(`ragassay scenario schema`) and give it with --schema"
        )
    if out is None:
        raise UsageError("--out: missing; name a file for the schema")
    if out.exists():
        raise RunFolderError(f"--out: {out} already exists; name another file")
    if out.parent.exists() and not out.parent.is_dir():
        raise RunFolderError(f"--out: {out.parent} is a file; name a file in a folder")
    documents, skipped = _documents(tuple(map(Path, options.sources)))
    progress.start("inferring the schema", len(documents))
    inferred, answered = _ask(
        options.models, log_of(out), progress, lambda model: infer_by_model(model, documents, options.name)
    )
    _write(out, schema_text(inferred.schema))
    return Schemas(options.name, "", {}, out, inferred, skipped, answered)


def log_of(out: Path) -> Path:
    """Return the folder of the calls for a schema."""
    return out.with_name(f"{out.stem}-calls")


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
