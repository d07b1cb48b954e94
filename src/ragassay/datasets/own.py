"""Our own JSONL: a file of examples, or a folder with examples.jsonl and, beside it, documents and predictions.

Run folders are such folders; their other files are about the run, not of the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.format import ALL_PARTS, Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import read_lines
from ragassay.errors import RecordError
from ragassay.records import Document, Example, Prediction, from_json, to_json

EXAMPLES, DOCUMENTS, PREDICTIONS = "examples", "documents", "predictions"


def _recognises(peek: Peek) -> bool:
    return "examples.jsonl" in peek.files or (
        peek.suffix == ".jsonl" and {"id", "question", "requested_label", "provenance"} <= peek.keys
    )


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    folder, examples = source.path, source.path
    if source.path.is_dir():
        examples = folder / f"{EXAMPLES}.jsonl"
    if source.documents is not None:
        yield from read_documents(source.documents, notes)
    elif source.path.is_dir() and (folder / f"{DOCUMENTS}.jsonl").exists():
        yield from read_records(folder / f"{DOCUMENTS}.jsonl", Document, notes)
    if source.path.is_dir() and (folder / f"{PREDICTIONS}.jsonl").exists():
        yield from read_records(folder / f"{PREDICTIONS}.jsonl", Prediction, notes)
    yield from read_records(examples, Example, notes)


def read_records(path: Path, record_type: type[Document | Example | Prediction], notes: Notes) -> Iterator[Record]:
    """Records as ``to_json`` wrote them; a line that holds none is a fault that names it."""
    for where, line in read_lines(path, notes):
        try:
            yield from_json(record_type, line, where=where)
        except RecordError as error:
            notes.fault(str(error))


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with ExitStack() as stack:
        files: dict[str, IO[str]] = {}

        def file_of(name: str) -> IO[str]:
            if name not in files:
                target = path / f"{name}.jsonl" if path.is_dir() else path
                files[name] = stack.enter_context(target.open("w", encoding="utf-8", newline="\n"))
            return files[name]

        file_of(EXAMPLES)
        for record in records:
            name = file_name(record)
            if name == EXAMPLES or path.is_dir():
                file_of(name).write(to_json(record) + "\n")
            else:
                notes.add(f"not written: {name}; name a folder to keep them")


def file_name(record: Record) -> str:
    """The name, without suffix, of the file that a record belongs in."""
    if isinstance(record, Example):
        return EXAMPLES
    return DOCUMENTS if isinstance(record, Document) else PREDICTIONS


FORMAT = Format(
    name="jsonl",
    title="JSONL of Ragassay: a file of examples, or a folder",
    holds=ALL_PARTS,
    suffixes=(".jsonl", ""),
    writes=(".jsonl", ""),
    recognises=_recognises,
    read=_read,
    write=_write,
)
