"""Documents, chunks and examples that are at hand, in the place of a path.

Rows are read into records. Jobs that read files alone are given them in a folder that goes when they are done; names
of files are made of what is in them, so that a run that is asked the same of the same goes on where it was.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ragassay.datasets.foreign import holds_documents, read_documents
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.lines import without_surrogates, write_objects
from ragassay.datasets.replies.places import field_of
from ragassay.datasets.replies.reading import read_passage
from ragassay.datasets.sets import read_rows_at_hand
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.documents.sources import IN_MEMORY, by_reason
from ragassay.errors import InputError, RagassayError, RecordError, UsageError
from ragassay.language import detect_language
from ragassay.records import Document, Example, Prediction, RankedChunk, SkippedSource, content_id, to_json, write_jsonl
from ragassay.systems.own_chunks import documents_of, numbered, read_chunk_file, read_own_chunks

Documents: TypeAlias = str | Path | Iterable[Any]
"""Paths, or the documents themselves: mappings or objects with a text, and with id, title and metadata as they have."""
Chunks: TypeAlias = str | Path | Iterable[Any]
"""A JSONL file, or the chunks themselves: mappings or objects with a text and the id of their document."""


@contextmanager
def at_hand() -> Iterator[AtHand]:
    """Give paths for what may be paths or the things themselves. Errors name the latter by what they are."""
    with TemporaryDirectory(prefix="ragassay-") as folder:
        ours = re.compile(rf"{re.escape(folder)}/{IN_MEMORY}\w+-([a-z]+)(\.jsonl)?")
        try:
            yield AtHand(Path(folder))
        except RagassayError as error:
            error.args = tuple(ours.sub(r"the \1 given", str(each)) for each in error.args)
            raise


class AtHand:
    """Made by ``at_hand``. Raises UsageError or RecordError for what cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def paths(self, documents: Documents | None, chunks: Chunks | None = None) -> tuple[Path, ...]:
        """Return those of documents that are made something of, or that chunks make up."""
        if chunks is not None and documents is not None:
            raise UsageError("chunks: cannot be combined with documents; give one of the two")
        if chunks is not None:
            return (self._written(documents_of(chunks_of(chunks))),)
        if isinstance(documents, Iterable) and not isinstance(documents, str | Path | Mapping):
            documents = list(documents)
            if documents and all(isinstance(each, str | Path) for each in documents):
                return tuple(map(_named, documents))
        path = self.path(documents)
        return () if path is None else (path,)

    def path(self, documents: Documents | None) -> Path | None:
        """Return that of the documents beside a set; None where there are none."""
        if documents is None or isinstance(documents, str | Path):
            return None if documents is None else _named(documents)
        return self._written(_documents_of(_entries(documents, "documents")))

    def chunks(self, chunks: Chunks | None) -> Path | None:
        """Return that of chunks, which are looked through."""
        if chunks is None or isinstance(chunks, str | Path):
            return None if chunks is None else _named(chunks)
        lines = [
            {"id": each.chunk_id, "document_id": each.document_id, "text": each.text}
            | ({"start": each.start, "end": each.end} if each.end else {})
            for each in chunks_of(chunks)
        ]
        path = self._place(lines, "chunks.jsonl")
        write_objects(path, lines)
        return path

    def dataset(self, examples: object, documents: Documents | None, from_format: str | None) -> Path:
        """Return that of examples, in a folder with the documents where both are at hand."""
        if isinstance(examples, str | Path):
            return _named(examples)
        if from_format is not None:
            raise UsageError("from_format: only applies to files; leave it out")
        records = records_of(examples, documents)
        folder = self._place(list(map(to_json, records)), "set")
        folder.mkdir(exist_ok=True)
        write_jsonl(folder / "examples.jsonl", [each for each in records if isinstance(each, Example)])
        if kept := [each for each in records if isinstance(each, Document)]:
            write_jsonl(folder / "documents.jsonl", kept)
        return folder

    def _written(self, documents: list[Document]) -> Path:
        path = self._place(list(map(to_json, documents)), "documents.jsonl")
        write_jsonl(path, documents)
        return path

    def _place(self, content: object, name: str) -> Path:
        digest = hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / f"{IN_MEMORY}{digest}-{name}"


def records_of(dataset: object, documents: Documents | None = None, chunks: Chunks | None = None) -> list[Record]:
    """Return the records of a data set that is at hand: our own, rows as RAGAS has them, or whatever gives such rows.

    documents: of the set, in the place of its own. chunks: make up the documents where there are no others.

    Understood are lists of Example, Prediction and Document; one mapping or a list of them; a mapping of columns; and
    what has ``to_list`` (data sets of Hugging Face and of RAGAS) or is a pandas DataFrame.
    Raises UsageError for anything else, RecordError that names the row or record at fault, InputError for no example.
    """
    rows = list(rows_of(dataset, "dataset"))
    ours = [row for row in rows if isinstance(row, Example | Prediction | Document)]
    beside = [] if documents is None else _read(documents)
    if documents is None and chunks is not None and not any(isinstance(row, Document) for row in rows):
        beside = documents_of(chunks_of(chunks))
    found: list[Record] = [*beside, *(each for each in ours if not (beside and isinstance(each, Document)))]
    if len(ours) < len(rows):
        strange = next((type(row).__name__ for row in rows if not isinstance(row, Mapping)), None)
        if strange is not None:
            raise UsageError(
                f"dataset: an entry has the type {strange}; give a path, records of Ragassay, or rows as "
                "mappings with user_input, response, retrieved_contexts and reference"
            )
        found = list(read_rows_at_hand([_plain(row) for row in rows], Notes(), beside))
    for record in ours:
        name = record.example_id if isinstance(record, Prediction) else record.id
        _check_texts(f"{type(record).__name__} {name}: a text", record)
    if not any(isinstance(each, Example) for each in found):
        raise InputError("dataset: holds no examples; give at least one question")
    return found


def chunks_of(chunks: Chunks) -> list[RankedChunk]:
    """Return chunks of the user's, of a file or at hand."""
    if isinstance(chunks, str | Path):
        return read_chunk_file(Path(chunks))
    return read_own_chunks(numbered(_entries(chunks, "chunks"), "chunks"))


def rows_of(dataset: Any, what: str) -> Iterable[Any]:
    """Return the entries of a list, a mapping of columns, a data set of Hugging Face or a data frame, or the one row.

    what: what it is called in messages. Raises UsageError for anything else.
    """
    if isinstance(dataset, Mapping):
        if not all(isinstance(each, Iterable) and not isinstance(each, str) for each in dataset.values()):
            return [dataset]
        columns = {name: list(values) for name, values in dataset.items()}
        if len({len(values) for values in columns.values()}) > 1:
            raise UsageError(f"{what}: its columns have different lengths")
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    if hasattr(dataset, "to_list"):
        return list(dataset.to_list())
    if hasattr(dataset, "columns") and hasattr(dataset, "to_dict"):
        return list(dataset.to_dict("records"))
    if isinstance(dataset, Iterable) and not isinstance(dataset, str | bytes):
        return dataset
    raise UsageError(f"{what}: must be a path, records of Ragassay, or rows as mappings, not {type(dataset).__name__}")


def _named(path: str | Path) -> Path:
    """Raise UsageError for an empty path, which would be the current folder."""
    if not str(path):
        raise UsageError('a path is empty (""); name a file or folder')
    return Path(path)


def _entries(given: Iterable[Any], what: str) -> list[Any]:
    entries = list(rows_of(given, what))
    if not entries:
        raise UsageError(f"{what}: must not be empty; give at least one, or a path")
    return entries


def _read(documents: Documents) -> list[Document]:
    """Return all of the documents beside rows that are at hand."""
    if not isinstance(documents, str | Path):
        return _documents_of(_entries(documents, "documents"))
    path = _named(documents)
    if holds_documents(path):
        return list(read_documents(path, Notes()))
    unread: list[SkippedSource] = []
    found = list(read_corpus([path], ReadOptions(), unread.append, unread.append))
    if unread:
        warnings.warn(f"documents: {'; '.join(by_reason(unread))}", stacklevel=2)
    return found


def _documents_of(entries: Iterable[Any]) -> list[Document]:
    """Raises RecordError for an entry without a text, and for ids that come twice."""
    found: dict[str, Document] = {}
    for where, entry in numbered(entries, "documents"):
        document = _document(where, entry)
        if found.setdefault(document.id, document) is not document:
            raise RecordError(f"{where} repeats the id {document.id!r}; give each document its own id")
    return list(found.values())


def _document(where: str, entry: Any) -> Document:
    """Its id is made of the text where it has none."""
    if isinstance(entry, Document):
        _check_texts(where, entry)
        return entry
    passage = read_passage(where, entry)
    text = passage.text or ""
    metadata = field_of(entry, "metadata")
    more = dict(metadata) if isinstance(metadata, Mapping) else {}
    has_no_id = passage.chunk_id == content_id("chunk", passage.document_id, text)
    own_id = field_of(entry, "document_id") if has_no_id else passage.chunk_id
    name = str(own_id) if isinstance(own_id, str | int) and own_id != "" else content_id("doc", text)
    titles = [title for each in (entry, more) if isinstance(title := field_of(each, "title"), str) and title.strip()]
    title = without_surrogates(titles[0]) if titles else ""
    source = passage.document_id or name
    if isinstance(entry, Mapping):
        more |= {key: value for key, value in entry.items() if isinstance(value, str | int) and key != "metadata"}
    told = {_text_of(key): _text_of(value) for key, value in more.items()}
    used = ("", name, title, source, text)
    return Document(
        id=name,
        title=title,
        source=source,
        text=text,
        language=detect_language(text),
        metadata={key: value for key, value in told.items() if key and value not in used},
    )


def _text_of(value: Any) -> str:
    """ "" for what is nothing, or cannot be told."""
    with suppress(Exception):  # the code of others may raise anything, and numbers may be too long to be written
        return "" if value is None else str(without_surrogates(str(value)))
    return ""


def _check_texts(what: str, record: Example | Prediction | Document) -> None:
    try:
        to_json(record)
    except ValueError:  # pydantic's error of what cannot be written is one
        raise RecordError(f"{what} contains half a surrogate pair, which cannot be stored; replace it") from None


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Arrays and tuples as lists, pandas' NaN for an empty cell as None, texts as a file can hold them."""
    return {str(name): without_surrogates(_plain_value(value)) for name, value in row.items()}


def _plain_value(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and isnan(value):
        return None
    return list(value) if isinstance(value, tuple) else value
