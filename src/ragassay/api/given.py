"""Documents, chunks and examples that are at hand, in the place of a path.

All below reads files, so they are written to a folder that goes when the function is done. Their names are made of
what is in them: a run that is asked the same of the same goes on where it was.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.corpus.sources import IN_MEMORY
from ragassay.datasets.foreign import holds_documents, read_documents
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.lines import without_surrogates, write_objects
from ragassay.datasets.replies.places import field_of
from ragassay.datasets.replies.reading import read_passage
from ragassay.datasets.sets import read_rows_at_hand
from ragassay.errors import InputError, RagassayError, RecordError, UsageError
from ragassay.language import detect_language
from ragassay.records import (
    Document,
    Example,
    Prediction,
    RankedChunk,
    SkippedSource,
    content_id,
    to_json,
    write_jsonl,
)
from ragassay.systems.own_chunks import documents_of, numbered, read_chunk_file, read_own_chunks

Documents: TypeAlias = str | Path | Iterable[Any]
"""Paths, or the documents themselves: mappings or objects with a text, and with id, title and metadata as they have."""
Chunks: TypeAlias = str | Path | Iterable[Any]
"""A JSONL file, or the chunks themselves: mappings or objects with a text and the id of their document."""
_MOST_NAMED = 3
"""Files that a warning names; it counts the others."""


@contextmanager
def at_hand() -> Iterator[AtHand]:
    """Gives paths for what may be paths or the things themselves. Errors name the latter by what they are."""
    with TemporaryDirectory(prefix="ragassay-") as folder:
        ours = re.compile(rf"{re.escape(folder)}/{IN_MEMORY}\w+-([a-z]+)(\.jsonl)?")
        try:
            yield AtHand(Path(folder))
        except RagassayError as error:
            error.args = tuple(
                ours.sub(r"the \1 given", each) if isinstance(each, str) else each for each in error.args
            )
            raise


class AtHand:
    """Made by ``at_hand``. Raises UsageError or RecordError for what cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: list[RankedChunk] | None = None

    def paths(self, documents: Documents | None, chunks: Chunks | None = None) -> tuple[Path, ...]:
        """Of documents that are made something of, or those that chunks make up."""
        if chunks is not None:
            if documents is not None:
                raise UsageError("chunks: cannot be combined with documents; give one of the two")
            return (self._written(documents_of(self._read_chunks(chunks))),)
        if documents is None or isinstance(documents, str | Path):
            return () if documents is None else (_named(documents),)
        entries = list(rows_of(documents, "documents"))
        if all(isinstance(each, str | Path) for each in entries):
            return tuple(map(_named, entries))
        return (self._written(_documents_of(entries)),)

    def path(self, documents: Documents | None) -> Path | None:
        """Of the documents beside a set; None where there are none."""
        if documents is None or isinstance(documents, str | Path):
            return None if documents is None else _named(documents)
        return self._written(_documents_of(_entries(documents, "documents")))

    def chunks(self, chunks: Chunks | None) -> Path | None:
        """Of chunks, which are looked through."""
        if chunks is None or isinstance(chunks, str | Path):
            return None if chunks is None else _named(chunks)
        lines = [
            {"id": each.chunk_id, "document_id": each.document_id, "text": each.text}
            | ({"start": each.start, "end": each.end} if each.end else {})
            for each in self._read_chunks(chunks)
        ]
        path = self._place(lines, "chunks.jsonl")
        write_objects(path, lines)
        return path

    def dataset(
        self, examples: object, documents: Documents | None, chunks: Chunks | None, from_format: str | None
    ) -> tuple[Path, Path | None]:
        """Of examples, and of the documents beside them."""
        if isinstance(examples, str | Path):
            return _named(examples), self.path(documents)
        if from_format is not None:
            raise UsageError("from_format: only applies to files; leave it out")
        records = self.records(examples, documents, chunks)
        asked = [each for each in records if isinstance(each, Example)]
        if not asked:
            raise InputError("dataset: holds no examples; give at least one question")
        folder = self._place(list(map(to_json, records)), "set")
        folder.mkdir(exist_ok=True)
        write_jsonl(folder / "examples.jsonl", asked)
        if kept := [each for each in records if isinstance(each, Document)]:
            write_jsonl(folder / "documents.jsonl", kept)
        return folder, None

    def records(self, rows: object, documents: Documents | None, chunks: Chunks | None) -> list[Record]:
        """The records of rows that are at hand, with the documents, or those that chunks make up."""
        entries = list(rows_of(rows, "dataset"))
        if documents is not None:
            return records_of(entries, _read(documents))
        if chunks is None or any(isinstance(each, Document) for each in entries):
            return records_of(entries)
        return records_of(entries, documents_of(self._read_chunks(chunks)))

    def _read_chunks(self, chunks: Chunks) -> list[RankedChunk]:
        """Read once: they may be gone through a single time."""
        if self._own is None:
            is_file = isinstance(chunks, str | Path)
            entries = [] if is_file else numbered(_entries(chunks, "chunks"), "chunks")
            self._own = read_chunk_file(Path(str(chunks))) if is_file else read_own_chunks(entries)
        return self._own

    def _written(self, documents: list[Document]) -> Path:
        path = self._place(list(map(to_json, documents)), "documents.jsonl")
        write_jsonl(path, documents)
        return path

    def _place(self, content: object, name: str) -> Path:
        digest = hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / f"{IN_MEMORY}{digest}-{name}"


def _named(path: str | Path) -> Path:
    """Raises UsageError for an empty one, which would be the current folder."""
    if not str(path):
        raise UsageError('a path is empty (""); name a file or folder')
    return Path(path)


def _entries(given: str | Path | Iterable[Any], what: str) -> list[Any]:
    entries = list(rows_of(given, what))
    if not entries:
        raise UsageError(f"{what}: must not be empty; give at least one, or a path")
    return entries


def _read(documents: Documents) -> list[Document]:
    """All of the documents beside rows that are at hand."""
    if not isinstance(documents, str | Path):
        return _documents_of(_entries(documents, "documents"))
    path = _named(documents)
    if holds_documents(path):
        return list(read_documents(path, Notes()))
    unread: list[SkippedSource] = []
    found = list(read_corpus([path], ReadOptions(), unread.append, unread.append))
    if unread:
        said = "; ".join(f"{each.source}: {each.reason}" for each in unread[:_MOST_NAMED])
        more = f" (and {len(unread) - _MOST_NAMED:,} more)" if len(unread) > _MOST_NAMED else ""
        warnings.warn(f"documents: {said}{more}", stacklevel=2)
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


def records_of(dataset: object, documents: Sequence[Document] | None = None) -> list[Record]:
    """The records of a data set that is at hand: our own, rows as RAGAS has them, or whatever gives such rows.

    documents: of the set, in the place of its own; None for those.

    Understood are lists of Example, Prediction and Document; lists of mappings; a mapping of columns; and what has
    ``to_list`` (data sets of Hugging Face and of RAGAS) or is a pandas DataFrame.
    Raises UsageError for anything else, RecordError that names the row or record at fault.
    """
    rows = list(rows_of(dataset, "dataset"))
    ours = [row for row in rows if isinstance(row, Example | Prediction | Document)]
    if ours and len(ours) == len(rows):
        for record in ours:
            name = record.example_id if isinstance(record, Prediction) else record.id
            _check_texts(f"{type(record).__name__} {name}: a text", record)
        if documents is None:
            return ours
        return [*documents, *(record for record in ours if not isinstance(record, Document))]
    strange = next((type(row).__name__ for row in rows if not isinstance(row, Mapping)), None)
    if strange is not None:
        raise UsageError(
            f"dataset: an entry has the type {strange}; give a path, records of Ragassay, or rows as "
            "mappings with user_input, response, retrieved_contexts and reference"
        )
    return list(read_rows_at_hand([_plain(row) for row in rows], Notes(), documents or ()))


def rows_of(dataset: Any, what: str) -> Iterable[Any]:
    """The entries of a list, a mapping of columns, a data set of Hugging Face or a data frame.

    what: what it is called in messages. Raises UsageError for anything else.
    """
    if isinstance(dataset, Mapping) and dataset and all(hasattr(each, "column_names") for each in dataset.values()):
        splits = ", ".join(map(str, dataset))
        raise UsageError(
            f"{what}: it has the splits {splits}; give one of them, such as dataset[{next(iter(dataset))!r}]"
        )
    if isinstance(dataset, Mapping):
        if wrong := next((name for name, values in dataset.items() if not isinstance(values, Iterable)), None):
            raise UsageError(f"{what}: the column {wrong!r} has the type {type(dataset[wrong]).__name__}; give a list")
        columns = {name: list(values) for name, values in dataset.items()}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise UsageError(f"{what}: its columns have different lengths")
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    if hasattr(dataset, "to_list"):
        return list(dataset.to_list())
    if hasattr(dataset, "columns") and hasattr(dataset, "to_dict"):
        return list(dataset.to_dict("records"))
    if isinstance(dataset, Iterable) and not isinstance(dataset, str | bytes):
        return dataset
    raise UsageError(f"{what}: must be a path, records of Ragassay, or rows as mappings, not {type(dataset).__name__}")


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
