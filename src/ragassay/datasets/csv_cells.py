"""Tables of text with a header: read with bounds and by name, written so that no cell runs in a spreadsheet."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import tokenize
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import MOST_LINE_BYTES, Row
from ragassay.errors import InputError
from ragassay.plain_files import open_plain

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a spreadsheet takes for a formula, with any quotes that keep it from that already."""
_GUARDED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")

_LONGEST_LITERAL = 10_000_000
"""Characters of a list that is written as Python writes it; JSON may be longer."""
_UNCLOSED = "unexpected end of data"
"""What the reader of the standard library says at the end of a file that a quote is still open in."""


def guarded(cell: str) -> str:
    """Return the cell with an apostrophe before what a spreadsheet would run; ``unguarded`` takes it off again."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return the cell as it was before ``guarded``."""
    return cell[1:] if _GUARDED.match(cell) else cell


def list_in(cell: str) -> Any:
    """Return the list in a cell: as JSON, as Python or as numpy prints it (``['a' 'b']``); None for anything else."""
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        value = _printed(cell) if len(cell) <= _LONGEST_LITERAL else None
    return value if isinstance(value, list) else None


def _printed(cell: str) -> Any:
    try:
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(cell.strip()).readline)
            if token.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)
        ]
        first, *inner, last = tokens
        if (first.string, last.string) == ("[", "]") and all(
            token.type == tokenize.STRING or token.string == "," for token in inner
        ):
            # numpy prints no commas, and Python would take neighbours for one text
            return [ast.literal_eval(token.string) for token in inner if token.type == tokenize.STRING]
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return None


def header_of(path: Path) -> list[str]:
    """Return the names of the columns. Raises InputError where the file is no table in UTF-8."""
    with _opened(path) as file:
        return _header(file, path)[0]


def read_table(path: Path, notes: Notes) -> Iterator[Row]:
    """Return the rows as objects of texts, cells unguarded; columns are apart by comma, semicolon or tab."""
    csv.field_size_limit(MOST_LINE_BYTES)  # of the whole process; the default is less than a document
    with _opened(path) as file:
        names, delimiter = _header(file, path)
        if not names or len(set(names)) < len(names):
            raise InputError(f"{path.name} line 1: must be a header with a different name for each column")
        # strict: a quote that is never closed would take the rest of the file for one cell, without a word
        rows = csv.reader(_lines(file, path), delimiter=delimiter, strict=True)
        is_header = True
        while True:
            where = f"{path.name} line {rows.line_num + 1}"
            try:
                cells = next(rows, None)
            except csv.Error as error:
                fault = "a quote is opened and never closed" if str(error) == _UNCLOSED else f"not valid CSV ({error})"
                raise InputError(f"{where}: {fault}") from None
            except UnicodeDecodeError:
                raise InputError(f"{where} or later: not UTF-8; save the file as UTF-8") from None
            if cells is None:
                return
            if is_header:
                is_header = False
            elif len(cells) > len(names):
                notes.fault(f"{where}: {len(cells)} cells, but {len(names)} columns in the header")
            elif cells:
                yield Row(where, {name: unguarded(cell) for name, cell in zip(names, cells, strict=False)})


def write_row(writer: Any, cells: Sequence[object]) -> None:
    """Write a row with its cells guarded; numbers stay numbers."""
    writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])


def table_writer(file: IO[str]) -> Any:
    """Return a writer of RFC 4180 tables."""
    return csv.writer(file, lineterminator="\r\n")


def _opened(path: Path) -> IO[str]:
    return TextIOWrapper(open_plain(path), encoding="utf-8-sig", newline="")


def _lines(file: IO[str], path: Path) -> Iterator[str]:
    while line := file.readline(MOST_LINE_BYTES):
        if len(line) >= MOST_LINE_BYTES:
            raise InputError(f"{path.name}: a line is longer than {MOST_LINE_BYTES // 1_000_000} MB")
        yield line


def _header(file: IO[str], path: Path) -> tuple[list[str], str]:
    """Return the names and the delimiter; the file stands at its beginning again."""
    try:
        first = file.readline(MOST_LINE_BYTES)
    except UnicodeDecodeError:
        raise InputError(f"{path.name} line 1: not UTF-8; save the file as UTF-8") from None
    file.seek(0)
    delimiter = max(",;\t", key=first.count)
    try:
        names = next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise InputError(f"{path.name} line 1: not valid CSV ({error})") from None
    return [name.strip() for name in names], delimiter
