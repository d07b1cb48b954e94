"""Which rows of a data set are taken: all, a sample, each question once, a part by fields; and where fields stand."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Annotated, Any

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.mapping import as_option, parse_mapping
from ragassay.errors import InputError, UsageError
from ragassay.options import Count, Option, Seed, are_texts, settings, typed_as
from ragassay.records import Document, Example, Prediction

ROWS = "Rows"


def _mapping(given: Any) -> Any:
    if isinstance(given, Mapping):
        given = [f"{name}={place}" if isinstance(place, str) else (name, place) for name, place in given.items()]
        if not are_texts(given):
            return dict(given)
    return parse_mapping([given] if isinstance(given, str) else given)


def _only(given: Any) -> Any:
    if isinstance(given, Mapping):
        return tuple((str(name), str(value)) for name, value in given.items())
    return parse_only([given] if isinstance(given, str) else given) if are_texts(given) else given


RowsMap = Annotated[
    Mapping[str, Any],
    typed_as(_mapping),
    Option(
        "Where a field stands in rows of another form, such as question=inputs.query or "
        "'contexts=outputs.docs[*].text'; repeatable.",
        flags=("--map",),
        metavar="FIELD=PLACE",
        panel=ROWS,
    ),
]
RowsOnly = Annotated[
    tuple[tuple[str, str], ...],
    typed_as(_only),
    Option(
        "Take the examples with this label, type, language or field of their documents, such as "
        'domain=finance,language=en or title="A, b=c"; a system searches only such documents. Repeatable.',
        metavar="FIELD=VALUE",
        panel=ROWS,
    ),
]
RowsSample = Annotated[
    Count | None, Option("Take this many examples, drawn at random with --seed.", metavar="N", panel=ROWS)
]
RowsUnique = Annotated[bool, Option("Of questions in the same words, take only the first.", panel=ROWS, is_rare=True)]
RowsFrom = Annotated[
    str | None,
    Option(
        "Format of DATA: jsonl, csv, beir, ragas, deepeval, dragonball, squad, otel, langfuse or messages; "
        "default: detected.",
        flags=("--from",),
        metavar="FORMAT",
        panel=ROWS,
    ),
]


@settings
class Selection:
    """mapping: field to its place in a row. sample: so many, drawn by seed. unique: no question twice."""

    mapping: RowsMap = field(default_factory=dict)
    only: RowsOnly = ()
    sample: RowsSample = None
    seed: Annotated[Seed, Option("Random seed of --sample.", panel=ROWS, is_rare=True)] = 0
    unique: RowsUnique = False

    def settings(self) -> dict[str, str]:
        """Option name to value as text; nothing for what is not chosen."""
        found = {
            "map": ", ".join(as_option(name, place).removeprefix("--map ") for name, place in self.mapping.items())
        }
        found["only"] = ", ".join(f"{name}={value}" for name, value in self.only)
        if self.sample is not None:
            found["sample"] = f"{self.sample}, seed {self.seed}"
        if self.unique:
            found["unique questions"] = "yes"
        return {name: value for name, value in found.items() if value}


EVERYTHING = Selection()


def select(records: Iterable[Record], selection: Selection, notes: Notes) -> Iterator[Record]:
    """Return the records that are taken, in their order; whether one is drawn depends on the ids and the seed."""
    waiting: dict[str, list[Prediction]] = defaultdict(list)
    asked: set[bytes] = set()
    drawn: list[tuple[int, int, tuple[Record, ...]]] = []  # by negative keys: the smallest stay
    number = 0
    for record in records:
        if isinstance(record, Document):
            yield record
        elif isinstance(record, Prediction):
            waiting[record.example_id].append(record)
        elif selection.unique and _is_repeat(record, asked):
            notes.add("not taken: questions that were asked before in the same words")
        else:
            group = (*waiting.pop(record.id, ()), record)
            number += 1
            if selection.sample is None:
                yield from group
                continue
            heapq.heappush(drawn, (-_draw(record.id, selection.seed), -number, group))
            if len(drawn) > selection.sample:
                heapq.heappop(drawn)
    notes.add("not taken: examples outside of the sample", number - len(drawn) if selection.sample is not None else 0)
    for _, _, group in sorted(drawn, key=lambda each: -each[1]):
        yield from group


def _is_repeat(example: Example, asked: set[bytes]) -> bool:
    folded = " ".join(example.asked.casefold().split()).rstrip("?!. ")
    key = blake2b(folded.encode(), digest_size=16).digest()
    known = key in asked
    asked.add(key)
    return known


def _draw(example_id: str, seed: int) -> int:
    digest = blake2b(f"{seed}\x00{example_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


Only = Sequence[tuple[str, str]]
"""Field and value, in any case of letters. All have to hold.

Of documents: language, title, source or a name of metadata; of examples: label, type and language.
"""
_OF_EXAMPLES = ("label", "type")
_NEXT = re.compile(r",(?=[^,=\"]+=)(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")
"""A comma before the next field, outside double quotes."""


def kept(records: Iterable[Record], only: Only) -> Iterator[Record]:
    """Return the records without the other documents, the examples that rest on one of these, and their predictions.

    Documents come before examples, predictions before or after theirs; memory holds those that wait.
    Raises InputError, at the end, for a field that no document has: nothing would have been left out for it.
    """
    if not only:
        yield from records
        return
    left_out: set[str] = set()
    waiting: dict[str, list[Prediction]] = defaultdict(list)
    is_kept: dict[str, bool] = {}
    of_documents = [(name, value) for name, value in only if name not in _OF_EXAMPLES]
    unseen = {name for name, _ in of_documents if name != "language"}  # which examples have too
    for record in records:
        if isinstance(record, Document):
            unseen -= {name for name in unseen if field_of(record, name)}
            if all(same(field_of(record, name), value) for name, value in of_documents):
                yield record
            else:
                left_out.add(record.id)
        elif isinstance(record, Prediction):
            if record.example_id not in is_kept:
                waiting[record.example_id].append(record)
            elif is_kept[record.example_id]:
                yield record
        else:
            predictions = waiting.pop(record.id, ())
            is_there = left_out.isdisjoint(span.document_id for span in record.ground_spans)
            is_kept[record.id] = is_there and all(_may_have(record, name, value) for name, value in only)
            if is_kept[record.id]:
                yield from predictions
                yield record
    if unseen:
        name = min(unseen)
        raise InputError(f"--only: no document has a field {name!r}; use label, type, language or a field that one has")


def parse_only(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """``FIELD=VALUE`` each, or several with commas between; double quotes may hold one. Raises UsageError."""
    found = []
    for text in (part for each in texts for part in _NEXT.split(each)):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise UsageError(f"--only: must be FIELD=VALUE, such as language=en, not {text[:80]!r}")
        quoted = len(value) > 2 and value[0] == value[-1] == '"'
        found.append((name, value[1:-1] if quoted else value))
    return tuple(found)


def said(only: Only) -> str:
    """For messages: `` with language = en``, or nothing."""
    return f" with {', '.join(f'{name} = {value}' for name, value in only)}" if only else ""


def same(one: str, other: str) -> bool:
    """Return whether two values are the same, whatever the case of their letters."""
    return one.casefold() == other.casefold()


def field_of(document: Document, name: str) -> str:
    """Return what a document says in a field; "" where it has none of this name."""
    own = {"language": document.language, "title": document.title, "source": document.source}
    return {**document.metadata, **own}.get(name, "")


def value_of(example: Example, of_documents: Mapping[str, str]) -> str:
    """Return the value of an example's document, by id: of its context, else of the first reference with one."""
    ids = (example.context.document_id, *(span.document_id for span in example.references))
    return next((found for each in ids if (found := of_documents.get(each, ""))), "")


def _may_have(example: Example, name: str, value: str) -> bool:
    if name == "language" and example.language == "und":
        return True
    own = {"label": example.label, "type": example.question_type or "", "language": example.language}
    return name not in own or same(own[name], value)
