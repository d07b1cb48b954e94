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
    """A question that rules ask of one document.

    form: the rule that wrote it ("table_cell", "own_question", "when", ...).
    answer: the phrase that answers, with every condition that belongs to it; empty where the document leaves it open.
    spans: verbatim stretches of the document that answer it, offsets into its text, in order; empty where it is open.
    keypoints: what an answer has to say; empty: the answer itself.
    claim: question and answer put together as a statement, for the verifier; empty: it puts them together itself. Of a
        question that is left open the sentence beside which it was asked.
    source: what the draft was read off ("table 3", "section Fees", "sentence 17"): of one source at most two drafts of
        one form are taken.
    worth: among drafts of one label those with more come first; 0 to 1. Drafts that a person wrote word for word have
        1, what is computed or looked up in structure about .6, what is made from a parse less.
    is_certain: whether construction makes it right, so that no model needs to read it.
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
