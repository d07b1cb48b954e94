"""What ``ragassay label`` and ``ragassay critique`` share: their arguments, the run, what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragassay.models.estimating import CallEstimate
    from ragassay.pipeline.judging_options import JudgingOptions
    from ragassay.pipeline.judging_stage import Judged
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.pipeline.progress import Progress

Data = Annotated[
    Path,
    typer.Argument(help="File or folder with a data set, or a run folder.", metavar="DATASET", show_default=False),
]
Out = Annotated[
    Path, typer.Option("--out", help="File to write, or a new folder.", metavar="FILE|FOLDER", show_default=False)
]
FromFormat = Annotated[
    str | None, typer.Option("--from", help="Format of DATASET, where it cannot be told.", metavar="FORMAT")
]
ToFormat = Annotated[
    str | None, typer.Option("--to", help="Format of --out, where its suffix does not say it.", metavar="FORMAT")
]
Documents = Annotated[
    Path | None, typer.Option(help="JSONL file of the documents, where DATASET does not hold them.", metavar="PATH")
]
MaxContextChars = Annotated[int, typer.Option(help="Pairs with a longer context are left out and counted.")]
Processes = Annotated[
    int | None, typer.Option(help="Processes that share the work; one a core, at most 8, if not given.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file that --out names.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
MOST_CONTEXT_CHARS = 10_000


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """What is judged, and where it goes."""

    data: Data
    out: Out
    from_format: FromFormat = None
    to_format: ToFormat = None
    documents: Documents = None
    max_context_chars: MaxContextChars = MOST_CONTEXT_CHARS
    processes: Processes = None
    overwrite: Overwrite = False


def judging_options(
    judged: JudgedSet, models: ModelOptions, critiques: tuple[str, ...] | None = None
) -> JudgingOptions:
    """The options in the form that the stage takes. critiques: those asked for; None where none is."""
    from ragassay.pipeline.judging_options import JudgingOptions  # imported late: --help answers in half a second

    options = JudgingOptions(**{each.name: getattr(judged, each.name) for each in fields(judged)}, models=models)
    return options if critiques is None else replace(options, critiques=critiques)


def judge(
    options: JudgingOptions,
    stage: Callable[[JudgingOptions, Progress], Judged],
    estimated: Callable[[JudgingOptions, Progress], list[CallEstimate]],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Runs the stage, or estimates it, and prints what came out."""
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.report.judged_tables import judged_object, print_judged
    from ragassay.report.streams import open_console

    if dry_run:
        _estimate(options, estimated, as_json)
        return
    try:
        with progress_bars() as progress:
            done = stage(options, progress)
    except KeyboardInterrupt:
        typer.echo(
            "ragassay: stopped; calls that were answered are kept, so that the same command goes on from there",
            err=True,
        )
        raise typer.Exit(130) from None
    if as_json:
        found = judged_object(done.summary, done.cost, str(done.folder / "verdicts.jsonl"))
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print_judged(done.summary, done.cost, open_console())
        typer.echo(f"Reasons of every example: {done.folder / 'verdicts.jsonl'}")
    _complain(done, options)


def _estimate(
    options: JudgingOptions, estimated: Callable[[JudgingOptions, Progress], list[CallEstimate]], as_json: bool
) -> None:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import UsageError
    from ragassay.report.estimate_tables import estimate_object, print_estimate
    from ragassay.report.streams import open_console

    if not options.models.uses_servers:
        raise UsageError("--dry-run: no model on a server is asked, so it costs nothing; name one with --model")
    with progress_bars() as progress:
        rows = estimated(options, progress)
    if as_json:
        typer.echo(json.dumps({key: value for key, value in estimate_object(rows, 0, 0).items() if key in _KEYS}))
    else:
        print_estimate(rows, 0, 0, open_console())


_KEYS = ("rows", "all")


def _complain(done: Judged, options: JudgingOptions) -> None:
    """Raises for what a script should hear of although there are results."""
    from ragassay.errors import BudgetError, CoverageError

    summary = done.summary
    if summary.stopped_by:
        again = "with --overwrite" if options.out.suffix else f"after {options.out} was removed"
        raise BudgetError(
            f"{summary.stopped_by}: {summary.judged} of {summary.examples} examples are done; the same command "
            f"{again}, which counts anew, goes on from there"
        )
    if summary.coverage < options.models.coverage:
        raise CoverageError(
            f"--coverage: {100 * summary.coverage:.1f} % of the examples are done, less than "
            f"{100 * options.models.coverage:g} %; {done.folder / 'verdicts.jsonl'} says why of each"
        )
