"""A part of a data set: the documents with certain fields, and the examples that rest on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ragassay.datasets.format import Record
from ragassay.errors import UsageError
from ragassay.records import Document, Example

Only = Sequence[tuple[str, str]]
"""Field and value of documents: language, title, source or a name of metadata. All have to hold."""


def kept(records: Iterable[Record], only: Only) -> Iterator[Record]:
    """The records without the other documents and the examples that rest on one of these.

    An example that rests on no document of the set stays. Documents come before examples, as in all sets.
    """
    left_out: set[str] = set()
    for record in records:
        if isinstance(record, Document):
            if _has(record, only):
                yield record
            else:
                left_out.add(record.id)
        elif not isinstance(record, Example) or left_out.isdisjoint(span.document_id for span in record.ground_spans):
            yield record


def parse_only(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """``FIELD=VALUE`` each. Raises UsageError."""
    found = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise UsageError(f"--only: must be FIELD=VALUE, such as language=en, not {text[:80]!r}")
        found.append((name, value))
    return tuple(found)


def said(only: Only) -> str:
    """For messages: `` with language = en``, or nothing."""
    return f" with {', '.join(f'{name} = {value}' for name, value in only)}" if only else ""


def _has(document: Document, only: Only) -> bool:
    own = {"language": document.language, "title": document.title, "source": document.source}
    return all({**document.metadata, **own}.get(name) == value for name, value in only)
