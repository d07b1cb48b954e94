"""Parquet: the same records as columns, for examples alone in a file or with documents and predictions in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.format import ALL_PARTS, Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import json_line
from ragassay.datasets.own import DOCUMENTS, EXAMPLES, PREDICTIONS, file_name
from ragassay.datasets.rows import PARQUET_ROWS, parquet_library, parquet_rows
from ragassay.errors import RecordError
from ragassay.records import Document, Example, Prediction, from_json, to_json


def _schemas(arrow: Any) -> dict[str, Any]:
    """Column types of each file. Metadata is a list of key and value: readers of others know no maps."""
    text, number, real, flag = arrow.string(), arrow.int64(), arrow.float64(), arrow.bool_()

    def struct(**fields: Any) -> Any:
        return arrow.struct(list(fields.items()))

    place = struct(document_id=text, start=number, end=number)
    span = struct(document_id=text, start=number, end=number, text=text, grade=number, elsewhere=arrow.list_(place))
    provenance = struct(synthesizer=text, model=text, pattern=text, statement=text, unanswerable_in=text, mending=text)
    block = struct(kind=text, start=number, end=number, level=number, group=number, row=number, column=number)
    chunk = struct(chunk_id=text, document_id=text, start=number, end=number, score=real, text=text)
    calls = arrow.list_(struct(name=text, arguments=text))
    history = arrow.list_(struct(role=text, content=text))
    columns = {
        EXAMPLES: struct(
            id=text, question=text, answer=text, context=span, references=arrow.list_(span),
            keypoints=arrow.list_(text), requested_label=text, verified_label=text, provenance=provenance,
            language=text, question_type=text,
            critiques=arrow.list_(struct(name=text, value=number, reason=text)), tool_calls=calls,
            history=history, standalone_question=text, other_answers=arrow.list_(text), difficulty=text,
        ),
        DOCUMENTS: struct(
            id=text, title=text, source=text, text=text, language=text,
            metadata=arrow.list_(struct(key=text, value=text)), blocks=arrow.list_(block),
            literals=arrow.list_(arrow.list_(number)),
        ),
        PREDICTIONS: struct(
            example_id=text, system=text, chunks=arrow.list_(chunk), answer=text, abstained=flag,
            input_tokens=number, output_tokens=number, latency_s=real, error=text, cost_usd=real, session=text,
            tool_calls=calls, standalone_question=text,
        ),
    }  # fmt: skip
    return {name: arrow.schema(list(fields)) for name, fields in columns.items()}


def _recognises(peek: Peek) -> bool:
    is_ours = peek.suffix == ".parquet" and (not peek.keys or {"id", "question", "provenance"} <= peek.keys)
    return is_ours or f"{EXAMPLES}.parquet" in peek.files


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    folder = source.path if source.path.is_dir() else None
    if source.documents is not None:
        yield from read_documents(source.documents, notes)
    elif folder and (folder / f"{DOCUMENTS}.parquet").exists():
        yield from _rows(folder / f"{DOCUMENTS}.parquet", Document, notes)
    if folder and (folder / f"{PREDICTIONS}.parquet").exists():
        yield from _rows(folder / f"{PREDICTIONS}.parquet", Prediction, notes)
    yield from _rows(folder / f"{EXAMPLES}.parquet" if folder else source.path, Example, notes)


def _rows(path: Path, record_type: type[Document | Example | Prediction], notes: Notes) -> Iterator[Record]:
    for where, row in parquet_rows(path):
        try:
            if isinstance(row.get("metadata"), list):
                row["metadata"] = dict(map(_pair, row["metadata"]))
            record = from_json(record_type, json_line(row), where=where)
        except (RecordError, KeyError, TypeError, ValueError) as error:
            notes.fault(str(error) if isinstance(error, RecordError) else f"{where}: {error}")
        else:
            yield record


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    arrow = parquet_library()
    schemas = _schemas(arrow)
    writers: dict[str, Any] = {}
    waiting: dict[str, list[dict[str, Any]]] = {EXAMPLES: []}

    def flush(name: str) -> None:
        if name not in writers:
            target = path / f"{name}.parquet" if path.is_dir() else path
            writers[name] = arrow.parquet.ParquetWriter(target, schemas[name], compression="zstd")
        writers[name].write_table(parquet_table(waiting[name], schemas[name], name))
        waiting[name] = []

    try:
        for record in records:
            name = file_name(record)
            if name != EXAMPLES and not path.is_dir():
                notes.add(f"not written: {name}; name a folder to keep them")
                continue
            waiting.setdefault(name, []).append(_columns(record))
            if len(waiting[name]) >= PARQUET_ROWS:
                flush(name)
        for name in waiting:
            flush(name)
    finally:
        for writer in writers.values():
            writer.close()


def parquet_table(rows: Sequence[Mapping[str, Any]], schema: Any, name: str) -> Any:
    """The rows as a table of the library. Raises RecordError for a number that no column holds."""
    arrow = parquet_library()
    try:
        return arrow.Table.from_pylist(list(rows), schema=schema)
    except (OverflowError, arrow.ArrowInvalid):
        raise RecordError(f"{name}: a number is too large for Parquet; correct it, or write another format") from None


def _columns(record: Record) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(to_json(record))
    if isinstance(record, Document):
        row["metadata"] = [{"key": key, "value": value} for key, value in record.metadata.items()]
    elif isinstance(record, Example):
        for name in ("history", "other_answers"):
            row.setdefault(name, [])
        for span in (row["context"], *row["references"]):
            span.setdefault("elsewhere", [])
    return row


def _pair(entry: Any) -> tuple[Any, Any]:
    """Name and value of one entry of metadata; earlier files have maps, whose entries are pairs."""
    return (entry["key"], entry["value"]) if isinstance(entry, dict) else entry


FORMAT = Format(
    name="parquet",
    title="Parquet: a file of examples, or a folder",
    holds=ALL_PARTS,
    suffixes=(".parquet",),
    writes=(".parquet", ""),
    recognises=_recognises,
    read=_read,
    write=_write,
)
