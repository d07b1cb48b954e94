"""Chunks of other systems put in their places: which of our documents they are from, and where in it.

Retrieval metrics compare places. A system of someone else names documents in its own way (a path, a file name, a title)
and seldom says where in them a chunk stands; its text tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath

from ragassay.datasets.texts import Corpus, Texts, find_quote
from ragassay.records import Document, Prediction, RankedChunk

MOST_SEARCHED_CHARS = 10_000_000
"""In larger corpora a chunk whose document is not named is not looked for: each search reads all texts."""


class Placer:
    """Knows the documents. Memory holds their names, and their texts once where these are to be searched."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._texts = Texts()
        self._corpus: Corpus | None = Corpus()
        self._ids_of: dict[str, set[str]] = {}
        chars = 0
        for document in documents:
            self._texts.add(document.id, document.text)
            for name in {document.source, PurePath(document.source).name, document.title}:
                self._ids_of.setdefault(name, set()).add(document.id)
            chars += len(document.text)
            if chars > MOST_SEARCHED_CHARS:
                self._corpus = None
            if self._corpus is not None:
                self._corpus.add(document.id, document.text)
        self._place = lru_cache(maxsize=50_000)(self._placed)

    def placed(self, prediction: Prediction) -> Prediction:
        """The prediction with its chunks in their places, as far as these can be told; scores and texts stay.

        A chunk that no document holds keeps what the system said of it, and counts by its text.
        """
        chunks = tuple(self._chunk(chunk) for chunk in prediction.chunks)
        return prediction if chunks == prediction.chunks else replace(prediction, chunks=chunks)

    def close(self) -> None:
        """Removes what lies on disk."""
        self._texts.close()

    def _chunk(self, chunk: RankedChunk) -> RankedChunk:
        known = chunk.document_id in self._texts
        if known and chunk.end > chunk.start:
            return chunk
        place = self._place(chunk.document_id or chunk.chunk_id, chunk.text or "", chunk.start, chunk.end)
        if place is None:
            return chunk
        document_id, start, end = place
        return replace(chunk, document_id=document_id, start=start, end=end)

    def _placed(self, name: str, text: str, start: int, end: int) -> tuple[str, int, int] | None:
        named = self._named(name)
        for document_id in named:
            whole = self._texts.get(document_id) or ""
            if end > start and whole[start:end] == text:
                return document_id, start, end
            found = find_quote(whole, text)
            if found is not None:
                return document_id, *found
        if self._corpus is not None and text.strip():
            span = self._corpus.find(text)
            if span is not None:
                return span.document_id, span.start, span.end
        if len(named) == 1 and not text:  # a system that names documents alone: all of it
            return named[0], 0, len(self._texts.get(named[0]) or "")
        return (named[0], 0, 0) if len(named) == 1 else None

    def _named(self, name: str) -> list[str]:
        """The documents that a name may stand for, by id, source, file name or title."""
        if name in self._texts:
            return [name]
        for form in (name, PurePath(name.replace("\\", "/")).name):
            if form and form in self._ids_of:
                return sorted(self._ids_of[form])
        return []
