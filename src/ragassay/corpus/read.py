"""Files to documents, one at a time: memory holds one document and the hashes of those before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragassay.corpus import decoding, jsonl, language, sources
from ragassay.corpus.parsed import ParsedText, UnreadableError
from ragassay.corpus.sources import Format, Report, SourceFile
from ragassay.errors import InputError
from ragassay.records import Document, SkippedSource, content_id

_MEGABYTE = 1_000_000
_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """text_field, title_field: of JSONL records; by default the first of the usual names that a record has.

    max_document_mb: size of a file, or of one record of a JSONL file, above which it is skipped.
    max_document_chars: the same for the text that was found in it.
    """

    text_field: str | None = None
    title_field: str | None = None
    max_document_mb: float = 20
    max_document_chars: int = 10_000_000


def read_corpus(
    paths: Sequence[Path],
    options: ReadOptions,
    on_skip: Report,
    on_note: Report,
    *,
    leave_out: Path | None = None,
) -> Iterator[Document]:
    """Reads every document below the paths, in order; ``metadata["format"]`` says what it was read from.

    on_skip: told of each file or record that is not used. on_note: told what the user should know of those that are
    used, and of duplicates. leave_out: a folder below the paths that is passed over without a word, such as the one
    that the run writes to. Raises InputError when a path is missing, a folder empty, or nothing could be read.
    """
    if not paths:
        raise InputError("no path given; name a folder or file with documents")
    reader = _CorpusReader(options, on_skip, on_note)
    for source in sources.find_sources(paths, reader.skip, on_note, leave_out=leave_out):
        yield from reader.documents(source)
    if not reader.read:
        raise InputError(_nothing_read(paths, reader.first_skipped))


def _nothing_read(paths: Sequence[Path], first_skipped: SkippedSource | None) -> str:
    places = ", ".join(str(path) for path in paths)
    if first_skipped is None:
        return f"no readable document in {places}; documents have one of the extensions {sources.READABLE}"
    return (
        f"no readable document in {places}: every file was skipped, the first being {first_skipped.source} "
        f"({first_skipped.reason.rstrip('.')}); give other documents, or mend these"
    )


class _CorpusReader:
    def __init__(self, options: ReadOptions, on_skip: Report, on_note: Report) -> None:
        self._options = options
        self._on_skip = on_skip
        self._on_note = on_note
        self._first_with_text: dict[bytes, str] = {}
        self.first_skipped: SkippedSource | None = None
        self.read = 0

    def skip(self, skipped: SkippedSource) -> None:
        self.first_skipped = self.first_skipped or skipped
        self._on_skip(skipped)

    def documents(self, source: SourceFile) -> Iterator[Document]:
        """The documents of one file; a file that cannot be read is reported, and gives none."""
        if source.format == "jsonl":
            yield from self._records(source)
            return
        try:
            parsed = self._parse_file(source)
        except UnreadableError as error:
            self._skip_source(source.name, str(error))
        except OSError as error:
            self._skip_source(source.name, f"the system says: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - parsers of other people's formats fail in ways of their own
            self._skip_source(source.name, f"the {source.format} reader failed on it ({type(error).__name__})")
        else:
            yield from self._document(parsed, source.name, source.format, title=_words_of(source.path))

    def _records(self, source: SourceFile) -> Iterator[Document]:
        fields = jsonl.RecordFields(text=self._options.text_field, title=self._options.title_field)
        most_bytes = int(self._options.max_document_mb * _MEGABYTE)
        try:
            for record in jsonl.read_records(source.path, fields, most_bytes):
                name = f"{source.name}#{record.line}"
                if record.problem:
                    self._skip_source(name, record.problem)
                    continue
                try:
                    parsed = _parse_text(record.text, jsonl.format_of(record.text))
                except UnreadableError as error:
                    self._skip_source(name, str(error))
                    continue
                except Exception as error:  # noqa: BLE001 - as for files
                    self._skip_source(name, f"its text could not be read ({type(error).__name__})")
                    continue
                parsed = jsonl.with_record_fields(parsed, record)
                yield from self._document(parsed, name, "jsonl", title=f"{_words_of(source.path)} {record.line}")
        except OSError as error:
            self._skip_source(source.name, f"the system says: {error.strerror or error}")

    def _parse_file(self, source: SourceFile) -> ParsedText:
        size = source.path.stat().st_size
        if size > self._options.max_document_mb * _MEGABYTE:
            raise UnreadableError(
                f"it has {size / _MEGABYTE:.1f} MB, the limit for a document is {self._options.max_document_mb:g} MB"
            )
        if not size:
            raise UnreadableError("it is empty")
        if source.format == "pdf":
            from ragassay.corpus.pdf import read_pdf

            return read_pdf(source.path)
        if source.format == "docx":
            from ragassay.corpus.docx import read_docx

            return read_docx(source.path)
        text, encoding = decoding.decode(source.path.read_bytes())
        if encoding:
            self._on_note(SkippedSource(source=source.name, reason=f"Not in UTF-8: read as {encoding}."))
        return _parse_text(text, source.format)

    def _document(self, parsed: ParsedText, name: str, file_format: Format, title: str) -> Iterator[Document]:
        if not any(sign.isalnum() for sign in parsed.text):
            self._skip_source(name, "there is no text in it")
            return
        if len(parsed.text) > self._options.max_document_chars:
            self._skip_source(
                name,
                f"it has {len(parsed.text)} characters, and the limit is {self._options.max_document_chars}",
            )
            return
        digest = hashlib.blake2b(parsed.text.encode("utf-8"), digest_size=16).digest()
        if digest in self._first_with_text:
            first = self._first_with_text[digest]
            self._on_note(SkippedSource(source=name, reason=f"Left out: its text is the same as that of {first}."))
            return
        self._first_with_text[digest] = name
        self.read += 1
        yield Document(
            id=content_id("doc", parsed.text),
            title=(parsed.title or title)[:_LONGEST_TITLE],
            source=name,
            text=parsed.text,
            language=language.detect_language(parsed.text),
            metadata={"format": file_format, **parsed.metadata},
            blocks=parsed.blocks,
            literals=parsed.literals,
        )

    def _skip_source(self, name: str, reason: str) -> None:
        self.skip(SkippedSource(source=name, reason=f"Not read: {reason}."))


def _parse_text(text: str, text_format: Format) -> ParsedText:
    if text_format == "html":
        from ragassay.corpus.html import read_html

        return read_html(text)
    if text_format == "markdown":
        from ragassay.corpus.markdown import read_markdown

        return read_markdown(text)
    if text_format == "rst":
        from ragassay.corpus.rst import read_rst

        return read_rst(text)
    from ragassay.corpus.plain import read_plain

    return read_plain(text)


def _words_of(path: Path) -> str:
    """A file's name as words, for a title: "refund-policy_2024.md" is "refund policy 2024"."""
    return " ".join(sources.printable(path.stem).replace("_", " ").replace("-", " ").split()) or path.name
