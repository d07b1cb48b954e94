"""Documents on their way into a collection: cut every way that is asked for, their words and prefixes kept; indexed."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.documents.chunkers import Chunking, document_prefix
from ragassay.documents.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.vector_cache import SpanEncoder
from ragassay.records import Document
from ragassay.retrieval.chunk_table import ChunkTable, Int32Array
from ragassay.retrieval.dense_vectors import ChunkVectors, chunk_vectors
from ragassay.retrieval.index import Index, LexicalIndex, build_lexical_index
from ragassay.retrieval.tokens import RawWords, TokenizedDocuments, Tokenizer, raw_words
from ragassay.text import count_words
from ragassay.workers import Lost, Workers

_FIELDS_NAMED = 20

Fields = tuple[str, ...]
"""Of documents, that stand in front of their chunks; () for nothing."""


class Studied(NamedTuple):
    """raw: a document's words. words: how many. chunks: of each chunking the starts and ends of its chunks."""

    raw: RawWords
    words: int
    chunks: tuple[tuple[Int32Array, Int32Array], ...]


def study(chunkings: Sequence[Chunking], document: Document) -> Studied:
    """Return the words of a document, and its chunks by each chunking."""
    return given(document, *(cut(document.text) for cut in chunkings))


def given(document: Document, *spans: Sequence[tuple[int, int]]) -> Studied:
    """Return the same with chunks that are known. spans: starts and ends for each way to cut."""
    tables = [np.array(each, np.int32).reshape(-1, 2) for each in spans]
    return Studied(
        raw=raw_words(document.text),
        words=count_words(document.text),
        chunks=tuple((pairs[:, 0], pairs[:, 1]) for pairs in tables),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The chunks of all documents. tables: of each chunking. prefixes: fields to the prefix of each document.

    language: that most of the text is in. folder: where words lie, and indexes by them; None for memory.
    """

    tables: dict[Chunking, ChunkTable]
    tokens: TokenizedDocuments
    prefixes: dict[Fields, list[str]]
    language: str
    characters: int
    folder: Path | None = None

    def behind_prefix(self, fields: Fields, document: int, text: str) -> str:
        """Return a text of a document as it is indexed: with its prefix, if there is one, in front."""
        prefix = self.prefixes[fields][document] if fields else ""
        return f"{prefix}\n{text}" if prefix else text

    def lexical(self, chunking: Chunking, fields: Fields) -> LexicalIndex:
        """Index the words of the chunks behind their prefixes."""
        table, of_documents = self.tables[chunking], self.prefixes.get(fields, [])
        prefixes = [of_documents[document] for document in table.documents] if of_documents else []
        return build_lexical_index(self.tokens, table, prefixes, self.folder)


def studied(
    documents: Iterable[Document], chunkings: Sequence[Chunking], workers: Workers
) -> Iterator[tuple[Document, Studied]]:
    """Yield each document with what is worked out from it alone, by whichever process has room."""
    taken = deque[Document]()

    def watched() -> Iterator[Document]:
        for document in documents:
            taken.append(document)
            yield document

    for found in workers.map(partial(study, chunkings), watched()):
        document = taken.popleft()
        yield document, study(chunkings, document) if isinstance(found, Lost) else found


class Cutter:
    """Takes documents one by one, and keeps numbers and prefixes only. folder: as in ``Cut``."""

    def __init__(self, chunkings: Sequence[Chunking], prefixes: Sequence[Fields], folder: Path | None = None) -> None:
        self._folder = folder
        self.chunkings = tuple(dict.fromkeys(chunkings))
        self._rows = {chunking: (array("i"), array("i"), array("i")) for chunking in self.chunkings}
        self._prefixes: dict[Fields, list[str]] = {fields: [] for fields in prefixes if fields}
        self._fields = {"title", "source"}
        self._languages: Counter[str] = Counter()
        self._tokenizer = Tokenizer(folder)
        self._documents = 0

    def add(self, document: Document, known: Studied | None = None) -> None:
        """known: what was worked out of this document with the same chunkings elsewhere."""
        known = known or study(self.chunkings, document)
        self._tokenizer.add(known.raw)
        self._languages[document.language] += len(document.text)
        self._fields |= document.metadata.keys()
        for fields, found in self._prefixes.items():
            found.append(document_prefix(document, fields))
        for (documents, starts, ends), chunks in zip(self._rows.values(), known.chunks, strict=True):
            documents.extend([self._documents] * len(chunks[0]))
            starts.frombytes(chunks[0].tobytes())
            ends.frombytes(chunks[1].tobytes())
        self._documents += 1

    def check_prefixes(self, where: str) -> None:
        """Raise UsageError for a field that no document has. where: the option, for the message."""
        for name in (name for fields in self._prefixes for name in fields):
            if name not in self._fields:
                known = ", ".join(sorted(self._fields)[:_FIELDS_NAMED])
                raise UsageError(f"{where}: no document has the field {name[:60]!r}; choose from {known}")

    def result(self) -> Cut:
        language = self._languages.most_common(1)[0][0] if self._languages else "en"
        prefixes = [prefix for of_documents in self._prefixes.values() for prefix in of_documents]
        return Cut(
            tables={
                chunking: ChunkTable(*(np.frombuffer(column, dtype=np.int32) for column in columns))
                for chunking, columns in self._rows.items()
            },
            tokens=self._tokenizer.result(prefixes, language),
            prefixes=self._prefixes,
            language=language,
            characters=sum(self._languages.values()),
            folder=self._folder,
        )


def build_indexes(
    store: DocumentStore,
    cut: Cut,
    chunkings: Sequence[Chunking],
    encoder: SpanEncoder | None,
    *,
    prefix: Fields = (),
    vectors: ChunkVectors = "late",
    folder: Path,
    lexical: Mapping[Chunking, LexicalIndex] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Index]:
    """Return one index for each chunking; the vectors of all of them are made together.

    encoder: None where BM25 alone is searched. lexical: indexes that are there already. progress: told of more vectors.
    """
    tables = [cut.tables[chunking] for chunking in chunkings]
    if encoder is None:  # BM25 alone looks at no vector
        rows = [np.ones((len(table), 1), np.float32) for table in tables]
    else:
        prefixes = cut.prefixes.get(prefix, [])
        texts = (document.text for document in store)
        rows = chunk_vectors(
            texts, tables, encoder, prefixes=prefixes, vectors=vectors, folder=folder, progress=progress
        )
    known = lexical or {}
    return [
        Index(table, known.get(chunking) or cut.lexical(chunking, prefix), of_table, folder)
        for chunking, table, of_table in zip(chunkings, tables, rows, strict=True)
    ]
