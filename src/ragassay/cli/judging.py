"""What ``ragassay label`` and ``ragassay critique`` share: their arguments, the run, what they print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ragassay.cli.output import Processes, print_estimate_of, print_json

if TYPE_CHECKING:
    from ragassay.models.estimating import CallEstimate
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.folders.progress import Progress
    from ragassay.pipeline.label.judging import Judged
    from ragassay.pipeline.label.options import JudgingOptions

Data = Annotated[
    Path,
    typer.Argument(help="File or folder with a data set, or a run folder.", metavar="DATASET", show_default=False),
]
Out = Annotated[
    Path, typer.Option("--out", help="File to write, or a new folder.", metavar="FILE|FOLDER", show_default=False)
]
FromFormat = Annotated[
    str | None, typer.Option("--from", help="Format of DATASET; default: detected.", metavar="FORMAT")
]
ToFormat = Annotated[
    str | None, typer.Option("--to", help="Format of --out; default: from its suffix.", metavar="FORMAT")
]
Documents = Annotated[
    Path | None, typer.Option(help="JSONL file of the documents, if DATASET does not hold them.", metavar="PATH")
]
MaxContextChars = Annotated[
    int, typer.Option(help="Maximum characters of a context; longer pairs are left out and counted.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file that --out names.")]
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
    from ragassay.pipeline.label.options import JudgingOptions  # imported late: --help answers in half a second

    options = JudgingOptions(**{each.name: getattr(judged, each.name) for each in fields(judged)}, models=models)
    return options if critiques is None else replace(options, critiques=critiques)


Options = TypeVar("Options", bound="JudgingOptions")


def judge(
    options: Options,
    stage: Callable[[Options, Progress], Judged],
    estimated: Callable[[Options, Progress], list[CallEstimate]],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Runs the stage, or estimates it, and prints what came out."""
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import check_dry_run
    from ragassay.report.labels import blocks_of_labels, labels_object
    from ragassay.report.terminal import show

    if dry_run:
        check_dry_run(options.models.uses_servers)
        print_estimate_of(lambda progress: estimated(options, progress), as_json)
        return
    with progress_bars() as progress:
        done = stage(options, progress)
    if as_json:
        found = labels_object(done.summary, done.cost, str(done.folder / "verdicts.jsonl"))
        print_json(found)
    else:
        show(blocks_of_labels(done.summary, done.cost))
        typer.echo(f"Reasons of every example: {done.folder / 'verdicts.jsonl'}")
    _complain(done, options)


def _complain(done: Judged, options: JudgingOptions) -> None:
    """Raises for what a script should hear of although there are results."""
    from ragassay.errors import BudgetError, check_coverage

    summary = done.summary
    if summary.stopped_by:
        again = "with --overwrite" if options.out.suffix else f"after removing {options.out}"
        raise BudgetError(
            f"{summary.stopped_by}: {summary.judged} of {summary.examples} examples are done; run the "
            f"same command {again} to continue; its limits start from zero"
        )
    check_coverage(
        summary.coverage,
        options.models.coverage,
        ("", "of the examples are done"),
        f"{done.folder / 'verdicts.jsonl'} gives the reason for each",
    )
