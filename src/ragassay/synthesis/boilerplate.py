"""Lines that many documents of a collection share: footers, notices, reminders. Nobody asks one document about them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b

from ragassay.records import Document, Span

FEWEST_CHARS = 60
"""A shorter line may well be an attribute that many have: "Home port: Elm"."""
FEWEST_DOCUMENTS = 5
LEAST_SHARE = 0.02
"""Of the documents, below which a line is no boilerplate: a manual says some things on a handful of pages."""
_KINDS = frozenset(("paragraph", "item", "quote", "definition"))
_BUCKET = 1024
"""Documents after which lines that were not seen often are forgotten: counts are too low by at most one for each such
bucket, and memory holds the lines of so many documents (lossy counting, Manku and Motwani 2002)."""


@dataclass(frozen=True, slots=True)
class Boilerplate:
    """The lines that are boilerplate, by digest."""

    digests: frozenset[bytes] = frozenset()

    def __len__(self) -> int:
        return len(self.digests)

    def holds(self, document: Document, span: Span) -> bool:
        """Whether a stretch lies wholly in such lines of its document."""
        if not self.digests:
            return False
        blocks = document.blocks
        first = bisect_left(blocks, span.start + 1, key=lambda block: block.end)
        touched = []
        for block in blocks[first:]:
            if block.start >= span.end:
                break
            touched.append(document.text[block.start : block.end])
        return bool(touched) and all(_digest(line) in self.digests for line in touched)


NONE = Boilerplate()
"""Of a collection whose documents share no line."""


class LineCounter:
    """Counts in how many documents each line stands."""

    def __init__(self) -> None:
        self._counts: Counter[bytes] = Counter()
        self._documents = 0

    def add(self, document: Document) -> None:
        """Counts the lines of one document, each once."""
        lines = {
            _digest(document.text[block.start : block.end])
            for block in document.blocks
            if block.kind in _KINDS and block.end - block.start >= FEWEST_CHARS
        }
        self._counts.update(lines)
        self._documents += 1
        if self._documents % _BUCKET == 0:
            self._counts = Counter({line: count - 1 for line, count in self._counts.items() if count > 1})

    def result(self) -> Boilerplate:
        """The lines that stand in enough of the documents so far."""
        enough = max(FEWEST_DOCUMENTS, LEAST_SHARE * self._documents) - self._documents // _BUCKET
        return Boilerplate(frozenset(line for line, count in self._counts.items() if count >= enough))


def _digest(line: str) -> bytes:
    return blake2b(" ".join(line.split()).encode("utf-8", "surrogatepass"), digest_size=8).digest()
