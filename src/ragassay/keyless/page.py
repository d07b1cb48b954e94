"""What rules are given and what they make: a document made ready for asking, and a question with its answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from ragassay.generate.collection import Collection
from ragassay.records import Document, Label

_PROSE_CHARS = 20_000
_OF_TABLES = frozenset("cell header_cell title caption heading page".split())


@dataclass(frozen=True, eq=False)
class Page:
    """A page is equal to itself alone, so that what is read off it can be kept. collection: what all documents tell.

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

    @property
    def is_table(self) -> bool:
        """Whether the document is a table, or tables, and nothing else."""
        return bool(self.document.blocks) and all(block.kind in _OF_TABLES for block in self.document.blocks)

    @cached_property
    def _headings(self) -> list[tuple[int, tuple[str, ...]]]:
        """(start, it with those above it, outermost first) of each heading."""
        above: list[tuple[int, str]] = []
        found = []
        for block in self.document.blocks:
            if block.kind == "heading":
                while above and above[-1][0] >= block.level:
                    above.pop()
                above.append((block.level, self.document.text[block.start : block.end].strip()))
                found.append((block.start, tuple(text for _, text in above)))
        return found

    def headings_above(self, offset: int) -> tuple[str, ...]:
        """Return the headings above an offset, outermost first."""
        place = bisect_right(self._headings, offset, key=itemgetter(0))
        return self._headings[place - 1][1] if place else ()

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """Where each paragraph or item of running text stands."""
        for block in self.document.blocks:
            if block.kind in {"paragraph", "item", "step"}:
                yield block.start, block.end
        if not self.document.blocks:
            yield 0, len(self.document.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """form: the rule that wrote it. answer: with every condition; empty where the document leaves it open.

    spans: stretches of the document that answer it, offsets in order; the heads of a table are among them, and no
    reference of the example. keypoints: none for the answer itself. claim: question and answer as a statement; empty:
    the verifier puts them together. source: what it was read off ("table 3"): of one at most two drafts of one form are
    taken. worth: 0 to 1, more comes first: what a person wrote word for word has 1, what is looked up about .6, what is
    made from a parse less. is_certain: no model needs to read it.
    """

    label: Label
    form: str
    question: str
    answer: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    keypoints: tuple[str, ...] = ()
    claim: str = ""
    source: str = ""
    worth: float = 0.5
    is_certain: bool = False
