"""Records out of rows that have texts but no ids of documents, and the texts of predictions in rows to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from ragassay.datasets.conversations import Conversation
from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.foreign import document_of_text, example_of, prediction_of
from ragassay.datasets.format import Notes, Record, Source
from ragassay.datasets.texts import Corpus, Texts, unplaced
from ragassay.records import Document, Example, Prediction, Span, ToolCall, content_id


class RecordedRow(NamedTuple):
    """answer: the reference. contexts: texts that it rests on. retrieved, response: what a system made of it."""

    said: Conversation
    answer: str
    contexts: Sequence[str]
    retrieved: Sequence[str]
    response: str = ""


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

    def example(self, texts: Iterable[str], where: str, notes: Notes, **fields: Any) -> tuple[list[Document], Example]:
        """The documents that had to be made for an example's reference texts, and the example.

        It has another id where the same was there before: it may have another answer. fields: of ``example_of``.
        """
        documents, spans = self.placed(texts, where, notes)
        example = example_of(references=spans, **fields)
        if example.id in self._seen:
            example = replace(example, id=content_id(example.id, where))
        self._seen.add(example.id)
        return documents, example

    def records(
        self,
        row: RecordedRow,
        where: str,
        notes: Notes,
        *,
        tool_calls: tuple[ToolCall, ...] | None = None,
        **fields: Any,
    ) -> Iterator[Record]:
        """The documents, the prediction if there is one, and the example of a row. fields: of ``example_of``."""
        said = row.said
        documents, example = self.example(
            row.contexts, where, notes, question=said.question, answer=row.answer, history=said.history, **fields
        )
        yield from documents
        response = row.response or said.answer
        if row.retrieved or response or tool_calls is not None:
            yield replace(prediction_of(example.id, response or None, row.retrieved), tool_calls=tool_calls)
        yield example


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
