"""Rows of any file that other tools export: JSONL, JSON, CSV and Parquet, as objects with their place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, read_objects, read_table, without_surrogates
from ragassay.errors import InputError, UsageError
from ragassay.plain_files import NoPlainFileError, open_plain, read_plain

_LISTS = ("data", "rows", "spans", "traces", "observations", "goldens", "examples", "items", "predictions", "results")
"""Fields that hold the rows where a JSON file is one object around them."""
_ROWS_AT_ONCE = 100


def read_rows(path: Path, notes: Notes) -> Iterator[Row]:
    """Return the rows of a file, told by its suffix; JSONL for any other. A row that is no object is a fault.

    A JSON file is a list of objects, an object around such a list, or one object. Raises InputError for none of these.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        yield from _of_json(path, notes)
    elif suffix in (".csv", ".tsv"):
        yield from read_table(path, notes)
    elif suffix == ".parquet":
        yield from (Row(row.where, without_surrogates(_plain(row.value))) for row in parquet_rows(path))
    else:
        yield from read_objects(path, notes)


def parsed_json(path: Path) -> Any:
    """Return the value of a JSON file. Raises InputError with the line of what is wrong: there it may be cut off."""
    data = read_plain(path).removeprefix(b"\xef\xbb\xbf")
    try:
        return without_surrogates(json.loads(data))
    except json.JSONDecodeError as error:
        is_more = error.msg == "Extra data"
        fault = "another value follows; of several, put them into a list" if is_more else error.msg
        raise InputError(
            f"{path.name} line {error.lineno}: not valid JSON ({fault}, character {error.colno})"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: not UTF-8") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path.name}: not valid JSON (too deep or out of range)") from None


def _of_json(path: Path, notes: Notes) -> Iterator[Row]:
    value = parsed_json(path)
    if isinstance(value, dict):
        inner = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        value = [value] if inner is None or not value.keys().isdisjoint(("id", "trace", "info")) else inner
    if not isinstance(value, list):
        raise InputError(f"{path.name}: it is neither a list of objects nor an object")
    for number, each in enumerate(value, start=1):
        if isinstance(each, dict):
            yield Row(f"{path.name} item {number}", each)
        else:
            notes.fault(f"{path.name} item {number}: it is not a JSON object")


def parquet_library() -> Any:
    """Return the library for Parquet. Raises UsageError that says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet files need pyarrow; install it with: pip install 'ragassay[parquet]'") from None
    return pyarrow


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Return the names of the columns; () without the library, or where it is no such file."""
    try:
        open_plain(path).close()  # the library would wait for a pipe for ever
        return tuple(parquet_library().parquet.read_schema(path).names)
    except NoPlainFileError:
        raise
    except (UsageError, OSError, ValueError):
        return ()


def parquet_rows(path: Path) -> Iterator[Row]:
    """Return the rows of a Parquet file as the library gives them, a group at a time. Raises InputError."""
    library = parquet_library()
    open_plain(path).close()
    try:
        with library.parquet.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
                for row in _without_nanoseconds(batch, library).to_pylist():
                    number += 1
                    yield Row(f"{path.name} row {number}", row)
    except (library.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} is not a readable Parquet file ({str(error)[:200]!r})") from None


def _without_nanoseconds(batch: Any, library: Any) -> Any:
    """Return times in microseconds: Python's own hold no more."""
    for number, field in enumerate(batch.schema):
        if library.types.is_timestamp(field.type) and field.type.unit == "ns":
            micro = library.timestamp("us", field.type.tz)
            batch = batch.set_column(number, field.name, batch.column(number).cast(micro, safe=False))
    return batch


def _plain(value: Any) -> Any:
    """Return a value of Parquet as JSON has it; times as ISO 8601."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
