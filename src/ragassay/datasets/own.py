"""Our own records: a file of examples, or a folder with examples and, beside them, documents and predictions.

In JSONL, which run folders are too, or in Parquet, where the same records are columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.format import ALL_PARTS, Format, Notes, Record, Source
from ragassay.datasets.lines import json_line, read_lines
from ragassay.datasets.rows import PARQUET_ROWS, parquet_library, parquet_rows
from ragassay.errors import RecordError
from ragassay.records import Document, Example, Prediction, from_json, to_json

EXAMPLES, DOCUMENTS, PREDICTIONS = "examples", "documents", "predictions"
_TYPES: Mapping[str, type[Document | Example | Prediction]] = {
    DOCUMENTS: Document,
    PREDICTIONS: Prediction,
    EXAMPLES: Example,
}
_JSONL, _PARQUET = ".jsonl", ".parquet"


def _read(suffix: str, source: Source, notes: Notes) -> Iterator[Record]:
    folder = source.path if source.path.is_dir() else None
    if source.documents is not None:
        yield from read_documents(source.documents, notes)
    for name, record_type in _TYPES.items():
        path = folder / f"{name}{suffix}" if folder else source.path
        is_given = name == DOCUMENTS and source.documents is not None
        if name == EXAMPLES or (folder and path.exists() and not is_given):
            for where, line in read_lines(path, notes) if suffix == _JSONL else _parquet_lines(path, notes):
                try:
                    yield from_json(record_type, line, where=where)
                except RecordError as error:
                    notes.fault(str(error))


def _parquet_lines(path: Path, notes: Notes) -> Iterator[tuple[str, str]]:
    for where, row in parquet_rows(path):
        try:
            if isinstance(row.get("metadata"), list):
                row["metadata"] = {each["key"]: each["value"] for each in row["metadata"]}
            yield where, json_line(row)
        except (KeyError, TypeError, ValueError) as error:
            notes.fault(f"{where}: {error}")


class _Writer(Protocol):
    def write(self, record: Record) -> None: ...
    def close(self) -> None: ...


class _Lines:
    def __init__(self, path: Path, name: str) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")

    def write(self, record: Record) -> None:
        self._file.write(to_json(record) + "\n")

    def close(self) -> None:
        self._file.close()


class _Columns:
    """Writes a group of rows at a time."""

    def __init__(self, path: Path, name: str) -> None:
        arrow = parquet_library()
        self._name, self._schema = name, _schemas(arrow)[name]
        self._writer = arrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[dict[str, Any]] = []

    def write(self, record: Record) -> None:
        row: dict[str, Any] = json.loads(to_json(record))
        if isinstance(record, Document):
            row["metadata"] = [{"key": key, "value": value} for key, value in record.metadata.items()]
        elif isinstance(record, Example):
            row = {"history": [], "other_answers": [], **row}
            for span in (row["context"], *row["references"]):
                span.setdefault("elsewhere", [])
        self._waiting.append(row)
        if len(self._waiting) >= PARQUET_ROWS:
            self._flush()

    def close(self) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        self._writer.write_table(parquet_table(rows, self._schema, self._name))


def _write(
    suffix: str, opened: Callable[[Path, str], _Writer], path: Path, records: Iterable[Record], notes: Notes
) -> None:
    writers: dict[str, _Writer] = {}

    def writer_of(name: str) -> _Writer:
        if name not in writers:
            writers[name] = opened(path / f"{name}{suffix}" if path.is_dir() else path, name)
        return writers[name]

    try:
        writer_of(EXAMPLES)
        for record in records:
            name = next(name for name, kind in _TYPES.items() if isinstance(record, kind))
            if name == EXAMPLES or path.is_dir():
                writer_of(name).write(record)
            else:
                notes.add(f"not written: {name}; name a folder to keep them")
    finally:
        for writer in writers.values():
            writer.close()


def parquet_table(rows: Sequence[Mapping[str, Any]], schema: Any, name: str) -> Any:
    """Return the rows as a table of the library. Raises RecordError for a number that no column holds."""
    arrow = parquet_library()
    try:
        return arrow.Table.from_pylist(list(rows), schema=schema)
    except (OverflowError, arrow.ArrowInvalid):
        raise RecordError(f"{name}: a number is too large for Parquet; correct it, or write another format") from None


def _schemas(arrow: Any) -> dict[str, Any]:
    """Return the column types of each file. Metadata is a list of key and value: readers of others know no maps."""
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


FORMAT = Format(
    name="jsonl",
    title="JSONL of Ragassay: a file of examples, or a folder",
    holds=ALL_PARTS,
    suffixes=(_JSONL, ""),
    writes=(_JSONL, ""),
    when=(
        {"files": ["examples.jsonl"]},
        {"suffixes": [_JSONL], "all": ["id", "question", "requested_label", "provenance"]},
    ),
    read=partial(_read, _JSONL),
    write=partial(_write, _JSONL, _Lines),
)
PARQUET = Format(
    name="parquet",
    title="Parquet: a file of examples, or a folder",
    holds=ALL_PARTS,
    suffixes=(_PARQUET,),
    writes=(_PARQUET, ""),
    when=(
        {"files": ["examples.parquet"]},
        {"suffixes": [_PARQUET], "exactly": []},
        {"suffixes": [_PARQUET], "all": ["id", "question", "provenance"]},
    ),
    read=partial(_read, _PARQUET),
    write=partial(_write, _PARQUET, _Columns),
)
