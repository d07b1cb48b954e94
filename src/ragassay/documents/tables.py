"""Which columns a table cell stands in, and what merged cells put into the places that they cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_MOST = 1_000
"""Columns that one cell may span (the limit of HTML), and columns that cells above may reach."""
_MOST_ROWS = 65_534
"""That one cell may span (the limit of HTML); zero stands for all that follow."""
_MOST_REPEATED_CHARS = 1_000_000
"""Of one table: merged cells could make terabytes of a small page."""


class Cell(NamedTuple):
    text: str
    literals: Sequence[tuple[int, int]] = ()
    header: bool = False


class Place(NamedTuple):
    """column: counted from 0. full_width: the cell spans all columns, as rows do that head those below them."""

    column: int
    columns: int
    rows: int
    full_width: bool


@dataclass(slots=True)
class Grid:
    """Gives each cell its column, and merged ones again; cells must be placed in order, row by row."""

    _column: int = 0
    _width: int = 0
    _above: dict[int, tuple[Cell, int]] = field(default_factory=dict)
    """Column to the cell that reaches into it from above, and how many rows are left of it."""
    _room: int = _MOST_REPEATED_CHARS

    def next_row(self) -> None:
        self._column = 0

    def next_section(self) -> None:
        """Begin a head, body or foot: no cell reaches into it from above."""
        self._above.clear()

    def from_above(self, *, rest: bool = False) -> Iterator[tuple[int, Cell]]:
        """Yield the cells of rows above that stand where the next cell would. rest: those up to the row's end, too."""
        last = max(self._above, default=-1) if rest else self._column
        while self._column <= last:
            if self._column in self._above:
                cell, rows = self._above.pop(self._column)
                if rows > 1:
                    self._above[self._column] = cell, rows - 1
                if not self._has_room(cell):
                    return
                yield self._column, cell
                last = max(last, self._column + 1)
            elif not rest:
                return
            self._column += 1

    def place(self, colspan: str | None, rowspan: str | None, *, is_alone: bool) -> Place:
        """Return where the next cell with these attributes stands. is_alone: it is the only one of its row."""
        columns = max(_span(colspan, _MOST), 1)
        full_width = is_alone and self._column == 0 and 1 < columns >= self._width
        place = Place(self._column, columns, _span(rowspan, _MOST_ROWS) or _MOST_ROWS, full_width)
        self._column += columns
        self._width = max(self._width, self._column)
        return place

    def spread(self, cell: Cell, place: Place) -> Iterator[tuple[int, Cell]]:
        """Yield the cell in each column that it covers; one of full width once. The rows below get it from above."""
        yield place.column, cell
        for column in range(place.column + 1, place.column + place.columns if not place.full_width else 0):
            if not cell.text or not self._has_room(cell):
                break
            yield column, cell
        if place.rows > 1 and self._room > 0:
            reached = range(place.column, min(place.column + place.columns, _MOST))
            self._above.update(dict.fromkeys(reached, (cell, place.rows - 1)))

    def _has_room(self, cell: Cell) -> bool:
        """Take room for one more copy of a cell; without room left, no cell reaches down any more."""
        self._room -= len(cell.text) + 1
        if self._room < 0:
            self._above.clear()
        return self._room >= 0


def _span(value: str | None, most: int) -> int:
    text = (value or "").strip()
    return min(int(text), most) if text.isdecimal() and len(text) < 6 else 1
