"""``ragassay export``: the results of a run where other tools look."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    run: Annotated[
        Path, typer.Argument(help="Folder of a run of score, evaluate or run.", metavar="RUN", show_default=False)
    ],
    to: Annotated[
        str,
        typer.Option(help="mlflow, csv, parquet, datasets, deepeval, promptfoo, ragas or langsmith.", metavar="TARGET"),
    ],
    out: Annotated[Path | None, typer.Option(help="File to write, or a new folder.", metavar="PATH")] = None,
    system: Annotated[str | None, typer.Option(help="System to export, if there are several.", metavar="NAME")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file of --out.")] = False,
    tracking_uri: Annotated[
        str | None,
        typer.Option(help="MLflow server to send the run to, in the place of --out.", metavar="URL"),
    ] = None,
) -> None:
    """Write the scores of a run, or its set with the answers, for another tool.

    csv and parquet: a row for each example and system, with a column for each metric. datasets: a folder for
    datasets.load_dataset. mlflow: a run on a server of MLflow; nothing else is sent anywhere. deepeval, promptfoo,
    ragas, langsmith: their own data sets. Examples:

    ragassay export runs/judged --to csv --out scores.csv

    ragassay export runs/judged --to mlflow --tracking-uri http://localhost:5000

    ragassay export runs/judged --to deepeval --out goldens.json
    """
    from ragassay.pipeline.data.exporting import export_run
    from ragassay.report.card import blocks_of_conversion
    from ragassay.report.terminal import show

    done = export_run(run, out, to=to, system=system, overwrite=overwrite, tracking_uri=tracking_uri)
    show(blocks_of_conversion(done.records, done.notes, f"{done.out} ({done.format})"))
