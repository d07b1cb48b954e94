"""Documents, chunks and examples that are at hand, in the place of a path.

All below reads files, so they are written to a folder that goes when the function is done. Their names are made of what
is in them: a run that is asked the same of the same goes on where it was.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ragassay.records import Document, RankedChunk, SkippedSource

Documents: TypeAlias = str | Path | Iterable[Any]
"""Paths, or the documents themselves: mappings or objects with a text, and with id, title and metadata as they have."""
Chunks: TypeAlias = str | Path | Iterable[Any]
"""A JSONL file, or the chunks themselves: mappings or objects with a text and the id of their document."""


_MOST_NAMED = 3
"""Files that a warning names; it counts the others."""


@contextmanager
def at_hand() -> Iterator[AtHand]:
    """Gives paths for what may be paths or the things themselves. Errors name the latter by what they are."""
    from ragassay.errors import RagassayError

    with ExitStack() as stack:
        hand = AtHand(stack)
        try:
            yield hand
        except RagassayError as error:
            error.args = tuple(hand.without_paths(each) if isinstance(each, str) else each for each in error.args)
            raise


class AtHand:
    """Made by ``at_hand``."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._made: Path | None = None
        self._own: list[RankedChunk] | None = None
        self._written_to: dict[str, str] = {}

    def without_paths(self, message: str) -> str:
        """The message with "the documents given" and the like in the place of files that nobody has heard of."""
        for path, what in self._written_to.items():
            message = message.replace(f"{path}.jsonl", what).replace(path, what)
        return message

    def paths(self, documents: Documents | None, chunks: Chunks | None = None) -> tuple[Path, ...]:
        """Of documents that are made something of, or those that chunks make up.

        Raises UsageError or RecordError for what is none.
        """
        from ragassay.errors import UsageError

        if chunks is not None:
            if documents is not None:
                raise UsageError("chunks: cannot be combined with documents; give one of the two")
            return (self._written(self._made_of(chunks)),)
        if documents is None:
            return ()
        if isinstance(documents, str | Path):
            return (_named(documents),)
        from ragassay.pipeline.score.result import rows_of

        entries = list(rows_of(documents, "documents"))
        if all(isinstance(each, str | Path) for each in entries):
            return tuple(_named(each) for each in entries)
        return (self._written(_documents_of(entries)),)

    def path(self, documents: Documents | None, chunks: Chunks | None = None) -> Path | None:
        """Of the documents beside a set, or of those that chunks make up; None where there are none."""
        if documents is None and chunks is not None:
            return self._written(self._made_of(chunks))
        if documents is None or isinstance(documents, str | Path):
            return None if documents is None else _named(documents)
        return self._written(_documents_of(_entries(documents, "documents")))

    def chunks(self, chunks: Chunks | None) -> Path | None:
        """Of chunks, which are looked through."""
        if chunks is None or isinstance(chunks, str | Path):
            return None if chunks is None else _named(chunks)
        from ragassay.datasets.lines import write_objects

        found = self._read_chunks(chunks)
        lines = [
            {"id": each.chunk_id, "document_id": each.document_id, "text": each.text}
            | ({"start": each.start, "end": each.end} if each.end else {})
            for each in found
        ]
        path = self._place(lines, "chunks")
        write_objects(path, lines)
        return path

    def dataset(
        self, examples: object, documents: Documents | None, chunks: Chunks | None, from_format: str | None
    ) -> tuple[Path, Path | None]:
        """Of examples, and of the documents beside them."""
        from ragassay.errors import InputError, UsageError
        from ragassay.records import Document, Example, to_json, write_jsonl

        if isinstance(examples, str | Path):
            return _named(examples), self.path(documents)
        if from_format is not None:
            raise UsageError("from_format: only applies to files; leave it out")
        records = self.records(examples, documents, chunks)
        if not any(isinstance(each, Example) for each in records):
            raise InputError("dataset: holds no examples; give at least one question")
        folder = self._place(list(map(to_json, records)), "set").with_suffix("")
        folder.mkdir(exist_ok=True)
        write_jsonl(folder / "examples.jsonl", [each for each in records if isinstance(each, Example)])
        kept = [each for each in records if isinstance(each, Document)]
        if kept:
            write_jsonl(folder / "documents.jsonl", kept)
        return folder, None

    def records(self, rows: object, documents: Documents | None, chunks: Chunks | None) -> list[Any]:
        """The records of rows that are at hand, with the documents, or those that chunks make up."""
        from ragassay.pipeline.score.result import records_of, rows_of
        from ragassay.records import Document

        entries = list(rows_of(rows, "dataset"))
        if documents is not None:
            return records_of(entries, _read(documents))
        brings_none = not any(isinstance(each, Document) for each in entries)
        return records_of(entries, self._made_of(chunks) if chunks is not None and brings_none else None)

    def _made_of(self, chunks: Chunks) -> list[Document]:
        from ragassay.systems.own_chunks import documents_of

        return documents_of(self._read_chunks(chunks))

    def _read_chunks(self, chunks: Chunks) -> list[RankedChunk]:
        """Read once: they may be gone through a single time."""
        from ragassay.systems.own_chunks import numbered, read_chunk_file, read_own_chunks

        if self._own is None:
            self._own = (
                read_chunk_file(Path(chunks))
                if isinstance(chunks, str | Path)
                else read_own_chunks(numbered(_entries(chunks, "chunks"), "chunks"))
            )
        return self._own

    def _written(self, documents: list[Document]) -> Path:
        from ragassay.records import to_json, write_jsonl

        path = self._place(list(map(to_json, documents)), "documents")
        write_jsonl(path, documents)
        return path

    def _place(self, content: object, what: str) -> Path:
        import hashlib
        from tempfile import TemporaryDirectory

        from ragassay.corpus.sources import IN_MEMORY

        if self._made is None:
            self._made = Path(self._stack.enter_context(TemporaryDirectory(prefix="ragassay-")))
        digest = hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        path = self._made / f"{IN_MEMORY}{digest}-{what}"
        self._written_to[str(path)] = f"the {what} given"
        return path.with_name(f"{path.name}.jsonl")


def _named(path: str | Path) -> Path:
    """Raises UsageError for an empty one, which would be the current folder."""
    from ragassay.errors import UsageError

    if not str(path):
        raise UsageError('a path is empty (""); name a file or folder')
    return Path(path)


def _entries(given: Iterable[Any], what: str) -> list[Any]:
    from ragassay.errors import UsageError
    from ragassay.pipeline.score.result import rows_of

    entries = list(rows_of(given, what))
    if not entries:
        raise UsageError(f"{what}: must not be empty; give at least one, or a path")
    return entries


def _read(documents: Documents) -> list[Document]:
    """All of the documents beside rows that are at hand."""
    from ragassay.corpus.read import ReadOptions, read_corpus
    from ragassay.datasets.documents_file import holds_documents, read_documents
    from ragassay.datasets.format import Notes

    if not isinstance(documents, str | Path):
        return _documents_of(_entries(documents, "documents"))
    path = _named(documents)
    if holds_documents(path):
        return list(read_documents(path, Notes()))
    unread: list[str] = []

    def note(seen: SkippedSource) -> None:
        unread.append(f"{seen.source}: {seen.reason}")

    found = list(read_corpus([path], ReadOptions(), note, note))
    if unread:
        more = f" (and {len(unread) - _MOST_NAMED:,} more)" if len(unread) > _MOST_NAMED else ""
        warnings.warn(f"documents: {'; '.join(unread[:_MOST_NAMED])}{more}", stacklevel=2)
    return found


def _documents_of(entries: Iterable[Any]) -> list[Document]:
    """Raises RecordError for an entry without a text, and for ids that come twice."""
    from ragassay.errors import RecordError
    from ragassay.systems.own_chunks import numbered

    found: dict[str, Document] = {}
    for where, entry in numbered(entries, "documents"):
        document = _document(where, entry)
        if found.setdefault(document.id, document) is not document:
            raise RecordError(f"{where} repeats the id {document.id!r}; give each document its own id")
    return list(found.values())


def _document(where: str, entry: Any) -> Document:
    """Its id is made of the text where it has none."""
    from ragassay.datasets.lines import without_surrogates
    from ragassay.datasets.replies.places import field_of
    from ragassay.datasets.replies.reading_chunks import read_passage
    from ragassay.errors import RecordError
    from ragassay.language import detect_language
    from ragassay.records import Document, content_id, to_json

    if isinstance(entry, Document):
        try:
            to_json(entry)
        except ValueError:  # pydantic's error of what cannot be written is one
            raise RecordError(f"{where} contains half a surrogate pair, which cannot be stored; replace it") from None
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
    return Document(
        id=name,
        title=title,
        source=source,
        text=text,
        language=detect_language(text),
        metadata={
            key: value
            for key, value in ((_text_of(key), _text_of(value)) for key, value in more.items())
            if key and value and value not in (name, title, source, text)
        },
    )


def _text_of(value: Any) -> str:
    """ "" for what is nothing, or cannot be told."""
    from ragassay.datasets.lines import without_surrogates

    try:
        return "" if value is None else str(without_surrogates(str(value)))
    except Exception:  # noqa: BLE001 - the code of others may raise anything, and numbers may be too long to be written
        return ""
