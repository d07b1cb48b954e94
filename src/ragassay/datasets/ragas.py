"""RAGAS rows, one question each, in JSONL or CSV: test sets with their reference contexts, and what a system gave.

The older names of the columns (question, ground_truth, contexts, answer) are read too.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragassay.datasets.csv_cells import read_table, table_writer, write_row
from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.foreign import document_of_text, example_of, prediction_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, json_line, note_other_fields, read_objects, text_of, texts_of
from ragassay.datasets.texts import Corpus, Texts, chunk_texts, unplaced
from ragassay.datasets.tool_calls import EXPECTED, MADE, calls_in, written_calls
from ragassay.records import Document, Example, Prediction, Span, content_id

_COLUMNS = ("user_input", "reference", "reference_contexts", "retrieved_contexts", "response", "synthesizer_name")
_OLD_NAMES = {
    "question": "user_input",
    "ground_truth": "reference",
    "contexts": "retrieved_contexts",
    "answer": "response",
}
_LISTS = ("reference_contexts", "retrieved_contexts")
_LONGEST_LITERAL = 10_000_000
"""Characters of a list that is written as Python writes it; JSON may be longer."""


def _recognises(peek: Peek) -> bool:
    if peek.suffix not in (".jsonl", ".csv", ".tsv"):
        return False
    return "user_input" in peek.keys or (
        "question" in peek.keys and bool({"ground_truth", "contexts"} & peek.keys) and "provenance" not in peek.keys
    )


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    corpus = Corpus()
    if source.documents is not None:
        for document in read_documents(source.documents, notes):
            corpus.add(document.id, document.text)
            yield document
    seen: set[str] = set()  # ids of documents and examples
    is_table = source.path.suffix.lower() in (".csv", ".tsv")
    for row in read_table(source.path, notes) if is_table else read_objects(source.path, notes):
        row = _renamed(row)
        if is_table:
            row = _with_lists(row, notes)
        note_other_fields(row, frozenset((*_COLUMNS, *EXPECTED, *MADE)), notes)
        yield from _row(row, source, corpus, seen, notes)


def read_rows(
    rows: Iterable[Mapping[str, Any]], notes: Notes, documents: Sequence[Document] | None = None
) -> Iterator[Record]:
    """The records of rows that are at hand, as a file of them would give; faults name "row 1" and so on.

    documents: that references are looked for in; None to make documents of the references.
    """
    corpus, seen = Corpus(), set[str]()
    source = Source(path=Path("rows"), documents=None if documents is None else Path("documents"))
    for document in documents or ():
        corpus.add(document.id, document.text)
        yield document
    for number, value in enumerate(rows, start=1):
        row = _renamed(Row(f"row {number}", dict(value)))
        note_other_fields(row, frozenset((*_COLUMNS, *EXPECTED, *MADE)), notes)
        yield from _row(row, source, corpus, seen, notes)


def _renamed(row: Row) -> Row:
    if "user_input" in row.value:
        return row
    return Row(row.where, {_OLD_NAMES.get(name, name): value for name, value in row.value.items()})


def _with_lists(row: Row, notes: Notes) -> Row:
    """The cells that hold lists as lists: JSON, or what Python writes of a list."""
    value: dict[str, Any] = dict(row.value)
    for name in _LISTS:
        cell = (value.get(name) or "").strip()
        value[name] = _list(cell) if cell else []
        if value[name] is None:
            notes.fault(f"{row.where}: the field {name!r} is no list of texts")
            value[name] = []
    return Row(row.where, value)


def _list(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(cell) if len(cell) <= _LONGEST_LITERAL else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _row(row: Row, source: Source, corpus: Corpus, seen: set[str], notes: Notes) -> Iterator[Record]:
    if isinstance(row.value.get("user_input"), list):
        notes.fault(f"{row.where}: user_input is a conversation; only single questions are read")
        return
    question, answer = text_of(row, "user_input", notes), text_of(row, "reference", notes, default="")
    contexts, retrieved = (texts_of(row, name, notes) for name in _LISTS)
    response = text_of(row, "response", notes, default="")
    if question is None or answer is None or contexts is None or retrieved is None or response is None:
        return
    try:
        expected, made = calls_in(row, EXPECTED), calls_in(row, MADE)
    except ValueError as error:
        notes.fault(f"{row.where}: {error}")
        return
    references: list[Span] = []
    for text in contexts:
        span = corpus.find(text)
        if span is None and source.documents is not None:
            notes.add("reference contexts that no document holds")
            span = unplaced("", text)
        elif span is None:
            document = document_of_text(text, "", source.path, row.where)
            span = document.span(0, len(text))
            if document.id not in seen:
                seen.add(document.id)
                yield document
        references.append(span)
    synthesizer = text_of(row, "synthesizer_name", notes, default="") or ""
    example = example_of(
        origin="ragas", question=question, answer=answer, references=references, synthesizer=synthesizer
    )
    if example.id in seen:  # the same row again is another example: it may have another response
        example = replace(example, id=content_id(example.id, row.where))
    seen.add(example.id)
    if retrieved or response or made is not None:
        yield replace(prediction_of(example.id, response or None, retrieved), tool_calls=made)
    yield replace(example, tool_calls=expected)


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with Texts() as texts, path.open("w", encoding="utf-8", newline="") as file:
        rows = _rows(records, texts, notes)
        if path.suffix.lower() != ".csv":
            file.writelines(json_line(row) for row in rows)
            return
        writer = table_writer(file)
        writer.writerow(_COLUMNS)
        for row in rows:
            if {EXPECTED[0], MADE[0]} & row.keys():
                notes.add("not held in CSV: tool calls")
            cells = [row.get(name, "") for name in _COLUMNS]
            write_row(
                writer, [json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell for cell in cells]
            )


def _rows(records: Iterable[Record], texts: Texts, notes: Notes) -> Iterator[dict[str, Any]]:
    waiting: dict[str, Prediction] = {}
    for record in records:
        if isinstance(record, Document):
            texts.add(record.id, record.text)
            continue
        if isinstance(record, Prediction):
            if record.example_id in waiting:
                notes.add("not written: predictions of further systems; --system names the one to take")
            else:
                waiting[record.example_id] = record
            continue
        yield _columns(record, waiting.pop(record.id, None), texts, notes)


def _columns(example: Example, prediction: Prediction | None, texts: Texts, notes: Notes) -> dict[str, Any]:
    row: dict[str, Any] = {
        "user_input": example.question,
        "reference": example.answer,
        "reference_contexts": [span.text for span in example.references],
        "synthesizer_name": example.provenance.synthesizer,
    }
    row |= written_calls(EXPECTED[0], example.tool_calls)
    if prediction is not None:
        retrieved = chunk_texts(prediction.chunks, texts)
        notes.add("retrieved chunks whose text is not known", len(prediction.chunks) - len(retrieved))
        row |= {"response": prediction.answer or "", "retrieved_contexts": retrieved}
        row |= written_calls(MADE[0], prediction.tool_calls)
    return row


FORMAT = Format(
    name="ragas",
    title="RAGAS rows: JSONL or CSV",
    holds=frozenset({"questions", "answers", "references", "predictions"}),
    suffixes=(),
    writes=(".jsonl", ".csv"),
    recognises=_recognises,
    read=_read,
    write=_write,
)
