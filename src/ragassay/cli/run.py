"""``ragassay run``: the whole job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_MIX_TEXT = "fact_single=.4,summary=.2,reasoning=.2,unanswerable=.2"


def run(
    documents: Annotated[
        list[Path], typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results; made if missing.", show_default=False)],
    n: Annotated[int, typer.Option("--n", help="Examples to make.")] = 100,
    mix: Annotated[str, typer.Option(help="Share of each label, adding up to 1.")] = DEFAULT_MIX_TEXT,
    seed: Annotated[int, typer.Option(help="The same seed and documents give the same files.")] = 0,
    model: Annotated[str, typer.Option(help="Who writes and judges: 'embedded' needs no key.")] = "embedded",
    chunk_chars: Annotated[str, typer.Option(help="Chunk sizes to compare, in characters.")] = "256,512,1024",
    text_field: Annotated[str | None, typer.Option(help="Field of JSONL records that holds the text.")] = None,
    title_field: Annotated[str | None, typer.Option(help="Field of JSONL records that holds the title.")] = None,
    max_document_mb: Annotated[
        float, typer.Option(help="Larger files, and larger records of JSONL files, are skipped.")
    ] = 20,
    processes: Annotated[
        int | None, typer.Option(help="Processes that share the work; one a core, at most 8, if not given.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 5 if examples are missing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Make an evaluation set from documents, compare retrievers on it, and write a report.

    Reads .md .txt .rst .html .pdf .docx and .jsonl. Examples:

    ragassay run docs/ --out runs/first

    ragassay run articles.jsonl --text-field content --n 200 --out runs/articles --json
    """
    from rich.console import Console  # imported late: --help answers in half a second

    from ragassay.cli.progress_bars import progress_bars
    from ragassay.corpus.read import ReadOptions
    from ragassay.errors import ShortfallError, UsageError
    from ragassay.pipeline.options import RunOptions
    from ragassay.pipeline.run import run as run_all
    from ragassay.report.terminal import print_summary, to_json_object
    from ragassay.synthesis.options import parse_mix

    try:
        sizes = tuple(sorted({int(size) for size in chunk_chars.split(",")}))
    except ValueError:
        raise UsageError(
            f"--chunk-chars: {chunk_chars!r} is not a list of whole numbers such as 256,512,1024"
        ) from None
    options = RunOptions(
        documents=tuple(documents),
        out=out,
        n=n,
        mix=parse_mix(mix),
        seed=seed,
        model=model,
        chunk_chars=sizes,
        read=ReadOptions(text_field=text_field, title_field=title_field, max_document_mb=max_document_mb),
        overwrite=overwrite,
        processes=processes,
    )
    try:
        with progress_bars() as progress:
            done = run_all(options, progress)
    except KeyboardInterrupt:
        typer.echo("ragassay: stopped; vectors that were computed are kept, so that the next run is faster", err=True)
        raise typer.Exit(130) from None
    if as_json:
        typer.echo(json.dumps(to_json_object(done.summary, done.report), ensure_ascii=False, indent=1))
    else:
        print_summary(done.summary, Console(), done.report)
    if strict and done.summary.composition.missing:
        missing = ", ".join(f"{each.missing} {each.label}" for each in done.summary.composition.missing)
        raise ShortfallError(f"--strict: examples are missing ({missing}); the report says why")
