"""A document made ready for asking: its name as questions say it, its headings, and where each stretch stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ragassay.records import Document
from ragassay.synthesis.collection import Collection


@dataclass(frozen=True)
class Page:
    """document: what is asked about. collection: what all documents together tell (names of the site, known keys).

    name: how a question names what the document is about ("the travel policy", "MV Aurora"); empty where nothing does.
    is_thing: whether the name is a thing that has attributes ("MV Aurora"), not a text about something.
    """

    document: Document
    collection: Collection
    name: str
    is_thing: bool

    @cached_property
    def headings(self) -> tuple[tuple[int, int, int, str], ...]:
        """(start, end, level, text) of each heading, in order."""
        text = self.document.text
        return tuple(
            (block.start, block.end, block.level, text[block.start : block.end].strip())
            for block in self.document.blocks
            if block.kind == "heading"
        )

    def section_at(self, offset: int) -> tuple[str, ...]:
        """The headings above an offset, outermost first."""
        above: list[tuple[int, str]] = []
        for start, _, level, text in self.headings:
            if start > offset:
                break
            while above and above[-1][0] >= level:
                above.pop()
            above.append((level, text))
        return tuple(text for _, text in above)

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """Where each paragraph or item of running text stands."""
        for block in self.document.blocks:
            if block.kind in {"paragraph", "item", "step"}:
                yield block.start, block.end
        if not self.document.blocks:
            yield 0, len(self.document.text)
