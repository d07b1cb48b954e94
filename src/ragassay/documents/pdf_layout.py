"""Where text stands on a page of a PDF: in the cells of a table that has rules, or in two columns."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import Any, NamedTuple

from ragassay.documents.parsed import Piece

_NEAR = 3.0
"""Points: rules that are not farther apart are one, or touch."""
_SHORTEST_RULE = 6.0
_MOST_RULES = 3_000
"""Of a page that has tables: drawings have more."""
_FILLED = 0.5
"""Share of the cells that hold something, from which rules are those of a table and not of a drawing."""
_FEWEST_ROWS = 3
"""Lines that all cells between two rules share, from which they are rows: cells may wrap, but seldom all alike."""
_FEWEST_LINES, _COLUMN_CHARS, _FULL, _MOSTLY = 8, 30, 0.7, 0.6
"""Lines side by side, their usual length, and the share that is nearly full, from which two columns are of prose."""

_SPACE = b"\n1 beginbfchar\n<FFFE> <0020>\nendbfchar\n"

Rows = list[list[str]]


class Chunk(NamedTuple):
    """A stretch of text as the page sets it. x, y: where it starts, in points from the lower left corner."""

    x: float
    y: float
    size: float
    piece: Piece


class Box(NamedTuple):
    left: float
    low: float
    right: float
    high: float

    def touches(self, other: Box) -> bool:
        is_beside = max(self.left, other.left) > min(self.right, other.right) + _NEAR
        return not is_beside and max(self.low, other.low) <= min(self.high, other.high) + _NEAR

    def holds(self, chunk: Chunk) -> bool:
        return self.left - _NEAR <= chunk.x <= self.right and self.low - _NEAR <= chunk.y <= self.high


def add_space(page: Any) -> None:
    """Add a space to fonts that have none: the library takes another character's width for it, and words for one."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    none = DictionaryObject()
    with suppress(AttributeError, TypeError):  # as the library does, whose own words follow
        for font in page.get("/Resources", none).get_object().get("/Font", none).get_object().values():
            font = font.get_object()
            if "/ToUnicode" in font:
                extended = DecodedStreamObject()
                extended.set_data(font["/ToUnicode"].get_object().get_data().removesuffix(_SPACE) + _SPACE)
                font[NameObject("/ToUnicode")] = extended


class Rules:
    """Gathers the straight lines that a page draws, edges of rectangles among them."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self._at = (0.0, 0.0)

    def draw(self, operator: bytes, operands: Sequence[Any], matrix: Sequence[float]) -> None:
        """Take an operator of the page's content."""
        if operator not in (b"m", b"l", b"re") or len(self.boxes) > _MOST_RULES:
            return
        x, y, *size = (float(number) for number in operands)
        start = _placed(matrix, x, y)
        if operator == b"l":
            self._add(self._at, start)
        elif operator == b"re" and len(size) == 2:
            end = _placed(matrix, x + size[0], y + size[1])
            corners = [start, (end[0], start[1]), end, (start[0], end[1]), start]
            for one, other in pairwise(corners):
                self._add(one, other)
        self._at = start

    def _add(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        (left, right), (low, high) = (sorted(pair) for pair in zip(one, other, strict=True))
        if min(right - left, high - low) < 1 and max(right - left, high - low) > _SHORTEST_RULE:
            self.boxes.append(Box(left, low, right, high))


def _placed(matrix: Sequence[float], x: float, y: float) -> tuple[float, float]:
    return matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]


def tables(rules: Rules, chunks: Sequence[Chunk]) -> list[tuple[Box, Rows]]:
    """Return each table of a page: where it stands, and the text of its cells."""
    found = []
    for group in _touching(rules.boxes) if len(rules.boxes) <= _MOST_RULES else ():
        across = [box for box in group if box.right - box.left > 1]
        down = [box for box in group if box.high - box.low > 1]
        if not across or not down:
            continue
        # and as far as the others reach: many a table has no frame
        ends = min(box.left for box in across), max(box.right for box in across)
        columns = _apart([*(box.left for box in down), *ends])
        ends = min(box.low for box in down), max(box.high for box in down)
        lines = _apart([*(box.low for box in across), *ends])
        if len(columns) > 2 and len(lines) > 2:
            place = Box(columns[0], lines[0], columns[-1], lines[-1])
            rows = _rows(columns, lines, [chunk for chunk in chunks if place.holds(chunk)])
            cells = [bool(cell) for cell in chain(*rows)]
            if len(rows) > 1 and len(rows[0]) > 1 and sum(cells) >= _FILLED * len(cells):
                found.append((place, rows))
    return found


def _touching(boxes: Sequence[Box]) -> list[list[Box]]:
    """Part rules into groups that hang together."""
    groups: list[tuple[Box, list[Box]]] = []
    ended: list[list[Box]] = []  # to the left of all that comes
    for box in sorted(set(boxes)):
        around, inside = box, [box]
        apart = []
        for place, group in groups:
            if place.touches(box):
                inside += group
                around = Box(*map(min, around[:2], place[:2]), *map(max, around[2:], place[2:]))
            elif place.right + _NEAR < box.left:
                ended.append(group)
            else:
                apart.append((place, group))
        groups = [*apart, (around, inside)]
    return ended + [group for _, group in groups]


def _apart(places: Any) -> list[float]:
    """Return places in order, of those near each other the first."""
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > _NEAR:
            kept.append(place)
    return kept


def _rows(columns: Sequence[float], lines: Sequence[float], chunks: Sequence[Chunk]) -> Rows:
    """Return the text of each cell, without rows and columns that are empty."""
    rows: list[list[list[Chunk]]] = [[[] for _ in columns[1:]] for _ in lines[1:]]
    for chunk in chunks:
        column = min(max(bisect_right(columns, chunk.x + _NEAR) - 1, 0), len(columns) - 2)
        row = len(lines) - 2 - min(max(bisect_right(lines, chunk.y + 1) - 1, 0), len(lines) - 2)
        rows[row][column].append(chunk)
    texts = [[_joined(cell) for cell in part] for row in rows for part in _parted(row)]
    filled = [any(column) for column in zip(*texts, strict=True)]
    return [[cell for cell, has_text in zip(row, filled, strict=True) if has_text] for row in texts if any(row)]


def _parted(row: list[list[Chunk]]) -> list[list[list[Chunk]]]:
    """Part what stands between two rules at its lines, where the cells have the same ones: rows without rules."""
    heights = [sorted({round(chunk.y) for chunk in cell}, reverse=True) for cell in row if cell]
    if not heights or len(heights[0]) < _FEWEST_ROWS or any(of_cell != heights[0] for of_cell in heights):
        return [row]
    return [[[chunk for chunk in cell if round(chunk.y) == height] for cell in row] for height in heights[0]]


def _joined(cell: Sequence[Chunk]) -> str:
    pairs = zip([*cell[:1], *cell], cell, strict=False)
    parts = [" " * (abs(above.y - chunk.y) > 1) + chunk.piece.text for above, chunk in pairs]
    return " ".join("".join(parts).split())


def in_reading_order(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the text of a page whose lines go across two columns column by column, all others as they stand."""
    pairs = [at for at, (one, other) in enumerate(pairwise(chunks), 1) if abs(one.y - other.y) < 1 and other.x > one.x]
    gutters = Counter(round(chunks[at].x / _NEAR) for at in pairs)
    if not gutters or (most := gutters.most_common(1)[0])[1] < _FEWEST_LINES:
        return list(chunks)
    gutter = most[0] * _NEAR - _NEAR
    starts = [at for at in pairs if abs(chunks[at].x - most[0] * _NEAR) <= _NEAR]
    sides: list[list[int]] = [[], []]
    for at in starts:
        line = [chunk for chunk in chunks[max(at - 20, 0) : at + 20] if abs(chunk.y - chunks[at].y) < 1]
        for side in (0, 1):
            sides[side].append(sum(len(chunk.piece.text.strip()) for chunk in line if (chunk.x >= gutter) == side))
    for lengths in sides:
        full = sum(length >= _FULL * max(lengths) for length in lengths)
        if sum(lengths) < _COLUMN_CHARS * len(lengths) or full < _MOSTLY * len(lengths):
            return list(chunks)
    first, last = starts[0], starts[-1] + 1
    while first > 0 and abs(chunks[first - 1].y - chunks[starts[0]].y) < 1:
        first -= 1
    return [*chunks[:first], *sorted(chunks[first:last], key=lambda chunk: chunk.x >= gutter), *chunks[last:]]
