"""``ragassay run``: the whole job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragassay.cli.made import complain, print_dry_run
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Answers,
    Calls,
    Embeddings,
    Judge,
    JudgeCheck,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, Processes, ReplaceRun, Strict, print_json
from ragassay.cli.reading_options import DEFAULT_READING, Reading, read_options

if TYPE_CHECKING:
    from ragassay.pipeline.run.run import Run

DEFAULT_MIX_TEXT = "fact_single=.4,summary=.2,reasoning=.2,unanswerable=.2"


@expanded
def run(
    documents: Annotated[
        list[Path], typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results; created if missing.", show_default=False)],
    n: Annotated[int, typer.Option("--n", help="Examples to make.")] = 100,
    mix: Annotated[str, typer.Option(help="Share of each label; the shares add up to 1.")] = DEFAULT_MIX_TEXT,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed and documents give the same files.")] = 0,
    chunker: Annotated[
        str, typer.Option(help="Unit of chunks: recursive (characters), sentences or tokens.")
    ] = "recursive",
    chunk_sizes: Annotated[
        str | None,
        typer.Option(
            help="Chunk sizes to compare; default: 256,512,1024 characters, 2,4,8 sentences or 40,80,160 tokens."
        ),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(
            help="Metadata fields to index in front of every chunk, such as title,source; its text does not change.",
            hidden=True,
        ),
    ] = "",
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="Only ask about documents with this metadata, such as 'date>=2023-10'; all are searched. Repeatable.",
            metavar="CONDITION",
            show_default=False,
        ),
    ] = None,
    judged: Annotated[
        str | None,
        typer.Option(
            help="Examples to judge; default: 40, or all with a server.",
            metavar="N|all",
            show_default=False,
        ),
    ] = None,
    reading: Reading = DEFAULT_READING,
    processes: Processes = None,
    overwrite: ReplaceRun = False,
    strict: Strict = False,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    judge: Judge = None,
    answers: Answers = None,
    embeddings: Embeddings = EMBEDDED,
    judge_check: JudgeCheck = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Make a set from documents, compare retrievers, write a report.

    Reads .md, .txt, .rst, .html, .pdf, .docx, .jsonl, .csv and .tsv files. Examples:

    ragassay run docs/ --out runs/first

    ragassay run articles.jsonl --text-field content --n 200 --out runs/second

    ragassay run docs/ --out runs/gpt --model openai:gpt-4o-mini --dry-run
    """
    from ragassay.cli.progress_bars import progress_bars  # imported late: --help answers in half a second
    from ragassay.errors import check_dry_run
    from ragassay.pipeline.make.run_options import RunOptions
    from ragassay.pipeline.run.dry_run import dry_run
    from ragassay.pipeline.run.run import run as run_all
    from ragassay.synthesis.metadata_filter import parse_condition
    from ragassay.synthesis.options import parse_mix

    options = RunOptions(
        documents=tuple(documents),
        out=out,
        n=n,
        mix=parse_mix(mix),
        seed=seed,
        chunker=chunker,  # type: ignore[arg-type]  # any text: RunOptions.check names the chunkers there are
        chunk_sizes=None if chunk_sizes is None else _sizes(chunk_sizes),
        prefix=tuple(name.strip() for name in prefix.split(",")) if prefix else (),
        conditions=tuple(map(parse_condition, where or ())),
        judged=None if judged is None else _judged(judged),
        read=read_options(reading),
        overwrite=overwrite,
        processes=processes,
        models=model_options(calls, spending, model=model, judge=judge, answers=answers, embeddings=embeddings),
        judge_check=judge_check,
    )
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        with progress_bars() as progress:
            estimated = dry_run(options, progress)
        print_dry_run(estimated, as_json)
        return
    with progress_bars() as progress:
        done = run_all(options, progress)
    _print(done, as_json)
    missing = [f"{each.missing} {each.label}" for each in done.summary.composition.missing] if strict else []
    complain(
        done.folder,
        documents=options.documents,
        made=len(done.examples),
        stopped_by=done.budget_reached or "",
        coverage=done.coverage,
        least_coverage=options.models.coverage,
        missing=missing,
        why="the report",
        writes_on_server="writer" in options.models.on_servers,
    )


def _judged(judged: str) -> int | Literal["all"]:
    from ragassay.errors import UsageError

    if judged == "all":
        return "all"
    try:
        return int(judged)
    except ValueError:
        raise UsageError(f"--judged: must be a whole number or 'all', not {judged!r}") from None


def _sizes(chunk_sizes: str) -> tuple[int, ...]:
    from ragassay.errors import UsageError

    try:
        return tuple(sorted({int(size) for size in chunk_sizes.split(",")}))
    except ValueError:
        raise UsageError(f"--chunk-sizes: {chunk_sizes!r} must be whole numbers, such as 256,512,1024") from None


def _print(done: Run, as_json: bool) -> None:
    from ragassay.report.run import blocks_of_run, run_object
    from ragassay.report.terminal import show

    if as_json:
        print_json(run_object(done.summary, done.report))
    else:
        show(blocks_of_run(done.summary, report=done.report))
