"""What ``ragassay scenario`` does: scenarios made and checked, documents beside them, and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.datasets.output import whole_output
from ragassay.errors import RunFolderError, UsageError
from ragassay.options import Group, Many, Option, settings
from ragassay.pipeline.asking.dry_run import DryRun
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.make import scenario_stage
from ragassay.pipeline.make.dry_scenario import estimate_scenario, estimate_schema
from ragassay.pipeline.make.scenario_models import answered_share, check_reader, infer_schema, write_document_baselines
from ragassay.records import Document, SkippedSource
from ragassay.synthesis.scenario.folder import SCHEMA, read_scenario
from ragassay.synthesis.scenario.generate import ScenarioOptions
from ragassay.synthesis.scenario.infer import Inferred
from ragassay.synthesis.scenario.inspection import Inspection, inspect_scenario
from ragassay.synthesis.scenario.schema_file import load_schema, schema_text, shipped_schemas, shipped_text

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
    """Make documents, questions and answers. Raises UsageError, InputError and RunFolderError for what cannot be."""
    options.plan.check()
    scenario_stage.check_out(options.out, overwrite=options.overwrite)
    schema, text = load_schema(options.schema, options.language)
    options.models.check()
    tally = EffortTally()
    about = scenario_stage.generate_scenario(
        schema,
        text,
        options.plan,
        options.models,
        options.out,
        overwrite=options.overwrite,
        tally=tally,
        progress=progress,
    )
    return Generated(about=about, folder=options.out, answered=answered_share(tally))


def estimate_generation(options: GenerateOptions) -> DryRun:
    """Count the calls. Raises as ``generate`` does."""
    options.plan.check()
    scenario_stage.check_out(options.out, overwrite=options.overwrite)
    options.models.check()
    return estimate_scenario(load_schema(options.schema, options.language)[0], options.plan, options.models)


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
    """Write zero-shot and one-shot documents beside those of a scenario."""
    seeds, skipped = _documents(options.seeds)
    tally = EffortTally()
    progress.start("writing documents", None)
    made = write_document_baselines(options.folder, seeds, options.models, tally, progress)
    ways = [str(each.metadata["way"]) for each in made.documents]
    counts = {way: ways.count(way) for way in dict.fromkeys(ways)}
    return Baselines(options.folder, counts, tuple(made.failed), skipped, answered_share(tally))


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
    inferred = infer_schema(documents, options.name, options.models, log_of(out), tally, progress)
    _write(out, schema_text(inferred.schema))
    return Schemas(options.name, "", {}, out, inferred, skipped, answered_share(tally))


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
    check_reader(options.models)
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
