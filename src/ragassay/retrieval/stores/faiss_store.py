"""The store with faiss (extra ``faiss``): exact, or approximate with a graph that grows with the chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ragassay.errors import UsageError
from ragassay.retrieval.dense import check_unit_rows
from ragassay.retrieval.stores.base import MARGIN, ChunkBatch, Hit, Vectors, best_first, check_new, cosines
from ragassay.retrieval.stores.words import WordsBuilder, best_by_words, places_of

LINKS, BUILD_BREADTH, SEARCH_BREADTH = 32, 200, 128
"""Of HNSW (Malkov and Yashunin 2018): M, efConstruction and efSearch; docs/retrieval.md has the recall they give."""
_MORE = 32
"""Looked at beyond the k-th, since float32 and ties may have put a better one there."""
_TOGETHER = 256
"""Questions that faiss is asked at once: one by one, its threads wait for each other longer than they work."""


class FaissStore:
    """Vectors in memory, in an index of faiss; BM25 is our own. The scores are worked out again, as in other stores."""

    def __init__(self, *, approximate: bool = False, language: str = "en") -> None:
        """approximate: a graph (HNSW) in the place of looking at every vector.

        Raises UsageError where the extra is not installed.
        """
        try:
            import faiss
        except ImportError:
            raise UsageError("store faiss needs faiss; install it with: pip install 'ragassay[faiss]'") from None
        self._faiss: Any = faiss
        self._approximate = approximate
        self._language = language
        self.fill(())

    @property
    def is_exact(self) -> bool:
        return not self._approximate

    def __len__(self) -> int:
        return len(self._ids)

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Takes all chunks."""
        self._ids: list[str] = []
        self._index: Any = None
        seen: set[str] = set()
        words = WordsBuilder(self._language)
        for batch in batches:
            check_new(batch.ids, seen)
            check_unit_rows(batch.vectors, "chunk")
            if self._index is None:
                self._index = self._new_index(batch.vectors.shape[1])
            self._index.add(np.ascontiguousarray(batch.vectors, np.float32))
            self._ids += batch.ids
            words.add(batch.texts)
        self._order = places_of(self._ids)
        self._tokens, self._lexical = words.result()
        self.fingerprint = fingerprint

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """As ``Store.dense``; approximate where that was asked for."""
        check_unit_rows(questions, "question")
        if self._index is None:
            return [[] for _ in questions]
        found: list[list[Hit]] = []
        for begin in range(0, len(questions), _TOGETHER):
            some = np.ascontiguousarray(questions[begin : begin + _TOGETHER], np.float32)
            wanted = min(k + _MORE, len(self._ids))
            scores, rows = self._index.search(some, wanted)
            found += [self._best(*each, k) for each in zip(some, scores, rows, strict=True)]
        return found

    def lexical(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """As ``Store.lexical``."""
        terms = (self._tokens.terms_of(question) for question in questions)
        return [best_by_words(self._lexical, self._order, self._ids, each, k) for each in terms]

    def close(self) -> None:
        """Nothing is held outside of memory."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _new_index(self, dimension: int) -> Any:
        if not self._approximate:
            return self._faiss.IndexFlatIP(dimension)
        index = self._faiss.IndexHNSWFlat(dimension, LINKS, self._faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = BUILD_BREADTH
        index.hnsw.efSearch = SEARCH_BREADTH
        return index

    def _best(self, question: Vectors, scores: Vectors, rows: npt.NDArray[np.int64], k: int) -> list[Hit]:
        """The first k of those that were found, or of more where these may not be all that come near the k-th."""
        wanted = len(rows)
        while True:
            known = rows[rows >= 0]
            is_sure = wanted == len(self._ids) or len(known) < wanted or scores[-1] < scores[k - 1] - MARGIN
            if is_sure or self._approximate:
                vectors = self._index.reconstruct_batch(known)
                return best_first([self._ids[row] for row in known.tolist()], cosines(vectors, question), k)
            wanted = min(2 * wanted, len(self._ids))
            (scores,), (rows,) = self._index.search(question[None], wanted)
