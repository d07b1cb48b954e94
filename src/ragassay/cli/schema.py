"""``ragassay schema``: what scenarios are made from, inferred, copied and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.commands import Commands
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_json, write_new

if TYPE_CHECKING:
    from ragassay.synthesis.scenario.infer import Inferred

schema = Commands("Infer, copy and check schemas for scenarios.")


@schema.command("list")
def list_schemas(
    as_json: AsJson = False,
) -> None:
    """List the shipped schemas and their languages."""
    from ragassay.synthesis.scenario.schema_file import shipped_schemas

    shipped = shipped_schemas()
    if as_json:
        print_json({"schemas": [{"name": name, "language": code} for name, code in shipped]})
        return
    for name, code in shipped:
        typer.echo(f"{name}  {code}")


@schema.command("copy")
def copy_schema(
    name: Annotated[str, typer.Argument(help="Name of a shipped schema.", metavar="NAME", show_default=False)],
    out: Annotated[Path, typer.Option(help="File to write; replaces no file.", show_default=False)],
    language: Annotated[str, typer.Option(help="Language: en or zh.")] = "en",
) -> None:
    """Copy a shipped schema into a file to edit.

    Example: ragassay schema copy finance --out mine.toml
    """
    from ragassay.synthesis.scenario.schema_file import shipped_text

    write_new({out: shipped_text(name, language)}, "--out")
    typer.echo(str(out))


@schema.command("check")
def check_schema(
    file: Annotated[str, typer.Argument(help="Schema file, or name of a shipped schema.", metavar="FILE")],
    language: Annotated[str, typer.Option(help="Language of a shipped schema: en or zh.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Check a schema.

    Exits with code 3 if it is inconsistent, with one sentence that names the file and the field.

    Example: ragassay schema check mine.toml
    """
    from ragassay.synthesis.scenario.schema_file import load_schema

    found, _ = load_schema(file, language)
    left_out = sum(each.may_be_left_out for each in found.fields.values())
    counts = {
        "fields": len(found.fields),
        "fields_that_may_be_left_out": left_out,
        "sections": len(found.sections),
        "summaries": len(found.summaries),
        "hops": len(found.hops),
        "integrations": len(found.integrations),
        "comparisons": len(found.comparisons),
        "sequences": len(found.sequences),
        "absent": len(found.absent),
    }
    if as_json:
        print_json({"schema": found.name, "language": found.language, **counts})
    else:
        said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
        typer.echo(f"{found.name} ({found.language}) is consistent: {said}")


@schema.command("infer")
@expanded
def infer_schema(
    seeds: Annotated[
        list[Path], typer.Argument(help="Files and folders with documents.", metavar="SEEDS", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="File to write; replaces no file.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name of the schema.")] = "mine",
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Infer a schema from documents.

    A language model names the elements; values become types, ranges and options. People, organisations and numbers of
    files are replaced by invented ones. Edit the file before you use it.

    Example: ragassay schema infer reports --model openai:gpt-4o-mini --out mine.toml
    """
    from ragassay.cli.scenario_options import check_coverage
    from ragassay.corpus.read import ReadOptions, read_corpus
    from ragassay.corpus.sources import by_reason
    from ragassay.errors import check_dry_run
    from ragassay.pipeline.asking.effort import EffortTally
    from ragassay.pipeline.make.scenario_models import check_reader
    from ragassay.pipeline.make.scenario_models import infer_schema as infer_by_server
    from ragassay.records import SkippedSource
    from ragassay.synthesis.scenario.schema_file import schema_text

    models = model_options(calls, spending, model=model)
    models.check()
    if spending.dry_run:
        check_dry_run(models.uses_servers)
    check_reader(models)
    _check_new(out)
    tally = EffortTally()
    logged = out.with_name(f"{out.stem}-calls")
    skipped: list[SkippedSource] = []
    documents = list(read_corpus(seeds, ReadOptions(), skipped.append, skipped.append))
    if spending.dry_run:
        from ragassay.cli.output import print_estimate_of
        from ragassay.pipeline.make.dry_scenario import estimate_schema

        print_estimate_of(lambda _: estimate_schema(documents, models), as_json)
        return
    from ragassay.cli.progress_bars import progress_bars

    with progress_bars() as bars:
        bars.start("inferring the schema", len(documents))
        inferred = infer_by_server(documents, name, models, logged, tally, bars)
    write_new({out: schema_text(inferred.schema)}, "--out")
    if as_json:
        print_json({"file": str(out), "fields": inferred.fields, "notes": inferred.notes}, ascii_only=True)
    else:
        _print_inferred(inferred, out)
        for kind in by_reason(skipped):
            typer.echo(kind)
    check_coverage(tally, models, logged)


def _print_inferred(inferred: Inferred, out: Path) -> None:
    for name, said in inferred.fields.items():
        typer.echo(f"{name}: {said}")
    for note in inferred.notes:
        typer.echo(note)
    typer.echo(f"written to {out}; edit it, then `ragassay schema check {out}`")


def _check_new(path: Path) -> None:
    """Raises RunFolderError for a file that is there, or stands for its folder, before anything is asked of a model."""
    from ragassay.errors import RunFolderError

    for place in (path, path.parent):
        if place.exists() and (place is path or not place.is_dir()):
            raise RunFolderError(f"--out: {place} already exists; name another file")
