"""CSV: one example a row, for spreadsheets. Reads tables of others too that have a column of questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ragassay.datasets.csv_cells import read_table, table_writer, write_row
from ragassay.datasets.foreign import Assembler, Item, example_of
from ragassay.datasets.format import EXAMPLE_PARTS, Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, note_other_fields
from ragassay.errors import InputError
from ragassay.records import LABELS, Example, Label, Span

_COLUMNS = (
    "id",
    "question",
    "answer",
    "requested_label",
    "verified_label",
    "question_type",
    "language",
    "keypoints",
    "references",
    "context_document",
    "context_start",
    "context_end",
    "context",
)
QUESTION_COLUMNS = ("question", "query")
_ANSWERS = ("answer", "reference_answer", "ground_truth")


_RESULTS = frozenset({"example_id", "system", "question", "response", "reasons"})


def refuse_results(columns: Set[str], name: str) -> None:
    """Raises InputError for a table of ``ragassay export``, which has every question once for each system."""
    if columns >= _RESULTS:
        raise InputError(
            f"{name} is a table of results, with a row for each example and system; name the run that it was exported "
            "from instead"
        )


def _recognises(peek: Peek) -> bool:
    return peek.suffix in (".csv", ".tsv") and not peek.keys.isdisjoint(QUESTION_COLUMNS)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    assembler = Assembler("csv", source, notes)
    yield from assembler.documents()
    for row in read_table(source.path, notes):
        if row.value.keys().isdisjoint(QUESTION_COLUMNS):
            raise InputError(f"{source.path.name} line 1: must have a column named {' or '.join(QUESTION_COLUMNS)}")
        refuse_results(row.value.keys(), source.path.name)
        note_other_fields(row, frozenset((*_COLUMNS, *QUESTION_COLUMNS, *_ANSWERS)), notes)
        if "context_document" in row.value:
            example = _own(row, notes)
            if example is not None:
                yield example
        else:
            cells = row.value
            item = Item(
                where=row.where,
                question=_first(row, QUESTION_COLUMNS),
                answer=_first(row, _ANSWERS),
                id=cells.get("id", ""),
                loose=[cells.get("context", "")],
                language=cells.get("language"),
            )
            yield from assembler.records(item)


def _own(row: Row, notes: Notes) -> Example | None:
    """The example of a row that ``_write`` wrote."""
    cells = row.value
    spans, keypoints = _list(row, "references", notes), _list(row, "keypoints", notes)
    numbers = [cells.get(name) or "0" for name in ("context_start", "context_end")]
    labels = [cells.get(name) or None for name in ("requested_label", "verified_label")]
    unknown = next((label for label in labels if label is not None and label not in LABELS), None)
    if unknown is not None:
        notes.fault(f"{row.where}: unknown label {unknown[:40]!r}; choose one of {', '.join(LABELS)}")
        return None
    if not all(number.removeprefix("-").isdecimal() and len(number) < 16 for number in numbers):
        notes.fault(f"{row.where}: context_start and context_end must be whole numbers")
        return None
    references = None if spans is None else [_span(value) for value in spans]
    if references is None or None in references:
        notes.fault(f"{row.where}: references must be a JSON list of objects with document_id, start, end and text")
        return None
    if keypoints is None or not all(isinstance(each, str) for each in keypoints):
        notes.fault(f"{row.where}: keypoints must be a JSON list of texts")
        return None
    example = example_of(
        origin="csv",
        question=_first(row, QUESTION_COLUMNS),
        answer=_first(row, _ANSWERS),
        example_id=cells.get("id") or None,
        references=[span for span in references if span],
        context=Span(
            document_id=cells["context_document"],
            start=int(numbers[0]),
            end=int(numbers[1]),
            text=cells.get("context", ""),
        ),
        keypoints=keypoints,
        language=cells.get("language"),
        question_type=cells.get("question_type") or None,
    )
    requested, verified = cast("list[Label | None]", labels)
    return replace(example, requested_label=requested, verified_label=verified)


def _first(row: Row, names: tuple[str, ...]) -> str:
    return next((row.value[name] for name in names if row.value.get(name)), "")


def _list(row: Row, name: str, notes: Notes) -> list[Any] | None:
    try:
        value = json.loads(row.value.get(name) or "[]")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _span(value: Any) -> Span | None:
    if not isinstance(value, dict):
        return None
    found = [value.get(name) for name in ("document_id", "start", "end", "text")]
    if [type(each) for each in found] != [str, int, int, str]:
        return None
    return Span(document_id=str(found[0]), start=int(found[1] or 0), end=int(found[2] or 0), text=str(found[3]))


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = table_writer(file)
        writer.writerow(_COLUMNS)
        for example in records:
            if isinstance(example, Example):
                write_row(writer, _cells(example))


def _cells(example: Example) -> list[object]:
    references = [
        {"document_id": span.document_id, "start": span.start, "end": span.end, "text": span.text}
        for span in example.references
    ]
    return [
        example.id,
        example.question,
        example.answer,
        example.requested_label or "",
        example.verified_label or "",
        example.question_type or "",
        example.language,
        json.dumps(example.keypoints, ensure_ascii=False),
        json.dumps(references, ensure_ascii=False),
        example.context.document_id,
        example.context.start,
        example.context.end,
        example.context.text,
    ]


FORMAT = Format(
    name="csv",
    title="CSV: one example a row",
    holds=frozenset(EXAMPLE_PARTS)
    - {
        "critiques",
        "grades",
        "difficulty",
        "other answers",
        "earlier turns",
        "expected standalone questions",
        "expected tool calls",
        "provenance",
    },
    suffixes=(".csv",),
    writes=(".csv",),
    recognises=_recognises,
    read=_read,
    by_text=True,
    write=_write,
)
