"""``ragassay convert``: a set in another format, what it is made of, or the results of a run as a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from ragassay.datasets.card import DataCard
from ragassay.datasets.csv_cells import table_writer, write_row
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.hub import SCORES, write_card
from ragassay.datasets.output import refuse_taken, whole_output
from ragassay.datasets.own import parquet_table
from ragassay.datasets.registry import (
    FORMATS,
    check_form,
    format_for,
    format_named,
    read_dataset,
    recognised,
    write_dataset,
)
from ragassay.datasets.rows import parquet_library
from ragassay.datasets.selection import Selection
from ragassay.datasets.validation import Findings, examine
from ragassay.errors import InputError, UsageError, choices
from ragassay.options import Group, Option, settings
from ragassay.pipeline.folders.read_run import read_items
from ragassay.pipeline.folders.run_folder import EXAMPLES_FILE
from ragassay.records import Example, Prediction
from ragassay.report.items import Items

_OUTPUT = "Output"
_OF_ONE_SYSTEM = ("deepeval", "promptfoo", "ragas", "langsmith")
"""Formats of sets with room for the predictions of one system."""


@settings
class ConvertOptions:
    """Which set or run is written where, and as what."""

    data: Annotated[Path, Option("File or folder with a data set, or a run folder.", metavar="DATA", is_argument=True)]
    output: Annotated[
        Path | None,
        Option(
            "File to write, or a new folder. Without it, DATA is described and its faults are listed.",
            metavar="OUTPUT",
            is_argument=True,
            is_about_work=True,
        ),
    ] = None
    to_format: Annotated[
        str | None,
        Option(
            "Format of OUTPUT, or scores (a table, .csv or .parquet) or datasets for the results of a run; default: "
            "from its suffix.",
            flags=("--to",),
            metavar="FORMAT",
        ),
    ] = None
    from_format: Annotated[
        str | None, Option("Format of DATA; default: detected.", flags=("--from",), metavar="FORMAT")
    ] = None
    documents: Annotated[
        Path | None, Option("JSONL file of the documents, if DATA does not hold them.", metavar="PATH")
    ] = None
    system: Annotated[str | None, Option("Only take the predictions of this system.", metavar="NAME")] = None
    rows: Annotated[Selection, Group(frozenset({"only"}))] = field(default_factory=Selection)
    overwrite: Annotated[bool, Option("Replace the file OUTPUT.", panel=_OUTPUT, is_about_work=True)] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSet:
    """format: name of the format that was read. card: what the set is made of. findings: what is wrong with it.

    notes: what of the files is not read, to how often.
    """

    format: str
    card: DataCard
    findings: Findings
    notes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """out: file or folder that was written. format: its name. records: kind (example, document, row) to count.

    notes: what was changed or left out, to how often.
    """

    out: Path
    format: str
    records: Mapping[str, int]
    notes: Mapping[str, int]


def convert(options: ConvertOptions) -> Converted | CheckedSet:
    """Write a set or the results of a run, whole or not at all, or check a set where no output is named.

    Raises InputError for what cannot be read, UsageError for a format or system that there is not, RunFolderError for
    the output.
    """
    to, out = options.to_format, options.output
    if out is None:
        if to is not None or options.system is not None or options.overwrite or options.rows != Selection():
            raise UsageError("OUTPUT: missing; name a file or folder to write, or leave out options of writing")
        return check_dataset(options.data, from_format=options.from_format, documents=options.documents)
    if to in TARGETS:
        if options.rows != Selection() or options.from_format or options.documents:
            raise UsageError(f"--to {to}: a run is written as it is; leave out options of rows")
        records = write_results(options.data, out, to, options.system, overwrite=options.overwrite)
        return Converted(out=out, format=to, records=records, notes={})
    return _convert_set(options, out)


def check_dataset(data: Path, *, from_format: str | None = None, documents: Path | None = None) -> CheckedSet:
    """Read a data set to its end; records that cannot be read are findings.

    from_format: name of the format where it cannot be told. documents: a file of documents beside the set.
    Raises InputError for a set that is missing or of no format that is known.
    """
    chosen = format_named(from_format, "--from") if from_format else recognised(data)
    notes = Notes(keep_going=True)
    card, findings = examine(read_dataset(data, format_name=chosen.name, documents=documents, notes=notes), notes)
    return CheckedSet(format=chosen.name, card=card, findings=findings, notes=dict(notes.counts))


def _convert_set(options: ConvertOptions, out: Path) -> Converted:
    system = _system_for(options.data, options.to_format, options.system)
    format_for(out, options.to_format)  # before anything is read
    read, written, counts = Notes(), Notes(), Counter[str]()
    records = read_dataset(
        options.data,
        format_name=options.from_format,
        documents=options.documents,
        notes=read,
        selection=options.rows,
    )
    chosen = write_dataset(
        out,
        _counting(records, counts, system),
        format_name=options.to_format,
        notes=written,
        overwrite=options.overwrite,
    )
    return Converted(out=out, format=chosen.name, records=dict(counts), notes=dict(read.counts + written.counts))


def _system_for(data: Path, to: str | None, named: str | None) -> str | None:
    """Return whose predictions a format with room for one gets: of a run with several the recommended one's."""
    if named is not None or to not in _OF_ONE_SYSTEM or not (data / EXAMPLES_FILE).is_file():
        return named
    items = read_items(data)
    return chosen_system(items, None) if items.systems and "predictions" in FORMATS[to].holds else None


def _counting(records: Iterator[Record], counts: Counter[str], system: str | None) -> Iterator[Record]:
    """Yield the records, counted by kind; of predictions those of one system, if one is named."""
    others: set[str] = set()
    for record in records:
        if isinstance(record, Prediction) and system not in (None, record.system):
            others.add(record.system)
            continue
        counts[type(record).__name__.lower()] += 1
        yield record
    if system is not None and not counts["prediction"]:
        raise UsageError(f"--system: no predictions of {system!r}; choose one of {choices(sorted(others))}")
    if not counts["example"]:
        raise InputError("INPUT holds no examples; nothing was written")


TARGETS = ("scores", "datasets")
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


def write_results(run: Path, out: Path, to: str, system: str | None, *, overwrite: bool) -> dict[str, int]:
    """Write what a run holds, whole or not at all, and return how many examples and rows that is.

    to: one of ``TARGETS``. system: whose predictions and scores; all if None.
    Raises UsageError for a system that there is not, InputError for a folder without examples or scores,
    RunFolderError for ``out``.
    """
    if not run.is_dir():
        raise InputError(f"{run} is not a folder; name the folder of a run")
    check_form(out, to, (".csv", ".parquet") if to == "scores" else ("",))
    refuse_taken(out, overwrite=overwrite)
    items = read_items(run)
    if system is not None:
        system = chosen_system(items, system)
    table = _table(items, system, run)
    with whole_output(out, overwrite=overwrite) as part:
        if out.suffix == ".csv":
            _write_csv(part, table)
        elif out.suffix == ".parquet":
            _write_parquet(part, table)
        else:
            _write_hub(part, run, items, table, system)
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
    written = parquet_table(table.rows, arrow.schema(list(kinds.items())), SCORES)
    arrow.parquet.write_table(written, path, compression="zstd")


def _write_hub(folder: Path, run: Path, items: Items, table: ScoreTable, system: str | None) -> None:
    write = FORMATS["parquet"].write
    assert write is not None
    write(folder, (each for each in read_dataset(run) if not _is_of_another(each, system)), Notes())
    _write_parquet(folder / f"{SCORES}.parquet", table)
    labels = Counter(example.label for example in items.examples)
    write_card(folder, labels, sorted({example.language for example in items.examples} - {"und"}))


def _is_of_another(record: Record, system: str | None) -> bool:
    return isinstance(record, Prediction) and system not in (None, record.system)
