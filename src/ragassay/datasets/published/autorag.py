"""AutoRAG's evaluation sets: queries with the ids of the passages that answer them, which are in ``corpus.parquet``.

Form: https://docs.auto-rag.com/data_creation/data_format.html. Of ``retrieval_gt`` every group is wanted, and of a
group one passage: they are places of one reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.format import Notes, Source
from ragassay.datasets.published.item import Item, has_fields, published, strings, text_in
from ragassay.datasets.rows import read_rows
from ragassay.datasets.texts import unplaced
from ragassay.records import Document, Place, Span


def _items(source: Source, notes: Notes) -> Iterator[Item | Document]:
    spans: dict[str, Span] = {}
    path = source.documents or _corpus(source.path)
    for document in read_documents(path, notes) if path else ():
        spans[document.id] = document.span(0, len(document.text))
        yield document
    for row in read_rows(source.path, notes):
        if has_fields(row, notes, "query", "retrieval_gt"):
            answers = strings(row.value.get("generation_gt"))
            groups = _groups(row.value["retrieval_gt"])
            notes.add(
                "passages that are not in the corpus", sum(each not in spans for group in groups for each in group)
            )
            yield Item(
                where=row.where,
                question=text_in(row.value["query"]),
                id=text_in(row.value.get("qid")),
                answer=next(iter(answers), ""),
                other_answers=answers,
                placed=[_reference([spans.get(each) or unplaced(each, "") for each in group]) for group in groups],
                context=None,
            )


def _corpus(path: Path) -> Path | None:
    """The passages beside the queries; None where there are none."""
    named = (path.with_name(f"corpus{suffix}") for suffix in (".parquet", ".jsonl", ".json"))
    return next((each for each in named if each.is_file()), None)


def _groups(value: Any) -> list[list[str]]:
    items = value if isinstance(value, list) else [value]
    return [found for each in items if (found := strings(each))]


def _reference(group: list[Span]) -> Span:
    first, *others = group
    elsewhere = tuple(Place(each.document_id, each.start, each.end) for each in others)
    return Span(document_id=first.document_id, start=first.start, end=first.end, text=first.text, elsewhere=elsewhere)


FORMAT = published("autorag", "AutoRAG", lambda peek: {"query", "retrieval_gt"} <= peek.keys, _items)
