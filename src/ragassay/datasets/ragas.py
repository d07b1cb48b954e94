"""RAGAS rows, one question or conversation each: test sets with their reference contexts, and what a system gave.

In JSONL, JSON, CSV or Parquet.
The older names of the columns (question, ground_truth, contexts, answer) are read too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragassay.datasets.conversations import question_of
from ragassay.datasets.csv_cells import list_in, table_writer, write_row
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, json_line, note_other_fields, text_of, texts_of
from ragassay.datasets.placing import with_places
from ragassay.datasets.replies.wording import unpack
from ragassay.datasets.row_records import RecordedRow, References, fields_of, pairs
from ragassay.datasets.rows import ROW_SUFFIXES
from ragassay.datasets.rows import read_rows as rows_of_file
from ragassay.datasets.texts import Texts, chunk_texts
from ragassay.datasets.tool_calls import EXPECTED, MADE, calls_in, calls_said, written_calls
from ragassay.records import Document, Example, Prediction, Turn

_COLUMNS = ("user_input", "reference", "reference_contexts", "retrieved_contexts", "response", "synthesizer_name")
_OLD_NAMES = {
    "question": "user_input",
    "ground_truth": "reference",
    "contexts": "retrieved_contexts",
    "answer": "response",
}
_LISTS = ("reference_contexts", "retrieved_contexts")


def _recognises(peek: Peek) -> bool:
    if peek.suffix not in ROW_SUFFIXES:
        return False
    return "user_input" in peek.keys or (
        "question" in peek.keys and bool({"ground_truth", "contexts"} & peek.keys) and "provenance" not in peek.keys
    )


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    references = References(source)
    yield from references.documents(notes)
    is_table = source.path.suffix.lower() in (".csv", ".tsv")
    for row in rows_of_file(source.path, notes):
        row = _renamed(row)
        if is_table:
            row = _with_lists(row, notes)
        note_other_fields(row, frozenset((*_COLUMNS, *EXPECTED, *MADE)), notes)
        yield from _row(row, references, notes)


def read_rows(rows: Iterable[Mapping[str, Any]], notes: Notes, documents: Sequence[Document] = ()) -> Iterator[Record]:
    """The records of rows that are at hand, as a file of them would give; faults name "row 1" and so on.

    documents: that references are looked for in; documents are made of the references where there are none.
    """

    def read() -> Iterator[Record]:
        yield from documents
        references = References(Source(path=Path("rows"), has_corpus=bool(documents)))
        for number, value in enumerate(rows, start=1):
            row = _renamed(Row(f"row {number}", dict(value)))
            note_other_fields(row, frozenset((*_COLUMNS, *EXPECTED, *MADE)), notes)
            yield from _row(row, references, notes)

    return with_places(read(), notes, are_references=not documents, where="dataset")


def _renamed(row: Row) -> Row:
    if "user_input" in row.value:
        return row
    return Row(row.where, {_OLD_NAMES.get(name, name): value for name, value in row.value.items()})


def _with_lists(row: Row, notes: Notes) -> Row:
    """The cells that hold lists as lists."""
    value: dict[str, Any] = dict(row.value)
    for name in _LISTS:
        cell = (value.get(name) or "").strip()
        value[name] = list_in(cell) if cell else ""
        if value[name] is None:
            notes.fault(f"{row.where}: the field {name!r} must be a list of texts")
    return Row(row.where, value)


def _row(row: Row, references: References, notes: Notes) -> Iterator[Record]:
    said, golds = question_of(row, "user_input", notes), _golds(row, notes)
    contexts, retrieved = (texts_of(row, name, notes) for name in _LISTS)
    response = text_of(row, "response", notes, default="")
    if said is None or golds is None or contexts is None or retrieved is None or response is None:
        return
    try:
        expected, made = calls_in(row, EXPECTED), calls_in(row, MADE)
        if expected is not None and made is None:
            made = calls_said(unpack(row.value.get("user_input")))
    except ValueError as error:
        notes.fault(f"{row.where}: {error}")
        return
    synthesizer = text_of(row, "synthesizer_name", notes, default="") or ""
    results = fields_of(row, "retrieved_contexts", "response")
    recorded = RecordedRow(said, golds[0], contexts, retrieved, response, results)
    further = {"other_answers": golds[1:], "origin": "ragas", "synthesizer": synthesizer}
    for record in references.records(recorded, row.where, tool_calls=made, **further):
        yield replace(record, tool_calls=expected) if isinstance(record, Example) else record


def _golds(row: Row, notes: Notes) -> Sequence[str] | None:
    """The reference answer, and any further right ones: a list holds several. None, and a fault, for anything else."""
    if isinstance(row.value.get("reference"), list):
        golds = texts_of(row, "reference", notes)
        return golds if golds is None else golds or ("",)
    answer = text_of(row, "reference", notes, default="")
    return None if answer is None else (answer,)


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with Texts() as texts, path.open("w", encoding="utf-8", newline="") as file:
        rows = (_columns(example, prediction, texts, notes) for example, prediction in pairs(records, texts, notes))
        if path.suffix.lower() != ".csv":
            file.writelines(json_line(row) for row in rows)
            return
        writer = table_writer(file)
        writer.writerow(_COLUMNS)
        for row in rows:
            if {EXPECTED[0], MADE[0]} & row.keys():
                notes.add("not held in CSV: tool calls")
            if "response" not in row:
                notes.add("not held in CSV: whether a question has no prediction, or an empty one")
            cells = [row.get(name, "") for name in _COLUMNS]
            write_row(
                writer, [json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell for cell in cells]
            )


def _columns(example: Example, prediction: Prediction | None, texts: Texts, notes: Notes) -> dict[str, Any]:
    row: dict[str, Any] = {
        "user_input": _messages(example) if example.history else example.question,
        "reference": example.answer,
        "reference_contexts": [span.text for span in example.references],
        "synthesizer_name": example.provenance.synthesizer,
    }
    row |= written_calls(EXPECTED[0], example.tool_calls)
    if prediction is not None:
        retrieved = chunk_texts(prediction.chunks, texts)
        notes.add("retrieved chunks without a known text", len(prediction.chunks) - len(retrieved))
        row |= {"response": prediction.answer or "", "retrieved_contexts": retrieved}
        row |= written_calls(MADE[0], prediction.tool_calls)
    return row


def _messages(example: Example) -> list[dict[str, str]]:
    """Turns and question as ragas writes messages."""
    turns = (*example.history, Turn(role="user", content=example.question))
    return [{"content": turn.content, "type": "human" if turn.role == "user" else "ai"} for turn in turns]


FORMAT = Format(
    name="ragas",
    title="RAGAS rows: JSONL or CSV",
    holds=frozenset(
        {"questions", "answers", "references", "earlier turns", "expected tool calls", "predictions", "tool calls"}
    ),
    writes=(".jsonl", ".csv"),
    recognises=_recognises,
    read=_read,
    by_text=True,
    write=_write,
)
