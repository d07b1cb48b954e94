"""One question of a published set, and the records that it makes: documents, a recorded answer, an example."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ragassay.datasets.foreign import document_of_text, example_of, prediction_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.rows import parsed_json, read_rows
from ragassay.datasets.texts import find_quote, unplaced
from ragassay.errors import InputError
from ragassay.records import Document, Scope, Span, content_id


class Text(NamedTuple):
    """A text that comes with a question, with its title where the set gives one."""

    text: str
    title: str = ""


class Quote(NamedTuple):
    """What an answer rests on: a text's number among those of the question, and what it says there.

    near: the offset that the set gives, or that a search begins at.
    """

    text: int
    quote: str
    near: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A question with all that its row tells.

    unanswerable: how far the set itself looked for an answer and found none. context: number of the text that was
    asked about; None for none. response: a recorded answer, given on all the texts.
    """

    where: str
    question: str
    id: str = ""
    answer: str = ""
    other_answers: Sequence[str] = ()
    texts: Sequence[Text] = ()
    quotes: Sequence[Quote] = ()
    context: int | None = 0
    unanswerable: Scope | None = None
    question_type: str | None = None
    response: str | None = None
    placed: Sequence[Span] = ()


EMPTY_TEXTS = "texts without words, left out"
EMPTY_REFERENCES = "references without words, left out"
Items = Callable[[Source, Notes], Iterator[Item | Document]]


def published(name: str, title: str, recognises: Callable[[Peek], bool], items: Items) -> Format:
    """The format of a published set. items: its questions in order, and documents that are beside them."""

    def read(source: Source, notes: Notes) -> Iterator[Record]:
        return _records(name, source, items(source, notes), notes)

    holds = {"example ids", "questions", "answers", "references", "places of references", "documents", "titles"}
    return Format(name=name, title=f"{title} (read only)", holds=frozenset(holds), recognises=recognises, read=read)


def _records(name: str, source: Source, items: Iterable[Item | Document], notes: Notes) -> Iterator[Record]:
    seen: set[str] = set()
    ids: set[str] = set()  # the same question may be asked of two texts, where a set has no ids of its own
    is_empty = True
    for item in items:
        if isinstance(item, Document):
            yield item
            continue
        if not item.question.strip():
            notes.fault(f"{item.where}: the question is empty")
            continue
        is_empty = False
        documents = [
            document_of_text(each.text, each.title, source.path, item.where) if each.text.strip() else None
            for each in item.texts
        ]
        notes.add(EMPTY_TEXTS, documents.count(None))
        for document in documents:
            if document is not None and document.id not in seen:
                seen.add(document.id)
                yield document
        quoted = [(documents[each.text], each) for each in item.quotes if each.quote.strip()]
        notes.add(EMPTY_REFERENCES, len(item.quotes) - len(quoted))
        spans = [*(_span(document, each, notes) for document, each in quoted if document), *item.placed]
        chosen = documents[item.context] if documents and item.context is not None else None
        example = example_of(
            origin=name,
            question=item.question,
            answer="" if item.unanswerable else item.answer,
            other_answers=() if item.unanswerable else item.other_answers,
            references=() if item.unanswerable else list(dict.fromkeys(spans)),
            context=chosen.span(0, len(chosen.text)) if chosen else None,
            example_id=item.id or None,
            language=chosen.language if chosen else None,
            question_type=item.question_type,
            unanswerable_in=item.unanswerable,
        )
        if example.id in ids:
            example = replace(example, id=content_id(example.id, item.where))
        ids.add(example.id)
        if item.response is not None:
            yield prediction_of(example.id, item.response, [each.text for each in item.texts if each.text.strip()])
        yield example
    if is_empty and not notes.faults:
        raise InputError(f"{source.path.name} holds no question in the form of {name}; name its format with --from")


def _span(document: Document, quote: Quote, notes: Notes) -> Span:
    end = quote.near + len(quote.quote)
    if document.text[quote.near : end] == quote.quote:
        return document.span(quote.near, end)
    found = find_quote(document.text, quote.quote, near=quote.near)
    if found is None:
        notes.add("references that are not in their text")
        return unplaced(document.id, quote.quote)
    return document.span(*found)


def rows_of(source: Source, notes: Notes, *names: str) -> Iterator[Row]:
    """The rows of a file that have all these fields; another one is a fault that names it, and the field."""
    if source.documents is not None:
        raise InputError("--documents: the rows hold their own texts; leave it out")
    for row in read_rows(source.path, notes):
        if has_fields(row, notes, *names):
            yield row


def has_fields(row: Row, notes: Notes, *names: str) -> bool:
    """Whether a row has all these fields; a fault for the first that is missing."""
    missing = next((name for name in names if name not in row.value), None)
    if missing is not None:
        notes.fault(f"{row.where}: the field {missing!r} is missing")
    return missing is None


def whole_object(source: Source) -> Mapping[str, Any]:
    """A JSON file that is one object. Raises InputError for another."""
    value = parsed_json(source.path)
    if not isinstance(value, dict):
        raise InputError(f"{source.path.name}: it is not a JSON object; name its format with --from")
    return value


def strings(value: Any) -> list[str]:
    """The texts of a list, of JSON written in a cell, or of one text; others are left out."""
    if isinstance(value, str):
        if not value.startswith("["):
            return [value] if value else []
        try:
            told = json.loads(value)
        except ValueError:
            return [value]
        value = told if all(isinstance(each, str) for each in told) else [value]  # "[2]" is a text
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or of an object of equally long lists, as ``datasets`` writes lists of objects."""
    if isinstance(value, dict) and value and all(isinstance(each, list) for each in value.values()):
        return [dict(zip(value, each, strict=False)) for each in zip(*value.values(), strict=False)]
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text_in(value: Any) -> str:
    """A text, or a number as one; "" for anything else."""
    return value if isinstance(value, str) else str(value) if type(value) in (int, float) else ""
