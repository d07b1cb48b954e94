"""Rows with names of their own, read with ``--map``: which field of ours stands where in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ragassay.datasets.conversations import answer_in, history_in, question_in
from ragassay.datasets.foreign import RECORDED, Assembler, Item, label_in
from ragassay.datasets.format import Format, Notes, Record, Source
from ragassay.datasets.lines import Row, list_in
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
from ragassay.datasets.replies.reading import chunks_of, declines
from ragassay.datasets.rows import read_rows
from ragassay.errors import InputError, UsageError
from ragassay.records import Prediction, Turn

ROW_FIELDS = (
    "question", "answer", "contexts", "reference", "reference_contexts", "reference_standalone_question",
    "standalone_question", "label", "id", "session", "latency_s", "input_tokens", "output_tokens", "cost_usd",
)  # fmt: skip
"""What can be mapped. reference...: of the set; the others are what a system was asked and made."""
_BY_NAME = ("id", "label")
"""Read by these names where they are not mapped: they can be nothing else."""
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


def read_item(where: str, value: Any, mapping: Mapping[str, Place], notes: Notes) -> Item:
    """Return what stands at the places in a row, with faults for what cannot be read; the question may be empty."""
    found: dict[str, Any] = {}
    history: tuple[Turn, ...] = ()
    for name, place in mapping.items():
        inner = unpacked_at(value, place)
        if inner in (MISSING, None, ""):
            notes.add(_finds_nothing(name, place))
            continue
        read = _read_field(name, inner)
        option = f"{where}: {as_option(name, place)}"
        if read is None:
            notes.fault(f"{option} holds {fields_seen(inner)}, which cannot be read as {name}")
        elif name == "reference_contexts" and "" in (texts := [text.strip() for text in read]):
            notes.fault(f"{option}: text {texts.index('') + 1} is empty; correct it or take it out")
        else:
            found[name] = read
            history = history_in(inner) if name == "question" else history
    question, answer = found.get("question", ""), found.get("answer")
    prediction = Prediction(
        example_id="",
        system=RECORDED,
        chunks=found.get("contexts", ()),
        answer=answer,
        abstained=declines(answer),
        **{name: found[name] for name in _OF_PREDICTIONS if name in found},
    )
    return Item(
        where=where,
        question=question,
        id=found.get("id", ""),
        answers=[found["reference"]] if "reference" in found else [],
        loose=found.get("reference_contexts", ()),
        history=history,
        standalone_question=found.get("reference_standalone_question"),
        **label_in(found.get("label"), notes),
        prediction=prediction if found.keys() & {"answer", "contexts"} else None,
    )


def check_found(mapping: Mapping[str, Place], notes: Notes, rows: int, where: Callable[[str, Place], str]) -> None:
    """Raise InputError for a place that found nothing in any of the rows. where: what to say of it."""
    for name, place in mapping.items():
        if rows and notes.counts[_finds_nothing(name, place)] >= rows:
            raise InputError(where(name, place))


def _finds_nothing(name: str, place: Place) -> str:
    return f"{as_option(name, place)} finds nothing"


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
    if name in ("id", "session", "label"):
        return id_of(value) or None
    return count_of(value) if name.endswith("tokens") else dollars_of(value)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    mapping = source.mapping
    if "question" not in mapping:
        raise UsageError("--map: question is missing; say where it stands, as in --map question=inputs.query")
    assembler = Assembler("rows", source, notes)
    yield from assembler.documents()
    rows, first = 0, None
    for row in read_rows(source.path, notes):
        rows += 1
        first = first or row
        own = {
            name: (name,)
            for name in _BY_NAME
            if row.value.get(name) not in (None, "")
            and (name,) not in mapping.values()
            and _read_field(name, row.value[name]) is not None
        }
        item = read_item(row.where, row.value, {**own, **mapping}, notes)
        if item.question:
            yield from assembler.records(item)
        else:
            notes.fault(f"{row.where}: {_ends(row, 'question', mapping['question'])}")

    def nowhere(name: str, place: Place) -> str:
        others = f" in the first row; none of the {rows} rows has it" if rows > 1 else ""
        return f"{source.path.name}: {_ends(first, name, place) if first else ''}{others}"

    check_found(mapping, notes, rows, nowhere)


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
    return f"{_finds_nothing(name, place)}; {at} {fields_seen(unpack(value))}"


FORMAT = Format(
    name="rows",
    holds=frozenset(
        {"questions", "answers", "references", "predictions", "earlier turns", "expected standalone questions"}
    ),
    read=_read,
    by_text=True,
    maps=True,
)
