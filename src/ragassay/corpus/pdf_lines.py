"""The lines of a PDF page: what stands at one height, with its size and kind of type."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragassay.corpus.parsed import Piece, clean_characters

if TYPE_CHECKING:
    from pypdf import PageObject

_MONOSPACED = re.compile(r"courier|consol|mono|menlo|cmtt|typewriter|nimbusmon|inconsolata", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|cmbx|demi|[-+]?medi\b", re.IGNORECASE)
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_SAME_HEIGHT = 0.35
"""Of the type's size: sub- and superscripts are raised by less than a line."""


@dataclass(slots=True)
class Line:
    """x, y: where it starts, in points from the lower left corner. size: of most of its type."""

    x: float
    y: float
    size: float
    starts_page: bool = False
    pieces: list[Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The line as it reads."""
        return "".join(piece.text for piece in self.pieces)

    def is_all(self, kind: str) -> bool:
        """Whether everything in it is "literal" or "strong" type."""
        marked = [getattr(piece, kind) for piece in self.pieces if piece.text.strip()]
        return bool(marked) and all(marked)


def lines_of_page(page: PageObject) -> list[Line]:
    """The lines of a page in the order of its content."""
    lines: list[Line] = []
    sizes: list[Counter[float]] = []

    def visit(
        text: str, place: list[float], matrix: list[float], font: dict[str, Any] | None, font_size: float
    ) -> None:
        text = _LIGATURE.sub(lambda match: _LIGATURES[match.group()], clean_characters(text)).replace("\n", " ")
        if not text.strip():
            return
        x = matrix[4] * place[0] + matrix[5] * place[2] + place[4]
        y = matrix[4] * place[1] + matrix[5] * place[3] + place[5]
        size = round(abs(font_size * (matrix[3] or matrix[0]) * (place[3] or place[0])), 1)
        name = str((font or {}).get("/BaseFont", ""))
        if not lines or abs(lines[-1].y - y) > _SAME_HEIGHT * max(size, lines[-1].size):
            lines.append(Line(x=x, y=y, size=size, starts_page=not lines))
            sizes.append(Counter())
        lines[-1].pieces.append(Piece(text, literal=bool(_MONOSPACED.search(name)), strong=bool(_BOLD.search(name))))
        sizes[-1][size] += len(text)

    page.extract_text(visitor_text=visit)
    for line, counted in zip(lines, sizes, strict=True):
        line.size = counted.most_common(1)[0][0]
    return lines
