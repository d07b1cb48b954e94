"""Examples of LangSmith in CSV: ``question`` as input, ``answer`` and ``reference_contexts`` as outputs.

Source: ``Client.upload_csv(csv_file, input_keys=["question"], output_keys=["answer", "reference_contexts"])`` in
https://reference.langchain.com/python/langsmith/client/Client/upload_csv. Its own exports, with columns ``inputs`` and
``outputs``, are rows for ``--map``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ragassay.datasets.csv_cells import list_in, read_table, table_writer, write_row
from ragassay.datasets.foreign import label_in
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, note_other_fields, text_of, texts_of
from ragassay.datasets.row_records import References
from ragassay.records import Example

_COLUMNS = ("question", "answer", "reference_contexts", "metadata_id", "metadata_label")


def _recognises(peek: Peek) -> bool:
    return peek.suffix in (".csv", ".tsv") and {"question", "metadata_id"} <= peek.keys


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    references = References(source)
    yield from references.documents(notes)
    for row in read_table(source.path, notes):
        note_other_fields(row, frozenset(_COLUMNS), notes)
        row = Row(row.where, {**row.value, "reference_contexts": list_in(row.value.get("reference_contexts") or "[]")})
        question, answer = text_of(row, "question", notes), text_of(row, "answer", notes, default="")
        contexts = texts_of(row, "reference_contexts", notes)
        if question is None or answer is None or contexts is None:
            continue
        documents, example = references.example(
            contexts,
            row.where,
            origin="langsmith",
            question=question,
            answer=answer,
            example_id=row.value.get("metadata_id") or None,
            label=label_in(row.value.get("metadata_label"), notes),
        )
        yield from documents
        yield example


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = table_writer(file)
        writer.writerow(_COLUMNS)
        for example in records:
            if isinstance(example, Example):
                contexts = json.dumps([span.text for span in example.references], ensure_ascii=False)
                write_row(writer, [example.question, example.answer, contexts, example.id, example.label])


FORMAT = Format(
    name="langsmith",
    title="LangSmith: examples in CSV",
    holds=frozenset({"example ids", "questions", "answers", "references"}),
    writes=(".csv",),
    recognises=_recognises,
    read=_read,
    by_text=True,
    write=_write,
)
