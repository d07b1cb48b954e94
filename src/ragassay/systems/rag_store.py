"""Search the chunks of the built-in system in PostgreSQL.

The store gives the first chunks by vector and by word. Hybrid search joins the first ``LISTED`` of either list. What
stands in one list alone counts in the other like the last one there, or as 0 where that is the list by words and has
all that share one with the question: so chunks that are far down in one list may rank otherwise than in memory, where
all are compared. With ``min_max`` the lowest scores are those of the lists.
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
from ragassay.retrieval.postgres import ChunkBatch, Hit, PostgresStore
from ragassay.systems.rag_index import CutDocuments, chunk_id

LISTED = 1_000
"""The more, the nearer to the ranking of all chunks. More than pgvector finds by HNSW at once is of no use."""


class StoreIndex:
    """Searches a store whose chunks are those of the documents."""

    def __init__(self, cut: CutDocuments, store: PostgresStore) -> None:
        self._cut = cut
        self._store = store
        self._rows = {each: row for row, each in enumerate(_ids(cut))}

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """Search as ``Searcher.search``."""
        retriever = self._cut.setting.retriever
        wanted = max(k, LISTED) if retriever == "hybrid" else k
        lexical = self._store.lexical(questions, wanted) if retriever != "dense" else None
        dense = self._store.dense(vectors, wanted) if vectors is not None else None
        if lexical is None or dense is None:
            hits = [found[:k] for found in (dense if lexical is None else lexical) or ()]
        else:
            hits = [self._joined(*both, wanted, k) for both in zip(lexical, dense, strict=True)]
        return [tuple(self._cut.chunk(self._rows[hit.id], hit.score) for hit in found) for found in hits]

    def behind_prefix(self, chunk: RankedChunk) -> str:
        return self._cut.behind_prefix(chunk)

    def close(self) -> None:
        self._store.close()

    def _joined(self, lexical: Sequence[Hit], dense: Sequence[Hit], wanted: int, k: int) -> list[Hit]:
        ids = sorted({hit.id for hit in (*lexical, *dense)}, key=self._rows.__getitem__)
        if not ids:
            return []
        by_word = _scores(ids, lexical, 0.0 if len(lexical) < wanted else lexical[-1].score)
        by_vector = _scores(ids, dense, dense[-1].score if dense else 0.0)  # approximate search may find fewer than all
        scores = hybrid_scores(by_word, by_vector, self._cut.setting.fusion, self._cut.setting.text_weight)
        return [Hit(ids[place], score) for place, score in top_k(scores, k).of(0)]


def fill_store(
    store: PostgresStore,
    cut: CutDocuments,
    encoder: ChunkEncoder,
    encoder_name: str,
    on_chunks: Callable[[int], None] = lambda done: None,
) -> None:
    """Put the chunks into a store, unless it holds these already, with these prefixes and vectors."""
    digest = hashlib.sha256()
    makes = {"encoder": encoder_name, "vectors": cut.setting.vectors} if cut.setting.retriever != "lexical" else {}
    digest.update(json.dumps([makes, cut.setting.prefix, cut.cut.language]).encode())
    for document, prefix in zip(cut.store, cut.prefixes or [""] * len(cut.store), strict=True):
        digest.update(f"{document.id}\0{prefix}\0{document.text}\0".encode("utf-8", "surrogatepass"))
    for column in (cut.table.documents, cut.table.starts, cut.table.ends):
        digest.update(column.tobytes())
    fingerprint = digest.hexdigest()[:32]
    if store.fingerprint != fingerprint:
        store.fill(_batches(cut, encoder, on_chunks), fingerprint)


def _scores(ids: Sequence[str], hits: Sequence[Hit], other: float) -> npt.NDArray[np.float32]:
    """Return scores, (1, n) float32. other: of chunks that are not in this list."""
    known = {hit.id: hit.score for hit in hits}
    return np.array([[known.get(each, other) for each in ids]], dtype=np.float32)


def _ids(cut: CutDocuments) -> list[str]:
    documents = cut.store.ids
    return [chunk_id(documents[document], start, end) for document, start, end in cut.table.rows()]


def _batches(cut: CutDocuments, encoder: ChunkEncoder, on_chunks: Callable[[int], None]) -> Iterator[ChunkBatch]:
    """Yield the chunks of some documents together: memory holds one batch."""
    ids, done = _ids(cut), 0
    for batch in batches_of((document.text for document in cut.store), [cut.table], cut.prefixes):
        (table,) = batch.tables
        texts = [
            f"{batch.prefixes[document]}\n{batch.texts[document][start:end]}".lstrip("\n")
            for document, start, end in table.rows()
        ]
        if cut.setting.retriever == "lexical":  # a number that nothing looks at: there is no chunk without a vector
            vectors = np.ones((len(table), 1), np.float32)
        else:
            (vectors,) = chunk_vectors(
                batch.texts,
                [table],
                encoder,
                prefixes=batch.prefixes,
                vectors=cut.setting.vectors,
                progress=on_chunks,
            )
        yield ChunkBatch(ids[done : done + len(table)], texts, vectors)
        done += len(table)
