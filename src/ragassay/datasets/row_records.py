"""Records out of rows that have texts but no ids of documents, and the texts of predictions in rows to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ragassay.datasets.conversations import Conversation
from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.foreign import document_of_text, example_of, prediction_of
from ragassay.datasets.format import Notes, Record, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.texts import Texts, unplaced
from ragassay.records import Document, Example, Prediction, Span, ToolCall, content_id


class RecordedRow(NamedTuple):
    """answer: the reference. contexts: texts that it rests on. retrieved, response: what a system made of it.

    result_fields: what the row holds for the latter two; () where it has no such fields.
    """

    said: Conversation
    answer: str
    contexts: Sequence[str]
    retrieved: Sequence[str]
    response: str = ""
    result_fields: Sequence[object] = ()


class References:
    """Texts that answers rest on as spans: of documents made of them, unless there are some beside the rows.

    Then they have no place yet: ``placing.with_places`` finds it.
    """

    def __init__(self, source: Source) -> None:
        self._path, self._file = source.path, source.documents
        self._beside = source.documents is not None or source.has_corpus
        self._seen: set[str] = set()
        self._doubtful: list[Prediction] | None = []

    def documents(self, notes: Notes) -> Iterator[Document]:
        """The documents beside the rows."""
        return read_documents(self._file, notes) if self._file is not None else iter(())

    def placed(self, texts: Iterable[str], where: str) -> tuple[list[Document], list[Span]]:
        """The documents that had to be made, and the span of each text that is not blank, once."""
        made: list[Document] = []
        spans: list[Span] = []
        distinct: dict[str, str] = {}
        for text in texts:
            if text.strip():  # an empty cell names no passage
                distinct.setdefault(" ".join(text.split()), text)
        for text in distinct.values():
            if self._beside:
                spans.append(unplaced("", text))
                continue
            document = document_of_text(text, "", self._path, where)
            spans.append(document.span(0, len(text)))
            if document.id not in self._seen:
                self._seen.add(document.id)
                made.append(document)
        return made, spans

    def example(self, texts: Iterable[str], where: str, **fields: Any) -> tuple[list[Document], Example]:
        """The documents that had to be made for an example's reference texts, and the example.

        It has another id where the same was there before: it may have another answer. fields: of ``example_of``.
        """
        documents, spans = self.placed(texts, where)
        example = example_of(references=spans, **fields)
        if example.id in self._seen:
            example = replace(example, id=content_id(example.id, where))
        self._seen.add(example.id)
        return documents, example

    def records(
        self,
        row: RecordedRow,
        where: str,
        *,
        tool_calls: tuple[ToolCall, ...] | None = None,
        **fields: Any,
    ) -> Iterator[Record]:
        """The documents, the prediction if there is one, and the example of a row. fields: of ``example_of``."""
        said = row.said
        documents, example = self.example(
            row.contexts, where, question=said.question, answer=row.answer, history=said.history, **fields
        )
        yield from documents
        response = row.response or said.answer
        if "" in row.result_fields or any(
            each is not None for each in (*row.result_fields, tool_calls, response or None)
        ):
            found = prediction_of(example.id, response if "" in row.result_fields else response or None, row.retrieved)
            is_sure = bool(response or tool_calls is not None) or any(isinstance(e, list) for e in row.result_fields)
            yield from self._results(replace(found, tool_calls=tool_calls), is_sure=is_sure)
        yield example

    def _results(self, prediction: Prediction, *, is_sure: bool) -> Iterator[Prediction]:
        """Those that are known to be results by now.

        is_sure: whether a system was asked. A row that holds "" for all it said and retrieved, as every row of a table
        does without results, is a result where another row is one.
        """
        if is_sure and self._doubtful is not None:
            yield from self._doubtful
            self._doubtful = None
        if self._doubtful is None:
            yield prediction
        else:
            self._doubtful.append(prediction)


class Pair(NamedTuple):
    """An example with the prediction that a row has room for."""

    example: Example
    prediction: Prediction | None


def fields_of(row: Row, retrieved: str, *response: str) -> list[object]:
    """What a row holds in those of the fields that it has; of chunks alone, null is that none were retrieved."""
    found = [row.value[name] for name in (retrieved, *response) if name in row.value]
    return [""] if found == [None] and retrieved in row.value else found


def pairs(records: Iterable[Record], texts: Texts, notes: Notes) -> Iterator[Pair]:
    """The examples of a set with the first prediction of each; texts of documents are kept for those of chunks."""
    waiting: dict[str, Prediction] = {}
    for record in records:
        if isinstance(record, Document):
            texts.add(record.id, record.text)
        elif isinstance(record, Prediction) and record.error is not None:
            notes.add("not written: predictions that failed")
        elif isinstance(record, Example):
            yield Pair(record, waiting.pop(record.id, None))
        elif record.example_id in waiting:
            notes.add("not written: predictions of further systems; --system names the one to take")
        else:
            waiting[record.example_id] = record
