"""JSON objects out of files of other people: bounded, named by line, free of what UTF-8 cannot hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.datasets.format import Notes
from ragassay.plain_files import open_plain

MOST_LINE_BYTES = 64_000_000
"""A longer line is no record of a data set."""
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
    """Return the text in a field; the default where it is absent or null; None, and a fault, for anything else.

    Numbers count as text: many files have numbers for ids. NaN is none: it is an empty cell that went through pandas.
    """
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


def note_other_fields(row: Row, known: frozenset[str], notes: Notes) -> None:
    """Note the fields that have a value and that a reader makes nothing of."""
    for name, value in row.value.items():
        if name not in known and value not in (None, "", [], {}):
            notes.add(f"not read: the field {str(name)[:60]!r}")  # of YAML it may be any value


def without_surrogates(value: Any) -> Any:
    """Return a JSON value in whose texts half surrogate pairs, which no file can hold, are U+FFFD: offsets hold."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(each) for each in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(each) for name, each in value.items()}
    return value
