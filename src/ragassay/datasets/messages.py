"""Rows with ``messages``, as chat models take them: the last one of the user is the question.

Beside it ``id``, ``reference``, ``reference_contexts``, ``retrieved_contexts`` and ``standalone_question`` are read.
What an assistant says after the question is its recorded answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.datasets.conversations import conversation_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, note_other_fields, text_of, texts_of
from ragassay.datasets.replies.wording import unpack
from ragassay.datasets.row_records import RecordedRow, References, fields_of
from ragassay.datasets.rows import ROW_SUFFIXES, read_rows

_LISTS = ("reference_contexts", "retrieved_contexts")
_FIELDS = frozenset({"messages", "id", "reference", "standalone_question", *_LISTS})


def _recognises(peek: Peek) -> bool:
    return peek.suffix in ROW_SUFFIXES and "messages" in peek.keys


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    references = References(source)
    yield from references.documents(notes)
    for row in read_rows(source.path, notes):
        note_other_fields(row, _FIELDS, notes)
        row = Row(
            row.where, {**row.value, **{name: unpack(each) for name, each in row.value.items() if name in _LISTS}}
        )
        said = conversation_of(row, "messages", notes)
        answer, name = text_of(row, "reference", notes, default=""), text_of(row, "id", notes, default="")
        alone = text_of(row, "standalone_question", notes, default="")
        contexts, retrieved = (texts_of(row, each, notes) for each in _LISTS)
        if said is None or answer is None or name is None or alone is None or contexts is None or retrieved is None:
            continue
        recorded = RecordedRow(said, answer, contexts, retrieved, "", fields_of(row, "retrieved_contexts"))
        yield from references.records(
            recorded,
            row.where,
            origin="messages",
            example_id=name or None,
            standalone_question=alone or None,
        )


FORMAT = Format(
    name="messages",
    title="Conversations: rows with `messages`",
    holds=frozenset(
        {
            "example ids",
            "questions",
            "answers",
            "references",
            "predictions",
            "earlier turns",
            "expected standalone questions",
        }
    ),
    recognises=_recognises,
    read=_read,
    by_text=True,
)
