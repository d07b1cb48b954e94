"""``ragassay scenario``: a benchmark made from a schema, and a check of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from ragassay.synthesis.scenario.inspection import Inspection

_FAULTS_SHOWN = 20

scenario = Commands("Make or check documents, questions and answers from a schema.")


@scenario.command("generate")
@expanded
def generate_scenario(
    schema: Annotated[
        str, typer.Option(help="Schema file (.toml), or a shipped one: finance, law, medicine.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results; created if missing.", show_default=False)],
    documents: Annotated[int, typer.Option(help="Number of documents to make.")] = 40,
    n: Annotated[int | None, typer.Option("--n", help="Examples to make; default: five for each document.")] = None,
    language: Annotated[str, typer.Option(help="Language of a shipped schema: en or zh.")] = "en",
    types: Annotated[str, typer.Option(help="Question types, separated by commas.")] = "all",
    seed: Annotated[int, typer.Option(help="Random seed; the same seed and schema give the same files.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another scenario in the folder.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 5 if examples are missing.")] = False,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Make documents, questions and answers from a schema.

    Answers are right by construction, since documents and questions come from the same values. Uses no language model
    unless --model names one. Examples:

    ragassay scenario generate --schema finance --documents 40 --out scenarios/finance

    ragassay scenario generate --schema law --language zh --n 300 --out scenarios/law-zh

    ragassay scenario generate --schema mine.toml --types factual,multi_hop --out scenarios/mine
    """
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.cli.scenario_options import check_coverage
    from ragassay.errors import ShortfallError, check_dry_run
    from ragassay.pipeline.asking.effort import EffortTally
    from ragassay.pipeline.make import scenario_stage
    from ragassay.synthesis.scenario.generate import ScenarioOptions
    from ragassay.synthesis.scenario.question_types import parse_types
    from ragassay.synthesis.scenario.schema_file import load_schema

    options = ScenarioOptions(documents=documents, n=n, seed=seed, types=parse_types(types))
    options.check()
    scenario_stage.check_out(out, overwrite=overwrite)
    loaded, text = load_schema(schema, language)
    models = model_options(calls, spending, model=model)
    models.check()
    if spending.dry_run:
        from ragassay.cli.output import print_dry_run
        from ragassay.pipeline.make.dry_scenario import estimate_scenario

        check_dry_run(models.uses_servers)
        print_dry_run(estimate_scenario(loaded, options, models), as_json)
        return
    tally = EffortTally()
    with progress_bars() as progress:
        about = scenario_stage.generate_scenario(
            loaded, text, options, models, out, overwrite=overwrite, tally=tally, progress=progress
        )
    if as_json:
        print_json(about)
    else:
        _print_made(about, out)
    check_coverage(tally, models, out)
    if strict and about["missing"]:
        raise ShortfallError(
            f"{about['examples']} of {about['examples_wanted']} examples could be made; use a smaller --n "
            "or more --documents"
        )


@scenario.command("check")
def check_scenario(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder that `ragassay scenario generate --out` wrote.", metavar="DIR", show_default=False),
    ],
    as_json: AsJson = False,
) -> None:
    """Check values, references and keypoints of a scenario.

    Documents must state their values, which must not contradict each other (order of dates and amounts, sums, shares,
    ages), references must be at their offsets and support the keypoints. Exits with code 3 if there is a fault.
    Example: ragassay scenario check scenarios/finance
    """
    from dataclasses import asdict

    from ragassay.errors import InputError
    from ragassay.synthesis.scenario.folder import SCHEMA, read_scenario
    from ragassay.synthesis.scenario.inspection import inspect_scenario
    from ragassay.synthesis.scenario.schema_file import load_schema

    found = inspect_scenario(*read_scenario(folder), load_schema(str(folder / SCHEMA))[0])
    if as_json:
        print_json(asdict(found))
    else:
        _print_inspection(found)
    if found.faults:
        raise InputError(f"{folder}: {len(found.faults)} faults; the first: {found.faults[0]}")


@scenario.command("baselines")
@expanded
def scenario_baselines(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder that `ragassay scenario generate --out` wrote.", metavar="DIR", show_default=False),
    ],
    seeds: Annotated[
        list[Path] | None,
        typer.Option(help="Real documents of the kind, shown one each; without them zero-shot only.", metavar="PATH"),
    ] = None,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Write zero-shot and one-shot documents beside those of a scenario.

    For a study of document quality: `ragassay annotate DIR --task documents` puts them side by side. Needs a language
    model. Example: ragassay scenario baselines scenarios/law --seeds judgments/ --model openai:gpt-4o-mini
    """
    from collections import Counter

    from ragassay.cli.progress_bars import progress_bars
    from ragassay.cli.scenario_options import check_coverage
    from ragassay.corpus.read import ReadOptions, read_corpus
    from ragassay.errors import UsageError
    from ragassay.pipeline.asking.effort import EffortTally
    from ragassay.pipeline.make.scenario_models import write_document_baselines
    from ragassay.records import SkippedSource

    models = model_options(calls, spending, model=model)
    if spending.dry_run:
        raise UsageError("--dry-run: baselines cannot be estimated; limit them with --max-cost or --max-calls")
    tally = EffortTally()
    news: list[SkippedSource] = []
    shown = list(read_corpus(tuple(seeds), ReadOptions(), news.append, news.append)) if seeds else []
    with progress_bars() as progress:
        progress.start("writing documents", None)
        made = write_document_baselines(folder, shown, models, tally, progress)
    ways = Counter(each.metadata["way"] for each in made.documents)
    if as_json:
        print_json({"folder": str(folder), "documents": dict(ways), "failed": list(made.failed)})
    else:
        for way, count in ways.items():
            typer.echo(f"{way.replace('_', '-')}: {count} documents")
        for reason, count in Counter(made.failed).items():
            typer.echo(f"not written ({count}): {reason}")
        for each in news:
            typer.echo(f"{each.source}: {each.reason}")
        typer.echo(f"written to {folder / 'baselines.jsonl'}")
    check_coverage(tally, models, folder)


def _print_made(about: dict[str, Any], out: Path) -> None:
    from ragassay.report.blocks import Table, Text
    from ragassay.report.terminal import show
    from ragassay.report.wording import noun

    made = Table(
        f"{about['documents']:,} {noun(about['documents'], 'document')}, "
        f"{about['examples']:,} {noun(about['examples'], 'example')}",
        ("question type", "examples"),
        [(kind, str(count)) for kind, count in about["question_types"].items()],
    )
    said = about["values"] - about["values_left_out"] - about["values_lost"]
    lines = [
        f"{said:,} of {about['values']:,} values are in the documents: {about['values_left_out']} left out on purpose, "
        f"{about['values_lost']} lost, {about['sections_rewritten']} sections written again",
        *(
            f"missing: {each['made']} of {each['wanted']} {each['question_type']}: {each['reason']}"
            for each in about["missing"]
        ),
        f"written to {out}",
    ]
    show([made, Text(lines)])


def _print_inspection(found: Inspection) -> None:
    from ragassay.report.blocks import Table, Text
    from ragassay.report.terminal import show
    from ragassay.report.wording import noun

    types = Table(
        f"{found.documents:,} {noun(found.documents, 'document')}, "
        f"{found.values_found:,} of {found.values:,} values found in them",
        ("question type", "examples", "references in place", "keypoints held up"),
        [
            (
                kind,
                str(counts.examples),
                f"{counts.references_at_offset} of {counts.references}",
                f"{counts.keypoints_supported} of {counts.keypoints}",
            )
            for kind, counts in sorted(found.types.items())
        ],
    )
    lines = list(found.faults[:_FAULTS_SHOWN]) or ["no faults"]
    if len(found.faults) > _FAULTS_SHOWN:
        lines.append(f"and {len(found.faults) - _FAULTS_SHOWN:,} more; --json lists all")
    show([types, Text(lines)])
