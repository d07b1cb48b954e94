"""Documents that lie beside a data set: our documents.jsonl, or JSONL with a text and an id in the usual fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragassay.corpus.jsonl import TEXT_FIELDS, TITLE_FIELDS
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, json_line
from ragassay.datasets.rows import read_rows
from ragassay.errors import InputError, RecordError
from ragassay.language import detect_language
from ragassay.records import Document, content_id, from_json

DOCUMENT_FILES = ("documents.jsonl", "corpus.jsonl")
_ID_FIELDS = ("id", "_id", "doc_id", "document_id")


def read_documents(path: Path, notes: Notes) -> Iterator[Document]:
    """Return the documents of a JSONL or JSON file, or of ``documents.jsonl`` or ``corpus.jsonl`` in a folder.

    Other fields become metadata. An id is made of the text where a line has none.
    """
    if path.is_dir():
        found = [path / name for name in DOCUMENT_FILES if (path / name).is_file()]
        if not found:
            raise InputError(f"{path} holds neither documents.jsonl nor corpus.jsonl; name the file of documents")
        path = found[0]
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
    id_field = next((name for name in _ID_FIELDS if isinstance(row.value.get(name), str | int)), None)
    title_field = _first(row, (*TITLE_FIELDS, "company_name", "court_name", "hospital_patient_name"))
    language = row.value.get("language")
    return Document(
        id=str(row.value[id_field]) if id_field else content_id("doc", text),
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
