"""Files to documents, one at a time: memory holds one document and the hashes of those before it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, Field

from ragassay.documents import decoding, jsonl, sources
from ragassay.documents.parsed import ParsedText, UnreadableError
from ragassay.documents.sources import Format, Report, SourceFile
from ragassay.errors import InputError, UsageError
from ragassay.language import detect_language
from ragassay.options import Option, settings
from ragassay.process import Limits
from ragassay.records import Document, SkippedSource, content_id
from ragassay.remote import url_of
from ragassay.workers import Lost, Workers

T = TypeVar("T")

_MEGABYTE = 1_000_000
_LONGEST_TITLE = 300
_LEAST_MEMORY_MB, _MEMORY_FOR_EACH_MB = 1_000, 50
"""Memory to read a document with, and more for each MB that a document may have (``benchmarks/worst_files.py``)."""


def _encoding(name: str | None) -> str | None:
    if name is not None and not decoding.is_known(name):
        raise UsageError(f"--encoding: unknown encoding {name!r}; name one as Python does, such as cp1252")
    return name


Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_PANEL = "Documents"


@settings
class ReadOptions:
    """How documents are read. The memory that reading may take grows with ``max_document_mb``."""

    text_field: Annotated[
        str | None, Option("Field of JSONL records that holds the text.", panel=_PANEL, is_rare=True)
    ] = None
    title_field: Annotated[
        str | None, Option("Field of JSONL records that holds the title.", panel=_PANEL, is_rare=True)
    ] = None
    encoding: Annotated[
        str | None,
        AfterValidator(_encoding),
        Option(
            "Encoding of text files that are not UTF-8, such as cp1252; else what they declare, or a guess.",
            panel=_PANEL,
            is_rare=True,
        ),
    ] = None
    max_document_mb: Annotated[
        Positive, Option("Skip files, JSONL records and texts larger than this.", panel=_PANEL, is_rare=True)
    ] = 20
    max_document_seconds: Annotated[
        Positive,
        Option(
            "Skip documents that take longer to read, on the processor; ten times as long by the clock.",
            panel=_PANEL,
            is_rare=True,
        ),
    ] = 60
    follow_links: Annotated[
        bool, Option("Also follow symbolic links that lead out of the folders given.", panel=_PANEL, is_rare=True)
    ] = False

    @property
    def limits(self) -> Limits:
        return Limits(self.max_document_seconds, _LEAST_MEMORY_MB + _MEMORY_FOR_EACH_MB * self.max_document_mb)

    def settings(self) -> dict[str, str]:
        """Return option names and values as text, as reports show them."""
        return {
            "text field": sources.printable(self.text_field or ""),
            "title field": sources.printable(self.title_field or ""),
            **({"encoding": self.encoding} if self.encoding else {}),
            "largest document": f"{self.max_document_mb:g} MB",
            **({"links": "followed out of the folders given"} if self.follow_links else {}),
            "most time for a document": f"{self.max_document_seconds:g} s",
        }


def read_corpus(
    paths: Sequence[Path], options: ReadOptions, on_skip: Report, on_note: Report, *, leave_out: Path | None = None
) -> Iterator[Document]:
    """Read every document below the paths, in order; ``metadata["format"]`` says what it was read from.

    on_skip: told of each file or record that is not used. on_note: told what the user should know of those that are
    used, and of duplicates. leave_out: a folder below the paths that is passed over without a word, such as the one
    that the run writes to. Raises InputError when a path is missing, a folder empty, or nothing could be read.
    """
    with Workers(1) as workers:
        for document, _ in read_and_study(no_study, paths, options, on_skip, on_note, workers, leave_out=leave_out):
            yield document


def read_and_study(
    study: Callable[[Document], T],
    paths: Sequence[Path],
    options: ReadOptions,
    on_skip: Report,
    on_note: Report,
    workers: Workers,
    *,
    leave_out: Path | None = None,
    on_read: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Document, T]]:
    """Read as ``read_corpus``, by several processes, each document with what ``study`` made of it where it was read.

    on_read: called for each file or record that was read, whether it is a document that is used or not.
    No document is read in this process: whatever one takes of time and memory, the others are read.
    """
    if not paths:
        raise InputError("no path given; give a folder or file with documents")
    first_skipped: SkippedSource | None = None
    first_with_text: dict[bytes, str] = {}
    ids = set[str]()
    pieces = _pieces(paths, options, leave_out, with_content=workers.are_elsewhere)
    for read in workers.map_within(options.limits, partial(_read_piece, study, options), pieces):
        outcome = _lost(read, options) if isinstance(read, Lost) else read
        if not outcome.is_news:
            on_read()
        for note in outcome.notes:
            on_note(note)
        if outcome.skipped is not None:
            first_skipped = first_skipped or outcome.skipped
            on_skip(outcome.skipped)
        if outcome.found is None:
            continue
        document, studied = outcome.found
        digest = hashlib.blake2b(document.text.encode("utf-8"), digest_size=16).digest()
        first = first_with_text.setdefault(digest, document.source)
        if first != document.source:
            reason = f"Left out: its text is the same as that of {first}."
            on_note(SkippedSource(source=document.source, reason=reason))
            continue
        if document.id in ids:
            reason = "Its id is another document's; it has one made of its name and text."
            on_note(SkippedSource(source=document.source, reason=reason))
            document = replace(document, id=content_id("doc", document.source, document.text))
        ids.add(document.id)
        yield document, studied
    if first_with_text:
        return
    places = ", ".join(url_of(path) or str(path) for path in paths)
    if first_skipped is None:
        known = f"documents have one of the extensions {sources.readable()}"
        raise InputError(f"no readable document in {places}; {known}")
    raise InputError(
        f"no readable document in {places}: every file was skipped, first {first_skipped.source} "
        f"({first_skipped.reason.rstrip('.')}); give other documents, or repair these"
    )


def no_study(document: Document) -> None:
    """Work out nothing more of a document."""


def count_sources(paths: Sequence[Path], options: ReadOptions, *, leave_out: Path | None = None) -> int:
    """Count the files and records to read below the paths. Raises as ``read_corpus`` for what cannot be listed."""
    found = sources.find_sources(
        paths, lambda _: None, lambda _: None, leave_out=leave_out, follow_links=options.follow_links
    )
    return sum(_count(source, options) for source in found)


def _count(source: SourceFile, options: ReadOptions) -> int:
    if source.format == "jsonl":
        return jsonl.count_lines(source.path)
    if source.format == "json":
        with suppress(OSError, UnreadableError):
            return sum(1 for _ in jsonl.read_items(decoding.decode(_content(source, options), options.encoding).text))
    return 1


def _content(source: SourceFile, options: ReadOptions) -> bytes:
    """Return what a file holds. Raises OSError, or UnreadableError where it is too large."""
    _check_size(source.path.stat().st_size, options)
    return source.path.read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A file or record that may become one document, or the news that something is not one.

    line: of a JSONL file; None where the whole file is read. content: of the file, for readers on other machines.
    """

    source: SourceFile | None = None
    line: jsonl.JsonLine | None = None
    content: bytes | None = None
    skipped: SkippedSource | None = None
    note: SkippedSource | None = None

    @property
    def name(self) -> str:
        name = self.source.name if self.source else ""
        return f"{name}#{self.line.number}" if self.line and self.line.number else name


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[T]):
    """What came of a piece. found: the document and what was made of it; None where ``skipped`` says why.

    is_news: nothing was to be read there.
    """

    found: tuple[Document, T] | None = None
    skipped: SkippedSource | None = None
    notes: tuple[SkippedSource, ...] = ()
    is_news: bool = False


def _pieces(
    paths: Sequence[Path], options: ReadOptions, leave_out: Path | None, *, with_content: bool
) -> Iterator[_Piece]:
    """Yield all that is to be read, in order, and in its place what the search for files has to say."""
    news: list[_Piece] = []
    found = sources.find_sources(
        paths,
        lambda skipped: news.append(_Piece(skipped=skipped)),
        lambda note: news.append(_Piece(note=note)),
        leave_out=leave_out,
        follow_links=options.follow_links,
    )
    for source in found:
        yield from news
        news.clear()
        try:
            if source.format == "jsonl":
                for line in jsonl.read_lines(source.path, int(options.max_document_mb * _MEGABYTE)):
                    yield _Piece(source=source, line=line)
            elif source.format == "json":
                text, note = decoding.decode(_content(source, options), options.encoding)
                if note:
                    yield _Piece(note=SkippedSource(source=source.name, reason=note))
                for line in jsonl.read_items(text):
                    yield _Piece(source=source, line=line)
            elif with_content:
                yield _Piece(source=source, content=_content(source, options))
            else:
                yield _Piece(source=source)
        except (OSError, UnreadableError) as error:
            reason = f"it cannot be read: {error.strerror or error}" if isinstance(error, OSError) else str(error)
            yield _Piece(source=source, skipped=_not_read(source.name, reason))
    yield from news


def _read_piece(study: Callable[[Document], T], options: ReadOptions, piece: _Piece) -> _Outcome[T]:
    if piece.source is None or piece.skipped is not None:
        return _Outcome(skipped=piece.skipped, notes=(piece.note,) if piece.note else (), is_news=piece.source is None)
    notes: list[SkippedSource] = []
    try:
        document = _to_document(piece, options, notes.append)
    except UnreadableError as error:
        return _Outcome(skipped=_not_read(piece.name, str(error)), notes=tuple(notes))
    return _Outcome(found=(document, study(document)), notes=tuple(notes))


def _lost(lost: Lost[_Piece], options: ReadOptions) -> _Outcome[Any]:
    limits = options.limits
    name = lost.item.name
    scans = "; a scanned page takes 3 to 10 s" if name.lower().endswith(".pdf") else ""
    reasons = {
        "time": f"it took more than {limits.seconds:g} s to read (--max-document-seconds{scans})",
        "memory": f"reading it takes more than {limits.memory_mb:.0f} MB of memory",
        "crash": "its reader crashed on it, twice",
    }
    return _Outcome(skipped=_not_read(name, reasons[lost.why]))


def _not_read(name: str, reason: str) -> SkippedSource:
    return SkippedSource(source=name, reason=f"Not read: {reason}.")


def _to_document(piece: _Piece, options: ReadOptions, on_note: Report) -> Document:
    """Return the document of a file or record. Raises UnreadableError, with the reason, where there is none."""
    source, name, own_id = piece.source, piece.name, ""
    assert source is not None
    try:
        if piece.line is None:
            parsed = _parse_file(source, piece.content, options, on_note)
        else:
            record = _read_line(piece, piece.line, options, on_note)
            parsed = jsonl.with_record_fields(_reader(jsonl.format_of(record.text))(record.text), record)
            name, own_id = record.source or name, record.id
    except (UnreadableError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - parsers of other people's formats fail in ways of their own
        if isinstance(error, OSError) and error.filename is not None:
            raise UnreadableError(f"it cannot be read: {error.strerror or error}") from None
        kind = source.path.suffix.lower()
        reason = f"it is damaged, or not a {kind} file ({type(error).__name__}); save or copy it again"
        raise UnreadableError(reason) from None
    if not any(sign.isalnum() for sign in parsed.text):
        raise UnreadableError(" ".join(["it contains no text.", *parsed.notes]).removesuffix("."))
    for note in parsed.notes:
        on_note(SkippedSource(source=name, reason=note))
    _check_size(len(parsed.text.encode("utf-8")), options, "of text")
    return Document(
        id=own_id or content_id("doc", parsed.text),
        title=parsed.title[:_LONGEST_TITLE],
        source=name,
        text=parsed.text,
        language=detect_language(_prose(parsed)),
        metadata={"format": source.format, **parsed.metadata},
        blocks=parsed.blocks,
        literals=parsed.literals,
    )


def _prose(parsed: ParsedText) -> str:
    """The text, without the cells of a document that is hardly more than a table: their names are of no language."""
    cells = sum(block.end - block.start for block in parsed.blocks if block.kind == "cell")
    if cells * _ALL_CELLS < len(parsed.text):
        return parsed.text
    others = (block for block in parsed.blocks if block.kind != "cell")
    return "\n".join(parsed.text[block.start : block.end] for block in others)


_ALL_CELLS = 2
"""A document of whose text less than one part of so many is cells is read as prose."""


def _read_line(piece: _Piece, line: jsonl.JsonLine, options: ReadOptions, on_note: Report) -> jsonl.JsonRecord:
    if line.content is None:
        raise UnreadableError(f"the line is longer than the limit of {options.max_document_mb:g} MB")
    text, note = decoding.decode_bytes(line.content, options.encoding)
    if note:
        on_note(SkippedSource(source=piece.name, reason=note))
    are_documents = piece.source is not None and piece.source.path.name.startswith(sources.IN_MEMORY)
    return jsonl.read_record(text, jsonl.RecordFields(options.text_field, options.title_field, are_documents))


def _parse_file(source: SourceFile, content: bytes | None, options: ReadOptions, on_note: Report) -> ParsedText:
    content = _content(source, options) if content is None else content
    if not content:
        raise UnreadableError("it is empty")
    if source.format in _BINARY:
        return _reader(source.format)(content)
    text, note = decoding.decode(content, options.encoding)
    if note:
        on_note(SkippedSource(source=source.name, reason=note))
    if source.format == "csv":
        from ragassay.documents.plain import read_delimited

        return read_delimited(text, source.path.stem)
    return _reader(source.format)(text)


_BINARY = ("pdf", "docx", "spreadsheet", "pptx", "odt", "epub", "notebook", "mail")  # read from bytes


def _reader(kind: Format) -> Callable[[Any], ParsedText]:
    """Return the reader of a format, whose module is imported only now: most corpora have one format."""
    reader: Callable[[Any], ParsedText] = getattr(import_module(f"ragassay.documents.{kind}"), f"read_{kind}")
    return reader


def _check_size(size: int, options: ReadOptions, of_what: str = "") -> None:
    if size > options.max_document_mb * _MEGABYTE:
        has = " ".join(f"{size / _MEGABYTE:.1f} MB {of_what}".split())
        raise UnreadableError(f"it has {has}, more than the limit of {options.max_document_mb:g} MB")
