"""Search the chunks of the built-in system in PostgreSQL, which keeps their vectors; BM25 is in memory.

Hybrid search compares all chunks by word and the first ``LISTED`` by vector; the others count like the last of these.
So a chunk that is far down by vector may rank otherwise than in memory, where all are compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.records import RankedChunk
from ragassay.retrieval.dense_vectors import ChunkEncoder, batches_of, chunk_vectors
from ragassay.retrieval.hybrid import hybrid_scores, top_k
from ragassay.retrieval.postgres import ChunkBatch, PostgresStore
from ragassay.systems.rag_index import CutDocuments, chunk_id

LISTED = 1_000
"""The more, the nearer to the ranking of all chunks. More than pgvector finds by HNSW at once is of no use."""


class StoreIndex:
    """Searches a store whose chunks are those of the documents."""

    def __init__(self, cut: CutDocuments, store: PostgresStore) -> None:
        self._cut = cut
        self._store = store
        self._lexical = cut.cut.lexical(cut.setting.chunking, cut.setting.prefix)
        self._rows = {each: row for row, each in enumerate(_ids(cut))}

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """Search as ``Searcher.search``, a question at a time: memory holds a score for each chunk."""
        setting = self._cut.setting
        found = []
        for number, question in enumerate(questions):
            dense = np.zeros((1, len(self._rows)), np.float32)
            if vectors is not None:
                hits = self._store.dense(vectors[number : number + 1], max(k, LISTED))[0]
                dense[:] = -np.inf if setting.text_weight == 0 else hits[-1].score if hits else 0
                dense[0, [self._rows[hit.id] for hit in hits]] = [hit.score for hit in hits]
            lexical = self._lexical.scores([self._cut.cut.tokens.terms_of(question)])
            ranked = top_k(hybrid_scores(lexical, dense, setting.fusion, setting.text_weight), k).of(0)
            found.append(tuple(self._cut.chunk(row, score) for row, score in ranked))
        return found

    def behind_prefix(self, chunk: RankedChunk) -> str:
        return self._cut.behind_prefix(chunk)

    def close(self) -> None:
        self._store.close()


def fill_store(
    store: PostgresStore,
    cut: CutDocuments,
    encoder: ChunkEncoder,
    encoder_name: str,
    on_chunks: Callable[[int], None] = lambda done: None,
) -> None:
    """Put the vectors of the chunks into a store, unless it holds these already, with these prefixes."""
    makes = {"encoder": encoder_name, "vectors": cut.setting.vectors}
    digest = hashlib.sha256(json.dumps([makes, cut.setting.prefix]).encode())
    for document, prefix in zip(cut.store, cut.prefixes or [""] * len(cut.store), strict=True):
        digest.update(f"{document.id}\0{prefix}\0{document.text}\0".encode("utf-8", "surrogatepass"))
    for column in (cut.table.documents, cut.table.starts, cut.table.ends):
        digest.update(column.tobytes())
    fingerprint = digest.hexdigest()[:32]
    if cut.setting.retriever != "lexical" and store.fingerprint != fingerprint:
        store.fill(_batches(cut, encoder, on_chunks), fingerprint)


def _ids(cut: CutDocuments) -> list[str]:
    documents = cut.store.ids
    return [chunk_id(documents[document], start, end) for document, start, end in cut.table.rows()]


def _batches(cut: CutDocuments, encoder: ChunkEncoder, on_chunks: Callable[[int], None]) -> Iterator[ChunkBatch]:
    """Yield the chunks of some documents together: memory holds one batch."""
    ids, done, how = _ids(cut), 0, cut.setting.vectors
    for texts, tables, prefixes in batches_of((document.text for document in cut.store), [cut.table], cut.prefixes):
        (vectors,) = chunk_vectors(texts, tables, encoder, prefixes=prefixes, vectors=how, progress=on_chunks)
        yield ChunkBatch(ids[done : done + len(vectors)], vectors)
        done += len(vectors)
