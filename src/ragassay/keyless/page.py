"""A document made ready for asking: its name as questions say it, its headings, and where each stretch stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ragassay.records import Document
from ragassay.synthesis.collection import Collection

_PROSE_CHARS = 20_000


@dataclass(frozen=True, eq=False)
class Page:
    """A page is equal to itself alone, so that what is read off it can be kept.

    document: what is asked about. collection: what all documents together tell (names of the site, known keys).

    name: how a question names what the document is about ("the travel policy", "MV Aurora"); empty where nothing does.
    is_thing: whether the name is a thing that has attributes ("MV Aurora"), not a text about something.
    """

    document: Document
    collection: Collection
    name: str
    is_thing: bool

    @property
    def prose(self) -> str:
        """So much of the text as shows how it writes its words."""
        return self.document.text[:_PROSE_CHARS]

    @cached_property
    def headings(self) -> tuple[tuple[int, int, int, str], ...]:
        """(start, end, level, text) of each heading, in order."""
        text = self.document.text
        return tuple(
            (block.start, block.end, block.level, text[block.start : block.end].strip())
            for block in self.document.blocks
            if block.kind == "heading"
        )

    @cached_property
    def _sections(self) -> tuple[list[int], list[tuple[str, ...]]]:
        """Where each heading starts, and it with those above it."""
        above: list[tuple[int, str]] = []
        paths = []
        for _, _, level, text in self.headings:
            while above and above[-1][0] >= level:
                above.pop()
            above.append((level, text))
            paths.append(tuple(text for _, text in above))
        return [start for start, *_ in self.headings], paths

    def section_at(self, offset: int) -> tuple[str, ...]:
        """The headings above an offset, outermost first."""
        starts, paths = self._sections
        place = bisect_right(starts, offset)
        return paths[place - 1] if place else ()

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """Where each paragraph or item of running text stands."""
        for block in self.document.blocks:
            if block.kind in {"paragraph", "item", "step"}:
                yield block.start, block.end
        if not self.document.blocks:
            yield 0, len(self.document.text)
