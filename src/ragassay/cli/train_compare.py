"""``ragassay train compare``: what fine-tuning gains, against statement extraction and a simple prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Judge,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_json


@expanded
def compare(
    documents: Annotated[
        list[Path],
        typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the three sets; continues earlier work.", show_default=False)],
    adapter: Annotated[
        Path | None,
        typer.Option(
            help="Adapter of a writer; default: the one that is shipped.", metavar="ADAPTER", show_default=False
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", help="Examples to make with each method.")] = 60,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed and documents give the same sets.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Make the sets again.")] = False,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    judge: Judge = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Compare three ways to write questions on your documents.

    The ways: statement extraction, the fine-tuned small model, and a simple prompt. --model extracts statements and
    gets the simple prompt; without a model on a server, the embedded model extracts, and the small model asks
    about any sentence. One judge labels and rates all. Examples:

    ragassay train compare docs/ --out runs/compared

    ragassay train compare docs/ --adapter writer.safetensors --model openai:gpt-4o-mini --out runs/compared
    """
    from ragassay.cli.made import print_dry_run
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.models.small.named import PREFIX, SHIPPED
    from ragassay.pipeline.make.compare_writers import CompareOptions, compare_writers, dry_comparison
    from ragassay.report.console import print_line, print_table
    from ragassay.report.streams import open_console
    from ragassay.report.writers_table import notes, rows

    options = CompareOptions(
        documents=tuple(documents),
        out=out,
        adapter=SHIPPED if adapter is None else f"{PREFIX}{adapter}",
        n=n,
        seed=seed,
        models=model_options(calls, spending, model=model, judge=judge),
        overwrite=overwrite,
    )
    if spending.dry_run:
        with progress_bars() as progress:
            estimated = dry_comparison(options, progress)
        print_dry_run(estimated, as_json)
        return
    with progress_bars() as progress:
        found = compare_writers(options, progress)
    if as_json:
        print_json(found)
        return
    console = open_console()
    print_table(console, "Three ways to write questions", ("", *found["ways"]), rows(found))
    for line in (*notes(found), f"Report: {found['report']}"):
        print_line(console, line)
