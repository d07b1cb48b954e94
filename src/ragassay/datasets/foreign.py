"""Examples, documents and recorded answers out of rows of other people, who ask for no label and keep no provenance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.datasets.format import Notes, Record, Source
from ragassay.datasets.lines import Row, json_line
from ragassay.datasets.replies.reading import declines
from ragassay.datasets.rows import read_rows
from ragassay.datasets.texts import find_quote, unplaced
from ragassay.documents.jsonl import TEXT_FIELDS, TITLE_FIELDS, own_id
from ragassay.errors import InputError, RecordError
from ragassay.language import detect_language
from ragassay.records import (
    LABELS,
    NO_CONTEXT,
    Document,
    Example,
    Label,
    Prediction,
    Provenance,
    RankedChunk,
    Scope,
    Span,
    ToolCall,
    Turn,
    content_id,
    from_json,
)

RECORDED = "recorded"


def example_of(
    *,
    origin: str,
    question: str,
    answer: str = "",
    other_answers: Sequence[str] = (),
    references: Sequence[Span] = (),
    context: Span | None = None,
    example_id: str | None = None,
    language: str | None = None,
    synthesizer: str = "",
    unanswerable_in: Scope | None = None,
    label: Label | None = None,
    keypoints: Sequence[str] = (),
    history: Sequence[Turn] = (),
    **others: Any,
) -> Example:
    """Return the example of a set that was made elsewhere.

    origin: name of the format. context: the first reference where it is not given. example_id: made of what the example
    says where the set has none. language: detected where the set does not say it. others: fields of ``Example``.
    """
    words = [question, answer, *(span.text for span in references)]
    return Example(
        id=example_id or content_id("q", *words, *(turn.content for turn in history)),
        question=question,
        answer=answer,
        other_answers=tuple(dict.fromkeys(each for each in other_answers if each.strip() and each != answer)),
        context=context or (references[0] if references else NO_CONTEXT),
        references=tuple(references),
        keypoints=tuple(keypoints),
        requested_label="unanswerable" if unanswerable_in else label,
        verified_label=None,
        provenance=Provenance(synthesizer=synthesizer or origin, model="", unanswerable_in=unanswerable_in),
        language=language or detect_language("\n".join(words)),
        history=tuple(history),
        **others,
    )


def document_of_text(text: str, title: str, path: Path, where: str) -> Document:
    """Return the document that a text alone makes, with the id that our own reader gives the same text."""
    return Document(
        id=content_id("doc", text),
        title=title,
        source=f"{path.name}#{where.rpartition(' ')[2]}",
        text=text,
        language=detect_language(text),
    )


def prediction_of(example_id: str, answer: str | None, retrieved: Sequence[str]) -> Prediction:
    """Return an answer with the texts that were retrieved for it, best first; the scores are 1 / rank."""
    chunks = tuple(
        RankedChunk(
            chunk_id=content_id("chunk", text), document_id="", start=0, end=len(text), score=1 / rank, text=text
        )
        for rank, text in enumerate(retrieved, start=1)
    )
    return Prediction(example_id=example_id, system=RECORDED, chunks=chunks, answer=answer, abstained=declines(answer))


class Quote(NamedTuple):
    """What an answer rests on in the text of the question. near: offset that the set gives; -1 for none."""

    quote: str
    near: int = -1


@dataclass(slots=True, kw_only=True)
class Item:
    """What a row tells of one question.

    answers: the right ones, the first before all. text, quote: a document that comes with the question, with its title,
    and a reference in it. loose, spans: references of unknown and known place. unanswerable: how far the set looked for
    an answer and found none. prediction: its example_id is filled in. is_sure: the row shows that a system was asked.
    """

    where: str
    question: str
    id: str = ""
    answers: list[str] = field(default_factory=list)
    text: tuple[str, str] | None = None
    quote: Quote | None = None
    loose: Sequence[str] = ()
    spans: list[Span] = field(default_factory=list)
    context: Span | None = None
    unanswerable: Scope | None = None
    label: Label | None = None
    question_type: str | None = None
    keypoints: Sequence[str] = ()
    language: str | None = None
    history: Sequence[Turn] = ()
    standalone_question: str | None = None
    synthesizer: str = ""
    tool_calls: tuple[ToolCall, ...] | None = None
    prediction: Prediction | None = None
    is_sure: bool = True


OTHER_LABELS = f"labels other than {', '.join(LABELS)}, which are not used"


def label_in(text: object, notes: Notes) -> dict[str, Any]:
    """Return what a set's own word for a label tells of an ``Item``."""
    label = next((each for each in LABELS if each == re.sub(r"[\s-]+", "_", str(text or "").strip().lower())), None)
    if text and not label:
        notes.add(OTHER_LABELS)
    return {"unanswerable": "corpus" if label == "unanswerable" else None, "label": label}


class Assembler:
    """Makes records of items: documents, each once, then the recorded answer, then the example.

    References of unknown place become documents, unless there are documents beside the rows (``placing.with_places``).
    """

    def __init__(self, origin: str, source: Source, notes: Notes) -> None:
        self._origin, self._source, self._notes = origin, source, notes
        self._beside = source.documents is not None or source.has_corpus
        self._seen: set[str] = set()
        self._doubtful: list[Prediction] | None = []

    def documents(self) -> Iterator[Document]:
        """Read the documents beside the rows."""
        return read_documents(self._source.documents, self._notes) if self._source.documents is not None else iter(())

    def records(self, item: Item) -> Iterator[Record]:
        """Return the records of an item."""
        loose: dict[str, str] = {}
        for text in filter(str.strip, () if item.label == "unanswerable" else item.loose):
            loose.setdefault(" ".join(text.split()), text)
        documents, spans = [], [*item.spans]
        if item.text is not None:
            documents.append(document_of_text(*item.text, self._source.path, item.where))
            if item.quote is not None and not item.unanswerable:
                spans.append(self._span(documents[0], item.quote))
        for text in loose.values():
            if self._beside:
                spans.append(unplaced("", text))
            else:
                documents.append(document_of_text(text, "", self._source.path, item.where))
                spans.append(documents[-1].span(0, len(text)))
        for document in documents:
            if document.id not in self._seen:
                self._seen.add(document.id)
                yield document
        home = documents[0] if documents else None
        example = example_of(
            origin=self._origin,
            question=item.question,
            answer="" if item.unanswerable else next(iter(item.answers), ""),
            other_answers=() if item.unanswerable else item.answers,
            references=list(dict.fromkeys(spans)),
            context=item.context or (home.span(0, len(home.text)) if home is not None else None),
            example_id=item.id or None,
            language=item.language or (documents[0].language if item.text is not None else None),
            unanswerable_in=item.unanswerable,
            **{name: getattr(item, name) for name in _AS_THEY_ARE},
        )
        if example.id in self._seen:  # the same may be asked of two texts, or have another answer
            example = replace(example, id=content_id(example.id, item.where))
        self._seen.add(example.id)
        if item.prediction is not None:
            yield from self._results(replace(item.prediction, example_id=example.id), is_sure=item.is_sure)
        yield example

    def _results(self, prediction: Prediction, *, is_sure: bool) -> Iterator[Prediction]:
        """Return those known to be results by now: a row of empty cells is one where another row is."""
        if is_sure and self._doubtful is not None:
            yield from self._doubtful
            self._doubtful = None
        if self._doubtful is None:
            yield prediction
        else:
            self._doubtful.append(prediction)

    def _span(self, document: Document, quote: Quote) -> Span:
        end = quote.near + len(quote.quote)
        if quote.near >= 0 and document.text[quote.near : end] == quote.quote:
            return document.span(quote.near, end)
        found = find_quote(document.text, quote.quote, near=max(quote.near, 0))
        if found is None:
            self._notes.add("references that are not in their text")
            return unplaced(document.id, quote.quote)
        if quote.near >= 0:
            self._notes.add("references that are not at their offset; the nearest place is used")
        return document.span(*found)


_AS_THEY_ARE = ("label", "question_type", "keypoints", "history", "standalone_question", "synthesizer", "tool_calls")
DOCUMENT_FILES = ("documents.jsonl", "corpus.jsonl")


def read_documents(path: Path, notes: Notes) -> Iterator[Document]:
    """Return the documents of a JSONL or JSON file, or of ``documents.jsonl`` or ``corpus.jsonl`` in a folder."""
    if path.is_dir():
        path = next(path / name for name in DOCUMENT_FILES if (path / name).is_file())
    if not path.is_file():
        raise InputError(f"{path} does not exist; name the file of documents")
    for row in read_rows(path, notes):
        document = document_of(row, path, notes)
        if document is not None:
            yield document


def holds_documents(path: Path) -> bool:
    """Return whether documents are lines of a file there, as for ``read_documents``, and not files of their own."""
    if path.is_dir():
        return any((path / name).is_file() for name in DOCUMENT_FILES)
    return path.suffix.lower() in (".json", ".jsonl")


def document_of(row: Row, path: Path, notes: Notes) -> Document | None:
    """Return the document in one object; None, and a fault, where there is none."""
    if {"id", "title", "source", "text"} <= row.value.keys():
        try:
            return from_json(Document, json_line(row.value), where=row.where)
        except RecordError as error:
            notes.fault(str(error))
            return None
    text_field = _first(row, TEXT_FIELDS)
    if text_field is None:
        notes.fault(f"{row.where}: no text in a field named {', '.join(TEXT_FIELDS)}")
        return None
    text = row.value[text_field]
    id_field, name = own_id(row.value)
    title_field = _first(row, (*TITLE_FIELDS, "company_name", "court_name", "hospital_patient_name"))
    language = row.value.get("language")
    return Document(
        id=name or content_id("doc", text),
        title=row.value[title_field] if title_field else "",
        source=f"{path.name}#{row.where.rpartition(' ')[2]}",
        text=text,
        language=language if isinstance(language, str) else detect_language(text),
        metadata=_metadata(row, {text_field, id_field, "language", *({title_field} & set(TITLE_FIELDS))}),
    )


def _first(row: Row, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if isinstance(row.value.get(name), str) and row.value[name]), None)


def _metadata(row: Row, used: set[str | None]) -> dict[str, str]:
    """Return everything else: BEIR's ``metadata`` is taken apart one level deep, other values are JSON."""
    found: dict[str, str] = {}
    for name, value in row.value.items():
        if name in used or value in (None, "", [], {}):
            continue
        if name == "metadata" and isinstance(value, dict):
            found |= {key: _as_text(inner) for key, inner in value.items()}
        else:
            found[name] = _as_text(value)
    return found


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json_line({"": value})[4:-2]
