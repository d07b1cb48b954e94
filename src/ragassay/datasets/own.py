"""Our own records: JSONL, as a file of examples or a folder with documents and predictions, and CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from ragassay.datasets.foreign import Assembler, Item, label_in, read_documents
from ragassay.datasets.format import ALL_PARTS, EXAMPLE_PARTS, Format, Notes, Record, Source
from ragassay.datasets.lines import (
    Row,
    json_line,
    list_in,
    note_other_fields,
    read_lines,
    read_table,
    table_writer,
    write_row,
)
from ragassay.errors import InputError, RecordError
from ragassay.language import detect_language
from ragassay.records import Document, Example, Prediction, content_id, from_json, to_json

_EXAMPLES = "examples"
_TYPES: Mapping[str, type[Document | Example | Prediction]] = {
    "documents": Document,
    "predictions": Prediction,
    _EXAMPLES: Example,
}


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    folder = source.path if source.path.is_dir() else None
    if source.documents is not None:
        yield from read_documents(source.documents, notes)
    for name, record_type in _TYPES.items():
        path = folder / f"{name}.jsonl" if folder else source.path
        is_given = record_type is Document and source.documents is not None
        if name == _EXAMPLES or (folder and path.exists() and not is_given):
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
                place = path / f"{name}.jsonl" if path.is_dir() else path
                files[name] = stack.enter_context(place.open("w", encoding="utf-8", newline="\n"))
            return files[name]

        file_of(_EXAMPLES)
        for record in records:
            name = next(name for name, kind in _TYPES.items() if isinstance(record, kind))
            if name == _EXAMPLES or path.is_dir():
                file_of(name).write(to_json(record) + "\n")
            else:
                notes.add(f"not written: {name}; name a folder to keep them")


FORMAT = Format(
    name="jsonl",
    holds=ALL_PARTS,
    suffixes=(".jsonl", ""),
    writes=(".jsonl", ""),
    when=(
        {"files": ["examples.jsonl"]},
        {"suffixes": [".jsonl"], "all": ["id", "question", "requested_label", "provenance"]},
    ),
    read=_read,
    write=_write,
)

_TEXTS = ("id", "question", "answer", "requested_label", "verified_label", "question_type", "language")
_LISTS = ("keypoints", "references")
_CONTEXT = {"context_document": "document_id", "context_start": "start", "context_end": "end", "context": "text"}
_COLUMNS = (*_TEXTS, *_LISTS, *_CONTEXT)
_QUESTIONS = ("question", "query")
_ANSWERS = ("answer", "reference_answer", "expected_answer", "expected_output", "expected", "ground_truth")
_QUOTES = ("context", "quote", "references", "reference_contexts", "reference_context")
_READ_OF_OTHERS = ("id", "language", "label", "unanswerable", *_QUOTES)
OTHER_VALUES = "values of unanswerable other than yes and no, taken for no"
_YES, _NO = ("1", "1.0", "true", "yes", "y", "x"), ("", "0", "0.0", "false", "no", "n")
_RESULTS = frozenset({"example_id", "system", "question", "response", "reasons"})


def refuse_results(columns: Set[str], name: str) -> None:
    """Raise InputError for a table of ``ragassay convert``, which has every question once for each system."""
    if columns >= _RESULTS:
        raise InputError(
            f"{name} is a table of results, with a row for each example and system; name the run that it was exported "
            "from instead"
        )


def _read_table(source: Source, notes: Notes) -> Iterator[Record]:
    assembler = Assembler("csv", source, notes)
    yield from assembler.documents()
    for row in read_table(source.path, notes):
        if row.value.keys().isdisjoint(_QUESTIONS):
            raise InputError(f"{source.path.name} line 1: must have a column named {' or '.join(_QUESTIONS)}")
        refuse_results(row.value.keys(), source.path.name)
        read = _COLUMNS if "context_document" in row.value else _READ_OF_OTHERS
        note_other_fields(row, frozenset((*read, *_QUESTIONS, *_ANSWERS)), notes)
        if not any(row.value.values()):
            continue
        if not _first(row, _QUESTIONS).strip():
            notes.fault(f"{row.where}: the question is empty")
            continue
        if read is _READ_OF_OTHERS:
            cells = row.value
            is_open = cells.get("unanswerable", "").strip().lower()
            notes.add(OTHER_VALUES, is_open not in (*_YES, *_NO))
            label = label_in("unanswerable" if is_open in _YES else cells.get("label"), notes)
            item = Item(
                where=row.where,
                question=_first(row, _QUESTIONS),
                answers=[_first(row, _ANSWERS)],
                id=cells.get("id", ""),
                loose=_quotes(_first(row, _QUOTES)),
                language=cells.get("language"),
                **label,
            )
            yield from assembler.records(item)
            continue
        try:
            yield _own(row)
        except RecordError as error:
            notes.fault(str(error))


def _quotes(cell: str) -> Sequence[str]:
    """Return the quotes in a cell: one, or a list of them as JSON or Python writes it."""
    listed = list_in(cell) if cell.startswith("[") else None
    return [cell] if listed is None else [str(each) for each in listed if isinstance(each, str | int | float)]


def _own(row: Row) -> Example:
    """Return the example of a row that ``_write_table`` wrote. Raises RecordError that names the row and the column."""
    value: dict[str, Any] = {name: row.value.get(name) or None for name in _TEXTS if name not in ("question", "answer")}
    value |= {"question": _first(row, _QUESTIONS), "answer": _first(row, _ANSWERS)}
    for name in _LISTS:
        try:
            value[name] = json.loads(row.value.get(name) or "[]")
        except (ValueError, RecursionError):
            raise RecordError(f"{row.where}: {name} must be a JSON list") from None
    context = {theirs: row.value.get(name, "") for name, theirs in _CONTEXT.items()}
    value["context"] = {**context, "start": context["start"] or 0, "end": context["end"] or 0}
    value["provenance"] = {"synthesizer": "csv", "model": ""}
    value["id"] = value["id"] or content_id("q", value["question"], value["answer"])
    value["language"] = value["language"] or detect_language(f"{value['question']}\n{value['answer']}")
    return from_json(Example, json_line(value), where=row.where)


def _first(row: Row, names: tuple[str, ...]) -> str:
    return next((row.value[name] for name in names if row.value.get(name)), "")


def _write_table(path: Path, records: Iterable[Record], _: Notes) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = table_writer(file)
        writer.writerow(_COLUMNS)
        for example in records:
            if isinstance(example, Example):
                value = json.loads(to_json(example))
                spans = [{name: span[name] for name in _CONTEXT.values()} for span in value["references"]]
                lists = [json.dumps(each, ensure_ascii=False) for each in (value["keypoints"], spans)]
                context = [value["context"][theirs] for theirs in _CONTEXT.values()]
                write_row(writer, [*(value.get(name) or "" for name in _TEXTS), *lists, *context])


CSV = Format(
    name="csv",
    holds=frozenset(EXAMPLE_PARTS)
    - {"critiques", "grades", "difficulty", "other answers", "earlier turns", "provenance"}
    - {"expected standalone questions", "expected tool calls"},
    suffixes=(".csv",),
    writes=(".csv",),
    when=({"suffixes": [".csv", ".tsv"], "any": _QUESTIONS},),
    read=_read_table,
    by_text=True,
    write=_write_table,
)
