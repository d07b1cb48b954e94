"""JSON objects and tables of other people: bounded, named by line; written so that no cell runs in a spreadsheet."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple

from ragassay.datasets.format import Notes
from ragassay.errors import InputError
from ragassay.plain_files import open_plain

MOST_LINE_BYTES = 64_000_000
_MOST_BITS = 10_000
"""Of a number that counts as text: three thousand digits; Python writes no more than 4 300."""
_SURROGATES = re.compile("[\ud800-\udfff]")


class Row(NamedTuple):
    """One object of a file. where: "name line 3", for messages."""

    where: str
    value: dict[str, Any]


def read_objects(path: Path, notes: Notes) -> Iterator[Row]:
    """Return the objects of a JSONL file, one line at a time; each line that holds none is a fault that names it."""
    for where, line in read_lines(path, notes):
        value = parse(line, where, notes)
        if value is None:
            continue
        if isinstance(value, dict):
            yield Row(where, value)
        else:
            notes.fault(f"{where}: must be a JSON object")


def read_lines(path: Path, notes: Notes) -> Iterator[tuple[str, bytes]]:
    """Yield ("name line 3", bytes) of every line that is not blank."""
    with open_plain(path) as file:
        number = 0
        while line := file.readline(MOST_LINE_BYTES):
            number += 1
            where = f"{path.name} line {number}"
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if len(line) >= MOST_LINE_BYTES and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(MOST_LINE_BYTES)
                notes.fault(f"{where}: longer than {MOST_LINE_BYTES // 1_000_000} MB")
            elif line.strip():
                yield where, line


def parse(data: bytes, where: str, notes: Notes) -> Any:
    """Return the JSON value; None, and a fault, where it is none. Half surrogate pairs become U+FFFD: offsets hold."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text)
        return without_surrogates(value) if "\\u" in text else value
    except UnicodeDecodeError:
        notes.fault(f"{where}: not UTF-8")
        return None
    except (ValueError, RecursionError) as error:
        cause = (
            f"{error.msg}, character {error.pos + 1}"
            if isinstance(error, json.JSONDecodeError)
            else "too deep or out of range"
        )
        notes.fault(f"{where}: not valid JSON ({cause})")
        return None


def write_objects(path: Path, objects: Iterable[Mapping[str, Any]]) -> None:
    """Write one object a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for each in objects:
            file.write(json_line(each))


def json_line(value: Mapping[str, Any]) -> str:
    """Return the object as one line of JSON, with its line end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def text_of(row: Row, name: str, notes: Notes, *, default: str | None = None) -> str | None:
    """Return the text or number in a field; the default where it is absent or null; None, and a fault, for others."""
    value = row.value.get(name)
    if value is None:
        if default is None:
            notes.fault(f"{row.where}: the field {name!r} is missing")
        return default
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _MOST_BITS:
        return str(value)
    if isinstance(value, float) and isfinite(value):
        return str(value)
    notes.fault(f"{row.where}: the field {name!r} must be text")
    return None


def texts_of(row: Row, name: str, notes: Notes) -> tuple[str, ...] | None:
    """Return the list of texts in a field; () where it is absent or empty; None, and a fault, for anything else."""
    value = row.value.get(name)
    if value in (None, ""):
        return ()
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    notes.fault(f"{row.where}: the field {name!r} must be a list of texts")
    return None


UNREAD = "not read: the field "


def note_other_fields(row: Row, known: frozenset[str], notes: Notes) -> None:
    """Note the fields that have a value and that a reader makes nothing of."""
    for name, value in row.value.items():
        if name not in known and value not in (None, "", [], {}):
            notes.add(f"{UNREAD}{str(name)[:60]!r}")  # of YAML it may be any value


def without_surrogates(value: Any) -> Any:
    """Return a JSON value in whose texts half surrogate pairs, which no file can hold, are U+FFFD: offsets hold."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(each) for each in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(each) for name, each in value.items()}
    return value


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
