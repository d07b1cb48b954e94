"""Which column a table cell stands in, when cells above or before it span several."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

_MOST = 1_000
"""Columns and rows that one cell may span (the limit of HTML for columns), and columns that cells above may reach."""


class Place(NamedTuple):
    """column: counted from 0. full_width: the cell spans all columns, as rows do that head those below them."""

    column: int
    full_width: bool


@dataclass(slots=True)
class ColumnCounter:
    """Gives each cell its column; cells must be placed in order, row by row."""

    _column: int = 0
    _width: int = 0
    _rows_left: dict[int, int] = field(default_factory=dict)

    def next_row(self) -> None:
        """A row begins."""
        self._column = 0

    def place(self, colspan: str | None, rowspan: str | None) -> Place:
        """Where the next cell with these attributes stands."""
        while self._rows_left.get(self._column, 0):
            self._rows_left[self._column] -= 1
            self._column += 1
        column = self._column
        width, height = _span(colspan), _span(rowspan)
        if height > 1:
            self._rows_left.update(dict.fromkeys(range(column, min(column + width, _MOST)), height - 1))
        self._column += width
        full_width = width > 1 and column == 0 and width >= self._width
        self._width = max(self._width, self._column)
        return Place(column, full_width)


def _span(value: str | None) -> int:
    text = (value or "").strip()
    return min(max(int(text), 1), _MOST) if text.isdecimal() and len(text) < 6 else 1
