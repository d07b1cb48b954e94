"""``ragassay inspect``: the summary of a finished run, again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json

OTHER_FILES = {"sweep.json": "a sweep", "experiment.json": "an experiment"}


def inspect(
    run: Annotated[
        Path,
        typer.Argument(
            help="Folder that `ragassay run`, `predict`, `evaluate` or `score` wrote.",
            metavar="RUN",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Print the summary of a finished run again. Reads its files; computes nothing.

    Example: ragassay inspect runs/first
    """
    from ragassay.errors import InputError
    from ragassay.report.run import blocks_of_run, run_object
    from ragassay.report.scores import blocks_of_scores, score_object
    from ragassay.report.store import METRICS_FILE, read_metrics, read_summary
    from ragassay.report.terminal import show

    if not run.is_dir():
        raise InputError(f"{run} is not a folder; name one that `ragassay run --out` wrote")
    if (run / METRICS_FILE).exists():
        scored = read_metrics(run)
        if as_json:
            print_json(score_object(scored, folder=run))
        else:
            show(blocks_of_scores(scored, None, run))
        return
    if _predictions(run, as_json):
        return
    other = next((name for name in OTHER_FILES if (run / name).exists()), None)
    if other is not None:
        raise InputError(
            f"{run} holds {OTHER_FILES[other]}; see its summary.json and report.html, since `inspect` "
            "reads runs, predictions and scores only"
        )
    summary = read_summary(run)
    if as_json:
        print_json(run_object(summary, run / "report.html"))
    else:
        show(blocks_of_run(summary, report=run / "report.html"))


def _predictions(run: Path, as_json: bool) -> bool:
    """Prints what `ragassay evaluate` has put into a folder so far; whether it is such a folder."""
    from ragassay.pipeline.answer.folder import held_predictions
    from ragassay.report.predictions import blocks_of_predictions, doubts_of, prediction_figures, predictions_object
    from ragassay.report.terminal import show

    held = held_predictions(run)
    if held is None:
        return False
    system = held.predictions[0].system if held.predictions else "no prediction yet"
    doubts = doubts_of(held.examples, held.predictions) if held.has_documents else ()
    figures = prediction_figures(system, len(held.examples), held.predictions, asked_now=0, notes=doubts)
    path = run / "predictions.jsonl"
    shown = str(path) if path.exists() else ""
    if as_json:
        print_json(predictions_object(figures, shown), ascii_only=True)
    else:
        show(blocks_of_predictions(figures, shown))
    return True
