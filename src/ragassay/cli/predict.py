"""``ragassay predict``: any system on an evaluation set."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Embeddings,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_estimate_of, print_json
from ragassay.cli.reading_options import DEFAULT_READING, Reading, read_options

if TYPE_CHECKING:
    from ragassay.pipeline.answer.options import PredictOptions
    from ragassay.pipeline.answer.predict import Predicted

SYSTEMS_HELP = (
    "System to ask: rag, rag:NAME=VALUE,..., http://HOST/PATH, function:MODULE:NAME, command:COMMAND, "
    "recorded:FILE, no_retrieval, ground_truth_context, NAME:ARGUMENT of a plug-in, or a .toml file."
)
Data = Annotated[
    Path, typer.Argument(help="File or folder with an evaluation set.", metavar="DATASET", show_default=False)
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Option of the system; repeatable.", metavar="NAME=VALUE"),
]
FromFormat = Annotated[
    str | None, typer.Option("--from", help="Format of DATASET; default: detected.", metavar="FORMAT")
]
Documents = Annotated[
    Path | None,
    typer.Option(help="Documents, if DATASET does not hold them: JSONL, or files and folders.", metavar="PATH"),
]
Chunks = Annotated[
    Path | None,
    typer.Option(
        help="JSONL file of your own chunks (id, document_id, text): the built-in system searches them "
        "as they are, other systems cite their ids. Without documents, they also make up the "
        "documents.",
        metavar="FILE",
    ),
]
SystemVersion = Annotated[
    str | None,
    typer.Option(
        "--system-version",
        help="Your version label for an external system; a new one asks all questions again.",
    ),
]
Concurrency = Annotated[int | None, typer.Option(help="Questions at the same time; default: what suits the system.")]
Timeout = Annotated[float | None, typer.Option(help="Seconds before a question counts as failed; default: 60.")]
Only = Annotated[
    list[str] | None,
    typer.Option(
        help="Only use documents with this language, title, source or metadata, and their questions; repeatable.",
        metavar="FIELD=VALUE",
    ),
]
Limit = Annotated[int | None, typer.Option(help="Only use the first N questions.", metavar="N")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Ask failed questions again.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Delete earlier answers in the folder and ask all questions again.")
]
Answerer = Annotated[
    str,
    typer.Option(
        help="Model that answers for the built-in systems: 'embedded', openai:MODEL, ollama:MODEL, "
        "http://HOST:PORT/v1#MODEL or litellm:PROVIDER/MODEL.",
        rich_help_panel="Models",
    ),
]


@expanded
def predict(
    data: Data,
    system: Annotated[str, typer.Option(help=SYSTEMS_HELP, metavar="SYSTEM", show_default=False)],
    out: Annotated[Path, typer.Option(help="Folder for the predictions.", metavar="RUN", show_default=False)],
    settings: Settings = None,
    from_format: FromFormat = None,
    documents: Documents = None,
    chunks: Chunks = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    system_version: SystemVersion = None,
    only: Only = None,
    limit: Limit = None,
    retry_failed: RetryFailed = False,
    overwrite: Overwrite = False,
    reading: Reading = DEFAULT_READING,
    as_json: AsJson = False,
    model: Answerer = EMBEDDED,
    embeddings: Embeddings = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Ask a system the questions of a set and keep its answers.

    The same command continues where it stopped.

    Examples:

    ragassay predict runs/first --system http://localhost:8000/ask --out runs/mine

    ragassay predict set.jsonl --system function:my_rag:answer --out runs/mine --limit 10

    ragassay predict runs/first --system rag:retriever=hybrid,top_k=5 --out runs/hybrid
    """
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.datasets.only import parse_only
    from ragassay.pipeline.answer.estimate import estimate_predict
    from ragassay.pipeline.answer.options import PredictOptions
    from ragassay.pipeline.answer.predict import predict as run_system
    from ragassay.systems.spec import parse_spec

    asking = {"concurrency": concurrency, "timeout_s": timeout, "version": system_version}
    spec = parse_spec(system, settings or (), asking)
    options = PredictOptions(
        dataset=data,
        system=spec,
        out=out,
        from_format=from_format,
        documents=documents,
        read=read_options(reading),
        chunks=chunks,
        where=parse_only(only or ()),
        limit=limit,
        retry_failed=retry_failed,
        overwrite=overwrite,
        models=model_options(calls, spending, model=model, embeddings=embeddings),
        coverage=calls.coverage,
    )
    if spending.dry_run:
        print_estimate_of(lambda progress: estimate_predict(options, progress), as_json)
        return
    with progress_bars() as progress, redirect_stdout(sys.stderr):  # a function under test may print
        done = run_system(options, progress)
    _print(done, as_json)
    complain(done, options)


def _print(done: Predicted, as_json: bool) -> None:
    from ragassay.report.predictions import blocks_of_predictions, predictions_object
    from ragassay.report.terminal import show

    figures = done.figures
    path = "" if done.budget_reached else str(done.folder / "predictions.jsonl")
    if as_json:
        print_json(predictions_object(figures, path), ascii_only=True)
    else:
        show(blocks_of_predictions(figures, path))


def complain(done: Predicted, options: PredictOptions) -> None:
    """Raises for what a script should hear of although there are predictions."""
    from ragassay.errors import CONTINUE, BudgetError, check_coverage

    if done.budget_reached:
        raise BudgetError(
            f"{done.budget_reached}: {len(done.predictions)} of {len(done.examples)} questions are done "
            f"and kept in {done.folder}; {CONTINUE}"
        )
    check_coverage(
        done.coverage,
        options.coverage,
        ("the system answered", "of the questions"),
        "predictions.jsonl gives the reason for each; --retry-failed asks them again",
    )
