"""Chunks of other systems put in their places: which of our documents they are from, and where in it.

Retrieval metrics compare places. A system of someone else names documents in its own way (a path, a file name, a title)
and seldom says where in them a chunk stands; its text tells, whatever a loader or a splitter made of it.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath
from types import MappingProxyType

from ragassay.corpus.alignment import Alignment, Place
from ragassay.datasets.texts import Texts
from ragassay.records import Document, Prediction, RankedChunk

MOST_INDEXED_CHARS = 40_000_000
"""Of larger corpora only documents that a system names are looked through: the index takes 40 bytes a word."""
INDEXES_KEPT = 64
"""Indexes of single documents of such a corpus that are kept."""


_BEFORE = string.whitespace + ".,;:!?…)]}»”|"
"""Signs that end what stands before a place."""
_BEHIND = string.whitespace + "([{«“#*+-–>|"
"""Signs that begin what stands behind it."""


class Placer:
    """Knows the documents. Memory holds their names, and an index of their words where they are not too long for it."""

    def __init__(self, documents: Iterable[Document], own: Mapping[str, RankedChunk] = MappingProxyType({})) -> None:
        """own: the chunks whose places are known, by their ids."""
        self._own = own
        self._texts = Texts()
        self._ids: list[str] = []
        self._numbers: dict[str, int] = {}
        self._ids_of: dict[str, set[str]] = {}
        self._chars = 0
        for document in documents:
            if not self._texts.add(document.id, document.text):
                continue
            self._numbers[document.id] = len(self._ids)
            self._ids.append(document.id)
            for name in {document.source, PurePath(document.source).name, document.title} - {""}:
                self._ids_of.setdefault(name, set()).add(document.id)
            self._chars += len(document.text)
        self._place = lru_cache(maxsize=50_000)(self._placed)
        self._single = lru_cache(maxsize=INDEXES_KEPT)(self._index_of)
        self._all: Alignment | None = None

    def placed(self, prediction: Prediction) -> Prediction:
        """The prediction with its chunks in their places, as far as these can be told; scores and texts stay.

        A chunk that no document holds keeps what the system said of it, and counts by its text.
        """
        chunks = tuple(self.placed_chunk(chunk) for chunk in prediction.chunks)
        return prediction if chunks == prediction.chunks else replace(prediction, chunks=chunks)

    def close(self) -> None:
        """Removes what lies on disk."""
        self._texts.close()

    def placed_chunk(self, chunk: RankedChunk) -> RankedChunk:
        """As ``placed``, of one chunk."""
        own = self._own.get(chunk.chunk_id) or self._own.get(chunk.text or "")
        if own is not None and chunk.text in (None, "", own.text, own.chunk_id):
            return replace(own, score=chunk.score)
        if chunk.document_id in self._texts and chunk.end > chunk.start and not chunk.text:
            return chunk
        place = self._place(chunk.document_id or chunk.chunk_id, chunk.text or "", chunk.start, chunk.end)
        if place is None:
            return chunk
        document_id, start, end = place
        return replace(chunk, document_id=document_id, start=start, end=end)

    def _placed(self, name: str, text: str, start: int, end: int) -> tuple[str, int, int] | None:
        named = self.named(name)
        for document_id in named:
            if end > start and (self._texts.get(document_id) or "")[start:end].strip() == text.strip():
                return document_id, start, end
        found = self._found(named, text) if text.strip() else None
        if found is not None:
            return found
        if name in self._texts and start < end <= len(self._texts.get(name) or ""):
            return name, start, end  # its own words for what stands there
        if len(named) == 1 and not text:  # a system that names documents alone: all of it
            return named[0], 0, len(self._texts.get(named[0]) or "")
        return (named[0], 0, 0) if len(named) == 1 else None

    def _found(self, named: list[str], text: str) -> tuple[str, int, int] | None:
        """In the named documents, else in all of them."""
        if self._chars > MOST_INDEXED_CHARS:
            for document_id in named:
                place = self._single(document_id).find(text, [0])
                if place is not None:
                    return self._trimmed(document_id, place, text)
            return None
        if self._all is None:
            self._all = Alignment(self._texts.get(each) or "" for each in self._ids)
        place = self._all.find(text, [self._numbers[each] for each in named]) if named else None
        place = place or self._all.find(text)
        return self._trimmed(self._ids[place.document], place, text) if place else None

    def _trimmed(self, document_id: str, place: Place, text: str) -> tuple[str, int, int]:
        """The place of the very text where it stands there word for word, else of its words and the signs around."""
        held = (self._texts.get(document_id) or "")[place.start : place.end]
        at = held.find(text.strip())
        if at >= 0:
            return document_id, place.start + at, place.start + at + len(text.strip())
        own = held.lstrip(_BEFORE)
        start = place.start + len(held) - len(own)
        return document_id, start, start + len(own.rstrip(_BEHIND))

    def _index_of(self, document_id: str) -> Alignment:
        return Alignment([self._texts.get(document_id) or ""])

    def named(self, name: str) -> list[str]:
        """The documents that a name may stand for, by id, source, file name or title."""
        if name in self._texts:
            return [name]
        for form in (name, PurePath(name.replace("\\", "/")).name):
            if form and form in self._ids_of:
                return sorted(self._ids_of[form])
        return []
