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
    out: Annotated[Path, typer.Option(help="File to write, or a new folder.", metavar="PATH")],
    system: Annotated[str | None, typer.Option(help="System to export, if there are several.", metavar="NAME")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file of --out.")] = False,
) -> None:
    """Write the scores of a run, or its set with the answers, for another tool. Nothing is sent anywhere.

    csv and parquet: a row for each example and system, with a column for each metric. datasets: a folder for
    datasets.load_dataset. mlflow: a folder of MLflow's file store. deepeval, promptfoo, ragas, langsmith: their own
    data sets. Examples:

    ragassay export runs/judged --to csv --out scores.csv

    ragassay export runs/judged --to mlflow --out mlruns

    ragassay export runs/judged --to deepeval --out goldens.json
    """
    from ragassay.pipeline.data.exporting import export_run
    from ragassay.report.data_card import print_conversion
    from ragassay.report.streams import open_console

    done = export_run(run, out, to=to, system=system, overwrite=overwrite)
    print_conversion(done.records, done.notes, f"{out} ({done.format})", open_console())
