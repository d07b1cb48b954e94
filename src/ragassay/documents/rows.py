"""Rows of cells to a table; one that is too long for a passage to records, whose values stand beside their heads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.documents.parsed import TextBuilder, UnreadableError
from ragassay.records import BlockKind

_LONGEST_TABLE = 4_000
"""Characters of a table, the usual length of a passage: a piece cut from a longer one would not have its heads."""
MOST_CELLS = 2_000_000
"""The blocks of so many take about 1 GB of memory."""
_NUMBER = re.compile(r"[-+]?[\d.,]*\d%?")
_YEAR = re.compile(r"(?:19|20)\d\d")


def add_rows(builder: TextBuilder, rows: Sequence[Sequence[str]]) -> None:
    """Add rows of cells, each on one line, empty ones included; the first row has the heads if it looks so.

    Raises UnreadableError where there are too many cells.
    """
    if (count := sum(map(len, rows))) > MOST_CELLS:
        raise UnreadableError(f"it has {count:,} table cells, more than the limit of {MOST_CELLS:,}; split it")
    is_headed = _is_headed(rows)
    if is_headed and sum(len(cell) + 3 for row in rows for cell in row) > _LONGEST_TABLE:
        for row in rows[1:]:
            _add_record(builder, rows[0], row)
        return
    group = builder.new_group()
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            kind: BlockKind = "header_cell" if is_headed and number == 0 else "cell"
            between = "" if column else "\n" if number else "\n\n"
            builder.separate(" | " if column and any(row[column:]) else between)
            builder.add_text(kind, cell, separator="", group=group, row=number, column=column)


def _add_record(builder: TextBuilder, heads: Sequence[str], row: Sequence[str]) -> None:
    group, separator = builder.new_group(), "\n\n"
    for number, (head, value) in enumerate(zip(heads, row, strict=False)):
        if value:
            if builder.add_text("key", head, separator=separator, group=group, row=number, column=0):
                separator = ": "
            builder.add_text("value", value, separator=separator, group=group, row=number, column=1)
            separator = "\n"


def _is_headed(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row is as wide as any, and of words but for its corner, or of years above none."""
    if len(rows) < 2 or len(rows[0]) != max(map(len, rows)):
        return False
    numbers = [column for column, cell in enumerate(rows[0]) if _NUMBER.fullmatch(cell)]
    below = [row[column] for row in rows[1:] for column in numbers if column < len(row)]
    are_years = all(_YEAR.fullmatch(rows[0][column]) for column in numbers) and not any(map(_YEAR.fullmatch, below))
    return all(rows[0][1:]) and len(numbers) < len(rows[0]) and are_years
