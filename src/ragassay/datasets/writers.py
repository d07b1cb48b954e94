"""Sets for other tools: rows of RAGAS and goldens of deepeval."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragassay.datasets import sets
from ragassay.datasets.conversations import written_calls
from ragassay.datasets.format import Format, Notes, Record
from ragassay.datasets.lines import json_line, table_writer, write_row
from ragassay.datasets.texts import Texts, chunk_texts
from ragassay.records import Document, Example, Prediction, Turn

_RAGAS = ("user_input", "reference", "reference_contexts", "retrieved_contexts", "response", "synthesizer_name")


_Pair = tuple[Example, Prediction | None, list[str]]
"""An example, with the prediction that a row has room for and the texts of its chunks."""


def _pairs(records: Iterable[Record], notes: Notes) -> Iterator[_Pair]:
    waiting: dict[str, Prediction] = {}
    with Texts() as texts:
        for record in records:
            if isinstance(record, Document):
                texts.add(record.id, record.text)
            elif isinstance(record, Prediction) and record.error is not None:
                notes.add("not written: predictions that failed")
            elif isinstance(record, Example):
                prediction = waiting.pop(record.id, None)
                chunks = prediction.chunks if prediction else ()
                retrieved = chunk_texts(chunks, texts)
                notes.add("retrieved chunks without a known text", len(chunks) - len(retrieved))
                yield record, prediction, retrieved
            elif record.example_id in waiting:
                notes.add("not written: predictions of further systems; --system names the one to take")
            else:
                waiting[record.example_id] = record


def _write_ragas(path: Path, records: Iterable[Record], notes: Notes) -> None:
    rows = map(_ragas_row, _pairs(records, notes))
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix.lower() != ".csv":
            file.writelines(map(json_line, rows))
            return
        writer = table_writer(file)
        writer.writerow(_RAGAS)
        for row in rows:
            if {"reference_tool_calls", "tool_calls"} & row.keys():
                notes.add("not held in CSV: tool calls")
            if "response" not in row:
                notes.add("not held in CSV: whether a question has no prediction, or an empty one")
            cells = (row.get(name, "") for name in _RAGAS)
            write_row(writer, [json.dumps(each, ensure_ascii=False) if type(each) is list else each for each in cells])


def _ragas_row(pair: _Pair) -> Mapping[str, Any]:
    example, prediction, retrieved = pair
    turns = (*example.history, Turn(role="user", content=example.question))
    messages = [{"content": turn.content, "type": "human" if turn.role == "user" else "ai"} for turn in turns]
    row: dict[str, Any] = {
        "user_input": messages if example.history else example.question,
        "reference": example.answer,
        "reference_contexts": [span.text for span in example.references],
        "synthesizer_name": example.provenance.synthesizer,
        **written_calls("reference_tool_calls", example.tool_calls),
    }
    if prediction is not None:
        row |= {"response": prediction.answer or "", "retrieved_contexts": retrieved}
        row |= written_calls("tool_calls", prediction.tool_calls)
    return row


def _write_deepeval(path: Path, records: Iterable[Record], notes: Notes) -> None:
    goldens = map(_golden, _pairs(records, notes))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        if path.suffix.lower() == ".jsonl":
            file.writelines(map(json_line, goldens))
            return
        separator = "["
        for golden in goldens:
            file.write(f"{separator}\n {json.dumps(golden, ensure_ascii=False)}")
            separator = ","
        file.write("[]\n" if separator == "[" else "\n]\n")


def _golden(pair: _Pair) -> Mapping[str, Any]:
    example, prediction, retrieved = pair
    golden: dict[str, Any] = {
        "input": example.question,
        "expected_output": example.answer or None,
        "context": [span.text for span in example.references] or None,
        "name": example.id,
    }
    if prediction is not None:
        golden |= {"actual_output": prediction.answer, "retrieval_context": retrieved or None}
    return golden


FORMATS: Mapping[str, Format] = {
    "ragas": replace(sets.FORMATS["ragas"], write=_write_ragas, writes=(".jsonl", ".csv")),
    "deepeval": replace(sets.FORMATS["deepeval"], write=_write_deepeval, writes=(".json", ".jsonl")),
}
