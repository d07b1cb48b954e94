"""The chunks of the built-in system: cut, indexed with their prefixes, and searched as its setting says.

They are in memory, or their vectors in PostgreSQL. Hybrid search there compares all chunks by word and the first
``LISTED`` by vector; the others count like the last of these, and may rank otherwise than in memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.documents.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.vector_cache import SpanEncoder
from ragassay.rag.cutting import Cut, Cutter, Studied, build_indexes, given, studied
from ragassay.rag.setting import Setting
from ragassay.records import Document, RankedChunk, Span, content_id
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.dense_vectors import batches_of, chunk_vectors
from ragassay.retrieval.hybrid import hybrid_scores, top_k
from ragassay.systems.own_chunks import OwnChunks
from ragassay.workers import Workers

LISTED = 1_000
"""The more, the nearer to the ranking of all chunks. More than pgvector finds by HNSW at once is of no use."""


class CutDocuments(NamedTuple):
    """The chunks of one setting, and their documents. ids: of chunks that are not named after their places."""

    store: DocumentStore
    setting: Setting
    cut: Cut
    ids: Mapping[tuple[str, int, int], str] = MappingProxyType({})

    @property
    def table(self) -> ChunkTable:
        return self.cut.tables[self.setting.chunking]

    @property
    def prefixes(self) -> list[str]:
        """Return that of each document, or none at all."""
        return self.cut.prefixes.get(self.setting.prefix, [])

    def chunk(self, row: int, score: float) -> RankedChunk:
        """Return a chunk as predictions have it."""
        table = self.table
        document = self.store[int(table.documents[row])]
        start, end = int(table.starts[row]), int(table.ends[row])
        return ranked(document.span(start, end), round(score, 6), self.ids.get((document.id, start, end)))

    def behind_prefix(self, chunk: RankedChunk) -> str:
        """Return the text of a chunk as it is indexed."""
        return self.cut.behind_prefix(self.setting.prefix, self.store.ordinal(chunk.document_id), chunk.text or "")


def chunk_id(document_id: str, start: int, end: int) -> str:
    """Return the id of a chunk, by its place."""
    return content_id("chunk", document_id, str(start), str(end))


def ranked(span: Span, score: float, own_id: str | None = None) -> RankedChunk:
    """Return a stretch as predictions have it. own_id: where it is not named after its place."""
    name, start, end = span.document_id, span.start, span.end
    own_id = own_id or chunk_id(name, start, end)
    return RankedChunk(chunk_id=own_id, document_id=name, start=start, end=end, score=score, text=span.text)


def cut_documents(
    store: DocumentStore,
    setting: Setting,
    on_documents: Callable[[int], None],
    own: OwnChunks | None = None,
    folder: Path | None = None,
    workers: Workers | None = None,
) -> CutDocuments:
    """Cut all documents. on_documents: told how many more were cut. own: chunks that are taken as they are.

    folder: where their words lie meanwhile; None for memory. Raises UsageError for a prefix that no document has, or
    where nothing is left to be searched.
    """
    cutter = Cutter([setting.chunking], [setting.prefix], folder)
    known: Iterable[tuple[Document, Studied]]
    if own is None:
        known = studied(store, cutter.chunkings, workers or Workers(1))
    else:
        spans = own.spans
        known = ((document, given(document, spans.get(document.id, ()))) for document in store)
    for document, of_document in known:
        cutter.add(document, of_document)
        on_documents(1)
    cutter.check_prefixes("prefix")
    found = CutDocuments(store, setting, cutter.result(), {} if own is None else own.by_place)
    if not len(found.table):
        raise UsageError("--documents: no text to search; give documents with text")
    return found


class Searcher:
    """What finds chunks. documents: those that it searches."""

    def __init__(self, documents: CutDocuments) -> None:
        self.documents = documents

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """Return the first k chunks of each question, without prefixes. vectors: None for BM25 alone."""
        raise NotImplementedError

    def close(self) -> None:
        """Close what it holds."""


class MemoryIndex(Searcher):
    """Searches all chunks; only what is worked on is in memory."""

    def __init__(
        self, documents: CutDocuments, encoder: SpanEncoder, folder: Path, on_chunks: Callable[[int], None]
    ) -> None:
        """Index cut documents. folder: where the vectors lie meanwhile. on_chunks: told of more with vectors."""
        super().__init__(documents)
        setting = documents.setting
        (self._index,) = build_indexes(
            documents.store,
            documents.cut,
            [setting.chunking],
            None if setting.text_weight == 1 else encoder,
            prefix=setting.prefix,
            vectors=setting.vectors,
            folder=folder,
            progress=on_chunks,
        )

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """Search as ``Searcher.search``."""
        setting = self.documents.setting
        terms = [self.documents.cut.tokens.terms_of(question) for question in questions]
        compared = np.ones((len(questions), 1), np.float32) if vectors is None else vectors
        found = self._index.search(terms, compared, setting.fusion, setting.text_weight, k)
        return [
            tuple(self.documents.chunk(row, score) for row, score in found.of(number))
            for number in range(len(questions))
        ]


class StoreIndex(Searcher):
    """Searches chunks whose vectors are in PostgreSQL."""

    def __init__(
        self,
        documents: CutDocuments,
        url: str,
        encoder: SpanEncoder,
        on_chunks: Callable[[int], None],
    ) -> None:
        """Fill the store, unless it holds these chunks already, with these prefixes. Raises as ``PostgresStore``."""
        from ragassay.retrieval.postgres import PostgresStore

        super().__init__(documents)
        self._lexical = documents.cut.lexical(documents.setting.chunking, documents.setting.prefix)
        self._store = PostgresStore(url)
        fingerprint = _fingerprint(documents, encoder.name)
        if documents.setting.retriever != "lexical" and len(documents.table) and self._store.fingerprint != fingerprint:
            self._store.fill(self._vectors(encoder, on_chunks), fingerprint)

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """Search as ``Searcher.search``, a question at a time: memory holds a score for each chunk."""
        setting = self.documents.setting
        found = []
        for number, question in enumerate(questions):
            dense = np.zeros((1, len(self.documents.table)), np.float32)
            if vectors is not None and len(self.documents.table):
                rows, cosines = zip(*self._store.nearest(vectors[number], max(k, LISTED)), strict=True)
                dense[:] = -np.inf if setting.text_weight == 0 else cosines[-1]
                dense[0, rows] = cosines
            lexical = self._lexical.scores([self.documents.cut.tokens.terms_of(question)])
            ranked = top_k(hybrid_scores(lexical, dense, setting.fusion, setting.text_weight), k).of(0)
            found.append(tuple(self.documents.chunk(row, score) for row, score in ranked))
        return found

    def close(self) -> None:
        self._store.close()

    def _vectors(self, encoder: SpanEncoder, on_chunks: Callable[[int], None]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield those of the chunks of some documents together: memory holds one batch."""
        own, how = self.documents, self.documents.setting.vectors
        for texts, tables, prefixes in batches_of((document.text for document in own.store), [own.table], own.prefixes):
            yield from chunk_vectors(texts, tables, encoder, prefixes=prefixes, vectors=how, progress=on_chunks)


def _fingerprint(cut: CutDocuments, encoder_name: str) -> str:
    makes = {"encoder": encoder_name, "vectors": cut.setting.vectors, "by": "place"}
    digest = hashlib.sha256(json.dumps([makes, cut.setting.prefix]).encode())
    for document, prefix in zip(cut.store, cut.prefixes or [""] * len(cut.store), strict=True):
        digest.update(f"{document.id}\0{prefix}\0{document.text}\0".encode("utf-8", "surrogatepass"))
    for column in (cut.table.documents, cut.table.starts, cut.table.ends):
        digest.update(column.tobytes())
    return digest.hexdigest()[:32]
