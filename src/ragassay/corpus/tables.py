"""Which column a table cell stands in, when cells above or before it span several."""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST = 1_000
"""Columns and rows that one cell may span (the limit of HTML for columns)."""


@dataclass(slots=True)
class ColumnCounter:
    """Gives each cell its column; cells must be placed in order, row by row."""

    _column: int = 0
    _rows_left: dict[int, int] = field(default_factory=dict)

    def next_row(self) -> None:
        """A row begins."""
        self._column = 0

    def place(self, colspan: str | None, rowspan: str | None) -> int:
        """The column, counted from 0, of the next cell with these attributes."""
        while self._rows_left.get(self._column, 0):
            self._rows_left[self._column] -= 1
            self._column += 1
        column = self._column
        width, height = _span(colspan), _span(rowspan)
        if height > 1:
            self._rows_left.update(dict.fromkeys(range(column, column + width), height - 1))
        self._column += width
        return column


def _span(value: str | None) -> int:
    text = (value or "").strip()
    return min(max(int(text), 1), _MOST) if text.isdecimal() and len(text) < 6 else 1
