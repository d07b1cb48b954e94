"""The chunks of the built-in system in a store: on disk, in faiss, in PostgreSQL.

A store gives the first chunks by vector and by word. Hybrid search joins the first ``LISTED`` of either list. What
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

from ragassay.rag.setting import Setting
from ragassay.records import RankedChunk
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.dense_vectors import TOGETHER_CHARS, ChunkEncoder, chunk_vectors
from ragassay.retrieval.hybrid import hybrid_scores, top_k
from ragassay.retrieval.stores.base import ChunkBatch, Hit, Store
from ragassay.systems.rag_index import CutDocuments, chunk_id

LISTED = 1_000
"""The more, the nearer to the ranking of all chunks. More than pgvector finds by HNSW at once is of no use."""


class StoreIndex:
    """Searches a store whose chunks are those of the documents."""

    def __init__(self, cut: CutDocuments, store: Store) -> None:
        self._cut = cut
        self._store = store
        self._rows = {each: row for row, each in enumerate(_ids(cut))}

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """As ``Searcher.search``."""
        retriever = self._cut.setting.retriever
        wanted = max(k, LISTED) if retriever == "hybrid" else k
        lexical = self._store.lexical(questions, wanted) if retriever != "dense" else None
        dense = self._store.dense(vectors, wanted) if vectors is not None else None
        if lexical is None or dense is None:
            return [self._chunks(hits[:k]) for hits in (dense if lexical is None else lexical) or ()]
        return [self._chunks(self._joined(*both, wanted, k)) for both in zip(lexical, dense, strict=True)]

    def behind_prefix(self, chunk: RankedChunk) -> str:
        """As ``Searcher.behind_prefix``."""
        return self._cut.behind_prefix(chunk)

    def close(self) -> None:
        """Closes the store."""
        self._store.close()

    def _chunks(self, hits: Sequence[Hit]) -> tuple[RankedChunk, ...]:
        return tuple(self._cut.chunk(self._rows[hit.id], hit.score) for hit in hits)

    def _joined(self, lexical: Sequence[Hit], dense: Sequence[Hit], wanted: int, k: int) -> list[Hit]:
        ids = sorted({hit.id for hit in (*lexical, *dense)}, key=self._rows.__getitem__)
        if not ids:
            return []
        by_word = _scores(ids, lexical, 0.0 if len(lexical) < wanted else lexical[-1].score)
        by_vector = _scores(ids, dense, dense[-1].score if dense else 0.0)  # approximate search may find fewer than all
        scores = hybrid_scores(by_word, by_vector, self._cut.setting.fusion, self._cut.setting.text_weight)
        return [Hit(ids[place], score) for place, score in top_k(scores, k).of(0)]


def fill_store(
    store: Store,
    cut: CutDocuments,
    encoder: ChunkEncoder,
    encoder_name: str,
    on_chunks: Callable[[int], None] = lambda done: None,
) -> None:
    """Puts the chunks into a store, unless it holds these already, with these prefixes and vectors."""
    fingerprint = _fingerprint(cut, encoder_name)
    if store.fingerprint != fingerprint:
        store.fill(_batches(cut, encoder, on_chunks), fingerprint)


def _scores(ids: Sequence[str], hits: Sequence[Hit], other: float) -> npt.NDArray[np.float32]:
    """(1, n) float32. other: of chunks that are not in this list."""
    known = {hit.id: hit.score for hit in hits}
    return np.array([[known.get(each, other) for each in ids]], dtype=np.float32)


def _fingerprint(cut: CutDocuments, encoder_name: str) -> str:
    digest = hashlib.sha256()
    makes = {"encoder": encoder_name, "vectors": cut.setting.vectors} if cut.setting.retriever != "lexical" else {}
    digest.update(json.dumps([makes, cut.setting.prefix, cut.cut.language]).encode())
    for document, prefix in zip(cut.store, cut.prefixes or [""] * len(cut.store), strict=True):
        digest.update(f"{document.id}\0{prefix}\0{document.text}\0".encode("utf-8", "surrogatepass"))
    for column in (cut.table.documents, cut.table.starts, cut.table.ends):
        digest.update(column.tobytes())
    return digest.hexdigest()[:32]


def _ids(cut: CutDocuments) -> list[str]:
    documents = cut.store.ids
    places = zip(cut.table.documents.tolist(), cut.table.starts.tolist(), cut.table.ends.tolist(), strict=True)
    return [chunk_id(documents[document], start, end) for document, start, end in places]


def _batches(cut: CutDocuments, encoder: ChunkEncoder, on_chunks: Callable[[int], None]) -> Iterator[ChunkBatch]:
    """The chunks of some documents together: memory holds one batch."""
    ids, table = _ids(cut), cut.table
    first, texts, chars = 0, list[str](), 0
    for ordinal, document in enumerate(cut.store):
        texts.append(document.text)
        chars += len(document.text)
        if chars < TOGETHER_CHARS and ordinal + 1 < len(cut.store):
            continue
        begin, end = np.searchsorted(table.documents, (first, ordinal + 1))
        part = ChunkTable(table.documents[begin:end] - np.int32(first), table.starts[begin:end], table.ends[begin:end])
        own = cut.prefixes[first : ordinal + 1] or [""] * len(texts)
        places = zip(part.documents.tolist(), part.starts.tolist(), part.ends.tolist(), strict=True)
        yield ChunkBatch(
            ids[begin:end],
            [f"{own[place]}\n{texts[place][start:stop]}".lstrip("\n") for place, start, stop in places],
            _vectors(cut.setting, texts, part, own, encoder, on_chunks),
        )
        first, texts, chars = ordinal + 1, [], 0


def _vectors(
    setting: Setting,
    texts: Sequence[str],
    table: ChunkTable,
    prefixes: Sequence[str],
    encoder: ChunkEncoder,
    progress: Callable[[int], None],
) -> npt.NDArray[np.float32]:
    """For BM25 alone a number that nothing looks at: stores take no chunk without a vector."""
    if setting.retriever == "lexical":
        return np.ones((len(table), 1), np.float32)
    (found,) = chunk_vectors(texts, [table], encoder, prefixes=prefixes, vectors=setting.vectors, progress=progress)
    return found
