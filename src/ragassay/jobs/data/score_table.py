"""The results of a run as a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragassay.datasets.lines import table_writer, write_row
from ragassay.datasets.registry import check_form, refuse_taken, whole_output
from ragassay.datasets.rows import parquet_library
from ragassay.errors import InputError, RecordError, UsageError, choices
from ragassay.jobs.folders.read_run import read_items
from ragassay.records import Example, Prediction
from ragassay.report.items import Items

TARGET = "scores"
_COLUMNS: Mapping[str, Callable[[Items, Example, Prediction | None], Any]] = {
    "example_id": lambda items, example, made: example.id,
    "system": lambda items, example, made: made.system if made else "",
    "question": lambda items, example, made: example.question,
    "reference": lambda items, example, made: example.answer,
    "label": lambda items, example, made: example.label,
    "question_type": lambda items, example, made: example.question_type,
    "response": lambda items, example, made: made.answer if made else None,
    "retrieved_contexts": lambda items, example, made: [items.text_of(each) for each in made.chunks] if made else [],
    "error": lambda items, example, made: made.error if made else None,
    "latency_s": lambda items, example, made: made.latency_s if made else None,
    "input_tokens": lambda items, example, made: made.input_tokens if made else None,
    "output_tokens": lambda items, example, made: made.output_tokens if made else None,
    "cost_usd": lambda items, example, made: made.cost_usd if made else None,
    "session": lambda items, example, made: made.session if made else None,
}
"""Columns of the table before those of the metrics; ``reasons`` is the last."""
_WHOLE, _REAL = {"input_tokens", "output_tokens"}, {"latency_s", "cost_usd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """A row for each example and system that has a prediction or a score; None where there is no value."""

    metrics: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def write_results(run: Path, out: Path, system: str | None, *, overwrite: bool) -> dict[str, int]:
    """Write what a run holds, whole or not at all, and return how many examples and rows that is.

    system: whose predictions and scores; all if None.
    Raises UsageError for a system that there is not, InputError for a folder without examples or scores,
    RunFolderError for ``out``.
    """
    if not run.is_dir():
        raise InputError(f"{run} is not a folder; name the folder of a run")
    check_form(out, TARGET, (".csv", ".parquet"))
    refuse_taken(out, overwrite=overwrite)
    items = read_items(run)
    if system is not None:
        system = chosen_system(items, system)
    table = _table(items, system, run)
    with whole_output(out, overwrite=overwrite) as part:
        if out.suffix == ".csv":
            _write_csv(part, table)
        else:
            _write_parquet(part, table)
    return {"example": len({row["example_id"] for row in table.rows}), "row": len(table.rows)}


def chosen_system(items: Items, named: str | None) -> str:
    """Return the system that is meant. Raises UsageError where that cannot be told."""
    known = choices(items.systems)
    if named is not None and named not in items.systems:
        raise UsageError(f"--system: unknown system {named[:80]!r}; the run has {known}")
    if named is None and len(items.systems) > 1 and not items.recommended:
        raise UsageError(f"--system: the run has several systems; name one of {known}")
    return named or items.recommended or next(iter(items.systems), "")


def _table(items: Items, system: str | None, run: Path) -> ScoreTable:
    metrics = list(dict.fromkeys(score.metric for score in items.scores))
    if not items.examples or not metrics:
        what = "scores" if items.examples else "examples"
        raise InputError(f"{run} holds no {what}; name a folder that `ragassay evaluate` or `run` wrote")
    clash = sorted(set(metrics) & {*_COLUMNS, "reasons"})
    if clash:
        raise InputError(f"{run}: the metric {clash[0]!r} has the name of a column; rename it")
    return ScoreTable(metrics=tuple(metrics), rows=tuple(_rows(items, metrics, system)))


def _rows(items: Items, metrics: list[str], system: str | None) -> Iterator[Mapping[str, Any]]:
    for example in items.examples:
        for name in items.systems if system is None else [system]:
            prediction = items.predicted.get((example.id, name))
            scores = items.scored.get((example.id, name), {})
            if prediction is None and not scores:
                continue
            reasons = {metric: score.reason or "" for metric, score in scores.items() if score.value is None}
            yield {
                **{column: value(items, example, prediction) for column, value in _COLUMNS.items()},
                "system": name,
                **{metric: scores[metric].value if metric in scores else None for metric in metrics},
                "reasons": json.dumps(reasons, ensure_ascii=False) if reasons else "",
            }


def _write_csv(path: Path, table: ScoreTable) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer: Any = table_writer(file)
        write_row(writer, [*_COLUMNS, *table.metrics, "reasons"])
        for row in table.rows:
            cells = [json.dumps(each, ensure_ascii=False) if isinstance(each, list) else each for each in row.values()]
            write_row(writer, cells)


def _write_parquet(path: Path, table: ScoreTable) -> None:
    arrow = parquet_library()
    kinds = {
        **{
            name: arrow.int64() if name in _WHOLE else arrow.float64() if name in _REAL else arrow.string()
            for name in _COLUMNS
        },
        "retrieved_contexts": arrow.list_(arrow.string()),
        **dict.fromkeys(table.metrics, arrow.float64()),
        "reasons": arrow.string(),
    }
    try:
        written = arrow.Table.from_pylist(list(table.rows), schema=arrow.schema(list(kinds.items())))
    except (OverflowError, arrow.ArrowInvalid):
        raise RecordError("scores: a number is too large for Parquet; correct it, or write CSV") from None
    arrow.parquet.write_table(written, path, compression="zstd")
