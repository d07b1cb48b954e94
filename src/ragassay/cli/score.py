"""``ragassay score``: metrics of recorded predictions that need no judge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ragassay.evaluation.estimate import Estimate


def score(
    data: Annotated[
        Path, typer.Argument(help="File or folder with examples, and predictions.", metavar="INPUT", show_default=False)
    ],
    predictions: Annotated[
        Path | None, typer.Argument(help="JSONL file of predictions, where INPUT holds none.", metavar="PREDICTIONS")
    ] = None,
    metrics: Annotated[str, typer.Option(help="Names with commas between, as `ragassay metrics` has them.")] = "",
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT, where it cannot be told.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, where INPUT does not hold them.", metavar="PATH")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Score recorded predictions: means with 95 % intervals, and how many examples they cover. Asks no judge.

    For DragonBall files the released scorer's figures are reference_recall, eir_released, all_references_recall_at_5
    and rouge_l_released. Examples:

    ragassay score set.jsonl predictions.jsonl --metrics recall@5,token_f1

    ragassay score answers.jsonl --from dragonball --metrics reference_recall,eir_released
    """
    names = list(dict.fromkeys(name.strip() for name in metrics.split(",") if name.strip()))
    found = _estimates(data, predictions, from_format, documents, names, seed)
    if as_json:
        typer.echo(json.dumps({"metrics": {name: _described(each) for name, each in found.items()}}, indent=1))
    else:
        _print(found)


def _estimates(
    data: Path, predictions: Path | None, from_format: str | None, documents: Path | None, names: list[str], seed: int
) -> dict[str, Estimate]:
    from ragassay.evaluation.score_set import estimates_of, released_estimates, score_set
    from ragassay.metrics.catalogue import metrics_named
    from ragassay.metrics.released.dragonball_file import FILE_METRICS

    released = [name for name in names if from_format == "dragonball" and name in FILE_METRICS]
    others = [name for name in names if name not in released]
    found: dict[str, Estimate] = {}
    if others or not released:
        chosen = metrics_named(others)  # before anything is read
        examples, made = _records(data, predictions, from_format, documents)
        encoder = None
        if any(metric.needs == "encoder" for metric, _ in chosen):
            from ragassay.models.embeddings import SentenceEncoder

            encoder = SentenceEncoder()
        found.update(estimates_of(score_set(examples, made, others, encoder=encoder), others, seed=seed))
    if released:
        found.update(released_estimates(data, seed=seed))
    return {name: found[name] for name in names}


def _records(data: Path, predictions: Path | None, from_format: str | None, documents: Path | None) -> Any:
    """Examples and predictions; those of a file of their own in place of those that INPUT holds."""
    from ragassay.datasets.registry import read_dataset
    from ragassay.errors import InputError
    from ragassay.records import Example, Prediction, read_jsonl

    examples, made = [], []
    for record in read_dataset(data, format_name=from_format, documents=documents):
        if isinstance(record, Example):
            examples.append(record)
        elif isinstance(record, Prediction):
            made.append(record)
    if predictions is not None:
        try:
            made = list(read_jsonl(predictions, Prediction))
        except OSError as error:
            raise InputError(f"{predictions} cannot be read ({error.strerror})") from None
    return examples, made


def _described(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n, "total": found.total}


def _print(found: Mapping[str, Estimate]) -> None:
    rows = [("METRIC", "VALUE", "95 % INTERVAL", "SCORED")]
    for name, each in found.items():
        value = "none" if each.value is None else f"{each.value:.4f}"
        interval = "" if each.low is None or each.high is None else f"{each.low:.4f} to {each.high:.4f}"
        rows.append((name, value, interval, f"{each.n} of {each.total}"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True))
        typer.echo("  ".join([*cells, row[3]]))
