"""The open elements of a page that give the text inside them a meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ragassay.corpus.parsed import Piece
from ragassay.corpus.tables import Grid, Place
from ragassay.records import BlockKind

ContextKind = Literal[
    "page",
    "list",
    "li",
    "dl",
    "dt",
    "dd",
    "record",
    "key",
    "value",
    "table",
    "cell",
    "heading",
    "label",
    "caption",
    "quote",
    "code",
]
NESTING = ("li", "dd", "dt", "key", "value")
"""What is inside them starts on the next line, without a blank line between."""


@dataclass(slots=True)
class Context:
    """An open element that gives the text inside it a meaning.

    used: something was added for it already (an item's text, a row's first cell, a list's first item).
    grid, place: of a table, and of a cell in it.
    described: a cell whose first paragraph named what the next ones describe.
    """

    kind: ContextKind
    depth: int
    group: int = -1
    row: int = -1
    column: int = -1
    level: int = 0
    ordered: bool = False
    used: bool = False
    header: bool = False
    described: bool = False
    grid: Grid = field(default_factory=Grid)
    place: Place | None = None


_RESULT_SIGN = "→"
"""Between an expression and its value in such a cell: an example, and no description."""


def leaf_kind(inner: Context, pieces: Sequence[Piece]) -> BlockKind:
    """What running text is that stands directly in a context."""
    if inner.kind == "li":
        return "paragraph" if inner.used else "step" if inner.ordered else "item"
    if inner.kind == "cell":
        if inner.header:
            return "header_cell"
        if not inner.used:
            return "term"
        return "code" if _RESULT_SIGN in "".join(piece.text for piece in pieces if not piece.literal) else "definition"
    if inner.kind == "dt":
        return "term"
    if inner.kind == "dd":
        return "definition"
    return "quote" if inner.kind == "quote" else "paragraph"
