"""Rows with names of their own, read with ``--map``: which field of ours stands where in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ragassay.datasets.conversations import history_in
from ragassay.datasets.csv_cells import list_in
from ragassay.datasets.foreign import RECORDED, Assembler, Item
from ragassay.datasets.format import Format, Notes, Record, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.replies.places import (
    EVERY,
    MISSING,
    Place,
    UnreadableAnswerError,
    count_of,
    dollars_of,
    fields_seen,
    id_of,
    is_list,
    parse_place,
    unpack,
    unpacked_at,
    written_place,
)
from ragassay.datasets.replies.reading import declines
from ragassay.datasets.replies.reading_chunks import chunks_of
from ragassay.datasets.replies.wording import answer_in, question_in
from ragassay.datasets.rows import read_rows
from ragassay.errors import InputError, UsageError
from ragassay.records import Prediction, RankedChunk, Turn, content_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFields:
    """What a row holds; None where no place was named, or nothing stands there.

    history: the turns before a question in a list of messages. reference, reference_contexts,
    reference_standalone_question: of the set; the others are what a system was asked and made.
    """

    question: str | None = None
    history: tuple[Turn, ...] = ()
    answer: str | None = None
    contexts: tuple[RankedChunk, ...] | None = None
    reference: str | None = None
    reference_contexts: tuple[str, ...] | None = None
    reference_standalone_question: str | None = None
    standalone_question: str | None = None
    id: str | None = None
    session: str | None = None
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


ROW_FIELDS = tuple(each.name for each in fields(RowFields) if each.name != "history")
_OF_PREDICTIONS = ("input_tokens", "output_tokens", "latency_s", "cost_usd", "session", "standalone_question")


def parse_mapping(texts: Sequence[str]) -> dict[str, Place]:
    """Return the place of each field of ``FIELD=PLACE``. Raises UsageError."""
    found: dict[str, Place] = {}
    for text in texts:
        name, equals, place = (part.strip() for part in text.partition("="))
        if not (name and equals and place):
            raise UsageError(f"--map: must be FIELD=PLACE, such as question=inputs.query, not {text[:80]!r}")
        if name not in ROW_FIELDS:
            raise UsageError(f"--map: unknown field {name[:40]!r}; choose one of {', '.join(ROW_FIELDS)}")
        if name in found:
            raise UsageError(f"--map: {name} has two places; give one")
        found[name] = parse_place(place, f"--map {name}")
    return found


def as_option(name: str, place: Place) -> str:
    """Return a field and its place as the user wrote them."""
    return f"--map {name}={written_place(place)}"


def row_fields(where: str, value: Any, mapping: Mapping[str, Place], notes: Notes) -> RowFields:
    """Return what stands at the places in a row. What cannot be read is a fault that names the row and field."""
    found: dict[str, Any] = {}
    for name, place in mapping.items():
        inner = unpacked_at(value, place)
        if inner in (MISSING, None, ""):
            notes.add(f"{as_option(name, place)} finds nothing")
            continue
        read = _read_field(name, inner)
        option = f"{where}: {as_option(name, place)}"
        if read is None:
            notes.fault(f"{option} holds {fields_seen(inner)}, which cannot be read as {name}")
        elif name == "reference_contexts" and "" in (texts := [text.strip() for text in read]):
            notes.fault(f"{option}: text {texts.index('') + 1} is empty; correct it or take it out")
        else:
            found[name] = read
            if name == "question":
                found["history"] = history_in(inner)
    return RowFields(**found)


def _read_field(name: str, value: Any) -> Any:
    if name in ("contexts", "reference_contexts"):
        value = (list_in(value) if isinstance(value, str) and value.startswith("[") else None) or unpack(value)
        try:
            chunks = chunks_of(value if is_list(value) else [value])
        except UnreadableAnswerError:
            return None
        return chunks if name == "contexts" or chunks is None else tuple(chunk.text or "" for chunk in chunks)
    if name.endswith("question"):
        return question_in(value)
    if name in ("answer", "reference"):
        return answer_in(value)
    if name in ("id", "session"):
        return id_of(value) or None
    return count_of(value) if name.endswith("tokens") else dollars_of(value)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    mapping = source.mapping
    if "question" not in mapping:
        raise UsageError("--map: question is missing; say where it stands, as in --map question=inputs.query")
    assembler = Assembler("rows", source, notes)
    yield from assembler.documents()
    lacking, rows, first = Counter[str](), 0, None
    for row in read_rows(source.path, notes):
        rows += 1
        first = first or row
        found = row_fields(row.where, row.value, mapping, notes)
        lacking.update(name for name in mapping if getattr(found, name) is None)
        if found.question is None:
            notes.fault(f"{row.where}: {_ends(row, 'question', mapping['question'])}")
            continue
        yield from assembler.records(_item(found, row.where))
    for name, place in mapping.items():
        if first is not None and lacking[name] == rows:
            others = f" in the first row; none of the {rows} rows has it" if rows > 1 else ""
            raise InputError(f"{source.path.name}: {_ends(first, name, place)}{others}")


def _ends(row: Row, name: str, place: Place) -> str:
    """Say where in a row a place ends, with the fields that are there."""
    known, value = [], row.value
    for step in place:
        inner = unpacked_at(value, (step,)) if step != EVERY else MISSING
        if inner is MISSING:
            break
        known.append(step)
        value = inner
    at = f"{written_place(tuple(known))} holds" if known else "the row holds"
    return f"{as_option(name, place)} finds nothing; {at} {fields_seen(unpack(value))}"


def _item(found: RowFields, where: str) -> Item:
    prediction = Prediction(
        example_id="",
        system=RECORDED,
        chunks=found.contexts or (),
        answer=found.answer,
        abstained=declines(found.answer),
        **{name: getattr(found, name) for name in _OF_PREDICTIONS},
    )
    has_result = found.answer is not None or found.contexts is not None
    return Item(
        where=where,
        question=found.question or "",
        id=found.id or content_id("q", found.question or "", where),
        answers=[found.reference] if found.reference else [],
        loose=found.reference_contexts or (),
        history=found.history,
        standalone_question=found.reference_standalone_question,
        prediction=prediction if has_result else None,
    )


FORMAT = Format(
    name="rows",
    title="Rows of any kind, with --map: JSONL, JSON, CSV or Parquet",
    holds=frozenset(
        {"questions", "answers", "references", "predictions", "earlier turns", "expected standalone questions"}
    ),
    read=_read,
    by_text=True,
    maps=True,
)
