"""Values with delimiters between them (CSV) to a document that is one table."""

from __future__ import annotations

import csv
import re
from io import StringIO

from ragassay.corpus.parsed import ParsedText, TextBuilder, UnreadableError
from ragassay.records import BlockKind

_DELIMITERS = ",;\t"
_SEEN_ROWS = 100
"""From which the delimiter is told."""
_NUMBER = re.compile(r"[-+]?[\d.,]*\d%?")


def read_delimited(source: str, name: str) -> ParsedText:
    """Read rows as a table; the first one has its heads unless a cell of it is a number or empty. name: of the file."""
    rows = _rows(source, max(_DELIMITERS, key=lambda each: _fit(source, each)))
    builder = TextBuilder()
    group = builder.new_group()
    width = max(map(len, rows), default=0)
    is_headed = len(rows) > 1 and len(rows[0]) == width and not any(map(_is_value, rows[0]))
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            kind: BlockKind = "header_cell" if is_headed and number == 0 else "cell"
            separator = " | " if column else "\n"
            builder.add_text(kind, cell, separator=separator, group=group, row=number, column=column)
    title = re.sub(r"[_\W]+", " ", name).strip()
    return builder.build(title)


def _rows(source: str, delimiter: str) -> list[list[str]]:
    """The rows that hold something, cells on one line each. Raises UnreadableError for a quotation that never ends."""
    try:
        read = csv.reader(StringIO(source, newline=""), delimiter=delimiter, strict=True)
        rows = [[" ".join(cell.split()) for cell in row] for row in read]
    except csv.Error as error:
        raise UnreadableError(f"its rows cannot be told apart: {error}") from None
    return [row for row in rows if any(row)]


def _fit(source: str, delimiter: str) -> tuple[int, int]:
    """(rows with as many cells as the first, cells of the first), which the right delimiter has most of."""
    try:
        sample = "\n".join(source.splitlines()[:_SEEN_ROWS])
        widths = [len(row) for row in csv.reader(StringIO(sample, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        return 0, 0
    return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)


def _is_value(cell: str) -> bool:
    return not cell or _NUMBER.fullmatch(cell) is not None
