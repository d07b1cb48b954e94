"""Goldens and test cases of deepeval: what its data sets save as JSON, JSONL or CSV and load again.

Source: https://deepeval.com/docs/evaluation-datasets and ``deepeval/dataset/dataset.py`` in
https://github.com/confident-ai/deepeval. Camel case, as its platform writes it, is read too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ragassay.datasets.conversations import conversation_of, question_of
from ragassay.datasets.csv_cells import list_in
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, json_line, note_other_fields, snake_case, text_of, texts_of
from ragassay.datasets.row_records import Pair, RecordedRow, References, fields_of, pairs
from ragassay.datasets.rows import ROW_SUFFIXES, read_rows
from ragassay.datasets.texts import Texts, chunk_texts

_FIELDS = frozenset(
    {
        "input",
        "actual_output",
        "expected_output",
        "context",
        "retrieval_context",
        "name",
        "additional_metadata",
        "turns",
    }
)
_JOINED = "|"
"""Between the texts of a list in a cell, as deepeval writes CSV."""


def _recognises(peek: Peek) -> bool:
    names = set(map(snake_case, peek.keys))
    others = {"expected_output", "actual_output", "retrieval_context", "additional_metadata"}
    if peek.suffix in ROW_SUFFIXES and "turns" in names:
        return True
    return peek.suffix in ROW_SUFFIXES and "input" in names and not names.isdisjoint(others)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    references = References(source)
    yield from references.documents(notes)
    is_table = source.path.suffix.lower() in (".csv", ".tsv")
    for row in read_rows(source.path, notes):
        row = Row(row.where, {snake_case(name): value for name, value in row.value.items()})
        if is_table:
            row = _with_lists(row)
        note_other_fields(row, _FIELDS, notes)
        yield from _records(row, references, notes)


def _with_lists(row: Row) -> Row:
    """The cells that hold lists as lists, or texts with bars between."""
    lists: dict[str, Any] = {}
    for name in ("context", "retrieval_context"):
        cell = row.value.get(name) or ""
        value = list_in(cell) if isinstance(cell, str) and cell.startswith("[") else cell
        lists[name] = value if isinstance(value, list) else cell.split(_JOINED) if cell else ""
    return Row(row.where, {**row.value, **lists})


def _records(row: Row, references: References, notes: Notes) -> Iterator[Record]:
    has_turns = "turns" in row.value or "scenario" in row.value
    said = conversation_of(row, "turns", notes) if has_turns else question_of(row, "input", notes)
    answer = text_of(row, "expected_output", notes, default="")
    contexts, retrieved = texts_of(row, "context", notes), texts_of(row, "retrieval_context", notes)
    response = text_of(row, "actual_output", notes, default="")
    name = text_of(row, "name", notes, default="")
    if said is None or answer is None or contexts is None or retrieved is None or response is None or name is None:
        return
    results = fields_of(row, "retrieval_context", "actual_output")
    recorded = RecordedRow(said, answer, contexts, retrieved, response, results)
    yield from references.records(recorded, row.where, origin="deepeval", example_id=name or None)


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with Texts() as texts, path.open("w", encoding="utf-8", newline="\n") as file:
        goldens = (_golden(pair, texts, notes) for pair in pairs(records, texts, notes))
        if path.suffix.lower() == ".jsonl":
            file.writelines(map(json_line, goldens))
            return
        separator = "["
        for golden in goldens:
            file.write(f"{separator}\n {json.dumps(golden, ensure_ascii=False)}")
            separator = ","
        file.write("[]\n" if separator == "[" else "\n]\n")


def _golden(pair: Pair, texts: Texts, notes: Notes) -> dict[str, Any]:
    example, prediction = pair
    golden: dict[str, Any] = {
        "input": example.question,
        "expected_output": example.answer or None,
        "context": [span.text for span in example.references] or None,
        "name": example.id,
    }
    if prediction is not None:
        retrieved = chunk_texts(prediction.chunks, texts)
        notes.add("retrieved chunks whose text is not known", len(prediction.chunks) - len(retrieved))
        golden |= {"actual_output": prediction.answer, "retrieval_context": retrieved or None}
    return golden


FORMAT = Format(
    name="deepeval",
    title="deepeval: goldens in JSON or JSONL",
    holds=frozenset({"example ids", "questions", "answers", "references", "predictions"}),
    writes=(".json", ".jsonl"),
    recognises=_recognises,
    read=_read,
    by_text=True,
    write=_write,
)
