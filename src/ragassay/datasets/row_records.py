"""Records out of rows that have texts but no ids of documents, and the texts of predictions in rows to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.foreign import document_of_text
from ragassay.datasets.format import Notes, Record, Source
from ragassay.datasets.texts import Corpus, Texts, unplaced
from ragassay.records import Document, Example, Prediction, Span, content_id


class References:
    """Texts that answers rest on as spans of documents: of those beside the rows, else of one made of each text.

    documents: those beside, where they are at hand already.
    """

    def __init__(self, source: Source, documents: Iterable[Document] | None = None) -> None:
        self._path, self._file, self._documents = source.path, source.documents, documents
        self._beside = source.documents is not None or documents is not None
        self._corpus = Corpus()
        self._seen: set[str] = set()

    def documents(self, notes: Notes) -> Iterator[Document]:
        """The documents beside the rows, which have to be read first."""
        read = read_documents(self._file, notes) if self._file is not None else ()
        for document in chain(self._documents or (), read):
            self._corpus.add(document.id, document.text)
            yield document

    def placed(self, texts: Iterable[str], where: str, notes: Notes) -> tuple[list[Document], list[Span]]:
        """The documents that had to be made, and the span of each text."""
        made: list[Document] = []
        spans: list[Span] = []
        for text in texts:
            span = self._corpus.find(text)
            if span is None and self._beside:
                notes.add("reference contexts that are in no document")
                span = unplaced("", text)
            elif span is None:
                document = document_of_text(text, "", self._path, where)
                span = document.span(0, len(text))
                if document.id not in self._seen:
                    self._seen.add(document.id)
                    made.append(document)
            spans.append(span)
        return made, spans

    def distinct(self, example: Example, where: str) -> Example:
        """The example, with another id where the same was there before: it may have another answer."""
        if example.id in self._seen:
            example = replace(example, id=content_id(example.id, where))
        self._seen.add(example.id)
        return example


class Pair(NamedTuple):
    """An example with the prediction that a row has room for."""

    example: Example
    prediction: Prediction | None


def pairs(records: Iterable[Record], texts: Texts, notes: Notes) -> Iterator[Pair]:
    """The examples of a set with the first prediction of each; texts of documents are kept for those of chunks."""
    waiting: dict[str, Prediction] = {}
    for record in records:
        if isinstance(record, Document):
            texts.add(record.id, record.text)
        elif isinstance(record, Example):
            yield Pair(record, waiting.pop(record.id, None))
        elif record.example_id in waiting:
            notes.add("not written: predictions of further systems; --system names the one to take")
        else:
            waiting[record.example_id] = record
