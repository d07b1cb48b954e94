"""The texts of documents on disk while a data set streams by, and where a quote stands in one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import lru_cache

from ragassay.records import RankedChunk, Span

_KEPT = 8
"""Texts kept in memory after they were read: examples of one document mostly stand together."""


class Texts:
    """Texts of documents by id, in a temporary file; memory holds ids and places."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close(), which __exit__ calls
        self._places: dict[str, tuple[int, int]] = {}
        self._read = lru_cache(_KEPT)(self._text_at)

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, document_id: str, text: str) -> bool:
        """Keep a text; False, and the earlier one stays, where the id is taken."""
        if document_id in self._places:
            return False
        data = text.encode("utf-8", "surrogatepass")
        place = self._file.seek(0, 2)
        self._file.write(data)
        self._places[document_id] = (place, len(data))
        return True

    def get(self, document_id: str) -> str | None:
        """Return the text, or None for an unknown id."""
        place = self._places.get(document_id)
        return None if place is None else self._read(*place)

    def _text_at(self, start: int, size: int) -> str:
        self._file.seek(start)
        return self._file.read(size).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def __enter__(self) -> Texts:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def chunk_texts(chunks: Iterable[RankedChunk], texts: Texts) -> list[str]:
    """Return the texts of retrieved chunks, in order: their own, or those of their documents; others are left out."""
    found = []
    for chunk in chunks:
        document = texts.get(chunk.document_id) if chunk.text is None else None
        text = document[chunk.start : chunk.end] if document is not None else chunk.text
        if text is not None:
            found.append(text)
    return found


def unplaced(document_id: str, quote: str) -> Span:
    """Return a quote that was not found: with empty offsets, so that nothing is lost and ``check`` names it."""
    return Span(document_id=document_id, start=0, end=0, text=quote)


def find_quote(text: str, quote: str, near: int = 0) -> tuple[int, int] | None:
    """Return (start, end) of a quote, white space apart, the one nearest to an offset; None where it is not there."""
    if not quote.strip():
        return None
    place = _nearest(text, quote, near)
    if place >= 0:
        return place, place + len(quote)
    # published sets lost line ends between the sentences of a reference
    dense, places = _dense(text)
    wanted = "".join(quote.split())
    found = dense.find(wanted)
    return None if found < 0 else (places[found], places[found + len(wanted) - 1] + 1)


def _nearest(text: str, quote: str, near: int) -> int:
    if near <= 0:
        return text.find(quote)
    after = text.find(quote, near)
    before = text.rfind(quote, 0, near + len(quote) - 1)
    if after < 0 or (before >= 0 and near - before <= after - near):
        return before
    return after


@lru_cache(maxsize=2)
def _dense(text: str) -> tuple[str, list[int]]:
    """Return a text without white space, and where each of its characters stands in the text."""
    places = [place for place, character in enumerate(text) if not character.isspace()]
    return "".join(text[place] for place in places), places
