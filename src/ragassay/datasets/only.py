"""A part of a data set by fields: of documents, with the examples that rest on them, and of the examples themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragassay.datasets.format import Record
from ragassay.errors import UsageError
from ragassay.records import Document, Example, Prediction

Only = Sequence[tuple[str, str]]
"""Field and value, in any case of letters. All have to hold.

Of documents: language, title, source or a name of metadata; of examples: label, type and language.
"""
_OF_EXAMPLES = ("label", "type")
_NEXT = re.compile(r",(?=[^,=\"]+=)(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")
"""A comma before the next field, outside double quotes."""


def kept(records: Iterable[Record], only: Only) -> Iterator[Record]:
    """Return the records without the other documents, the examples that rest on one of these, and their predictions.

    An example that rests on no document of the set stays. Documents come before examples, as in all
    sets, predictions before or after theirs; memory holds the predictions that wait for theirs.
    """
    if not only:
        yield from records
        return
    left_out: set[str] = set()
    waiting: dict[str, list[Prediction]] = defaultdict(list)
    is_kept: dict[str, bool] = {}
    of_documents = [(name, value) for name, value in only if name not in _OF_EXAMPLES]
    for record in records:
        if isinstance(record, Document):
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


def parse_only(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """``FIELD=VALUE`` each, or several with commas between them; a value in double quotes may hold such a comma.

    Raises UsageError.
    """
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
    """Return the value of an example's document: of its context, else of the first reference that has one; else "".

    of_documents: document id to value.
    """
    ids = (example.context.document_id, *(span.document_id for span in example.references))
    return next((found for each in ids if (found := of_documents.get(each, ""))), "")


def _may_have(example: Example, name: str, value: str) -> bool:
    if name == "language" and example.language == "und":
        return True
    own = {"label": example.label, "type": example.question_type or "", "language": example.language}
    return name not in own or same(own[name], value)
