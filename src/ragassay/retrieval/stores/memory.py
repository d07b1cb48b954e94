"""The store in memory: exact, and quick up to some hundred thousand chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from ragassay.retrieval.dense import check_unit_rows
from ragassay.retrieval.stores.base import ChunkBatch, Hit, Vectors, check_new
from ragassay.retrieval.stores.nearest import nearest
from ragassay.retrieval.stores.words import WordsBuilder, best_by_words, places_of


class MemoryStore:
    """Vectors in one array; goes with the process."""

    is_exact = True

    def __init__(self, language: str = "en") -> None:
        """language: of chunks and questions, ISO 639-1."""
        self._language = language
        self.fill(())

    def __len__(self) -> int:
        return len(self._ids)

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Takes all chunks. Raises InputError for an id that comes twice, ValueError for vectors of another length."""
        ids: list[str] = []
        parts: list[Vectors] = []
        seen: set[str] = set()
        words = WordsBuilder(self._language)
        for batch in batches:
            check_new(batch.ids, seen)
            check_unit_rows(batch.vectors, "chunk")
            ids += batch.ids
            parts.append(np.asarray(batch.vectors, np.float32))
            words.add(batch.texts)
        self._ids = ids
        self._order = places_of(ids)
        self._vectors = np.concatenate(parts) if parts else np.empty((0, 0), np.float32)
        self._tokens, self._lexical = words.result()
        self.fingerprint = fingerprint

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """As ``Store.dense``."""
        check_unit_rows(questions, "question")
        if not self._ids:
            return [[] for _ in questions]
        return nearest(self._vectors, self._ids, questions, k)

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
