"""Rows of any file that other tools export: JSONL, JSON, CSV and Parquet, as objects with their place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from ragassay.datasets.csv_cells import read_table
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import MOST_LINE_BYTES, Row, parse, read_lines, read_objects, without_surrogates
from ragassay.errors import InputError, UsageError
from ragassay.plain_files import NoPlainFileError, open_plain, read_plain

ROW_SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
_LISTS = ("data", "rows", "spans", "traces", "observations", "goldens", "examples", "items")
"""Fields that hold the rows where a JSON file is one object around them."""
_SPACE = re.compile(r"\s*")
PARQUET_ROWS = 1_000
"""Rows of a group: what is in memory while one is written or read."""
_MOST_AT_ONCE = MOST_LINE_BYTES
_MOST_UNPACKED = 200
"""Times its size that a group may unpack to: text has 20 at most."""
_VALUE_BYTES = 8
_SMALL_BYTES, _DENSE = 4_000_000, 20
"""A column is read with its dictionary, to be measured before it is written out, where it is small. A large one that is
packed more than text can be is read a row at a time."""


def read_rows(path: Path, notes: Notes) -> Iterator[Row]:
    """The rows of a file, told by its suffix; JSONL for any other. A row that is no object is a fault that names it.

    A JSON file is a list of objects, an object around such a list, or one object; it is in memory as a whole.
    Raises InputError for a file that is none of these.
    """
    suffix = path.suffix.lower()
    if suffix == ".json" or (suffix == ".jsonl" and is_spread(path)):
        yield from _of_json(path, notes)
    elif suffix in (".csv", ".tsv"):
        yield from read_table(path, notes)
    elif suffix == ".parquet":
        yield from (Row(row.where, without_surrogates(_plain(row.value))) for row in parquet_rows(path))
    else:
        yield from read_objects(path, notes)


def parsed_json(path: Path) -> Any:
    """The value of a JSON file. Raises InputError with the place of what is wrong, which says where it was cut off."""
    data = read_plain(path).removeprefix(b"\xef\xbb\xbf")
    try:
        return parse(data, path.name, Notes())
    except InputError:
        if (several := _one_after_the_other(data)) is not None:
            return several
        try:
            json.loads(data)
        except json.JSONDecodeError as error:
            place = f"{error.msg}, character {error.colno}"
            raise InputError(f"{path.name} line {error.lineno}: not valid JSON ({place})") from None
        except (ValueError, RecursionError):
            pass
        raise


def is_spread(path: Path) -> bool:
    """Whether objects stand over several lines each: the first line opens one and says no more."""
    return next((line.strip() for _, line in read_lines(path, Notes(keep_going=True))), b"") == b"{"


def _one_after_the_other(data: bytes) -> list[Any] | None:
    text, found, at = data.decode("utf-8", "replace").strip(), [], 0
    decoder = json.JSONDecoder()
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            found.append(without_surrogates(value))
            at = next(_SPACE.finditer(text, at)).end()  # it matches nothing, too
    except (ValueError, RecursionError):
        return None
    return found if all(isinstance(each, dict) for each in found) else None


def _of_json(path: Path, notes: Notes) -> Iterator[Row]:
    value = parsed_json(path)
    if isinstance(value, dict):
        inner = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        value = inner if inner is not None and not _is_one_row(value) else [value]
    if not isinstance(value, list):
        raise InputError(f"{path.name}: it is neither a list of objects nor an object")
    for number, each in enumerate(value, start=1):
        if isinstance(each, dict):
            yield Row(f"{path.name} item {number}", each)
        else:
            notes.fault(f"{path.name} item {number}: it is not a JSON object")


def _is_one_row(value: dict[str, Any]) -> bool:
    return "id" in value or "trace" in value or "info" in value


def parquet_library() -> Any:
    """The library for Parquet. Raises UsageError that says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet files need pyarrow; install it with: pip install 'ragassay[parquet]'") from None
    return pyarrow


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The names of the columns; () without the library, or where it is no such file."""
    try:
        open_plain(path).close()  # the library would wait for a pipe for ever
        return tuple(parquet_library().parquet.read_schema(path).names)
    except NoPlainFileError:
        raise
    except (UsageError, OSError, ValueError):
        return ()


def parquet_rows(path: Path) -> Iterator[Row]:
    """The rows of a Parquet file as the library gives them, a group at a time. Raises InputError."""
    library = parquet_library()
    open_plain(path).close()
    try:
        with library.parquet.ParquetFile(path) as file:
            chunks = _checked_chunks(file.metadata, path)
        small = [name for name, sizes in chunks.items() if max(sizes)[0] <= _SMALL_BYTES]
        is_dense = any(max(sizes)[0] > _SMALL_BYTES and max(map(_ratio, sizes)) > _DENSE for sizes in chunks.values())
        with library.parquet.ParquetFile(path, read_dictionary=small) as file:
            number = 0
            for batch in file.iter_batches(batch_size=1 if is_dense else PARQUET_ROWS):
                batch = _without_nanoseconds(batch, library)
                # what a dictionary holds once, each row may repeat: as many at a time as fit
                at_once = batch.num_rows if _expanded_bytes(batch.to_struct_array()) <= _MOST_AT_ONCE else 1
                for first in range(0, batch.num_rows, max(at_once, 1)):
                    part = batch.slice(first, at_once)
                    if at_once == 1 and _expanded_bytes(part.to_struct_array()) > _MOST_AT_ONCE:
                        too_long = f"longer than {_MOST_AT_ONCE // 1_000_000} MB"
                        raise InputError(f"{path.name} row {number + 1}: {too_long}")
                    for row in part.to_pylist():
                        number += 1
                        yield Row(f"{path.name} row {number}", row)
    except (library.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} is not a readable Parquet file ({str(error)[:200]!r})") from None


def _checked_chunks(metadata: Any, path: Path) -> dict[str, list[tuple[int, int]]]:
    """Path of each column of texts to the unpacked and packed bytes of its stretches.

    Raises InputError for a file that unpacks to far more than is written, in bytes or in values.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        columns = [group.column(place) for place in range(group.num_columns)]
        packed = sum(column.total_compressed_size for column in columns)
        unpacked = max([group.total_byte_size, *(_VALUE_BYTES * column.num_values for column in columns)])
        if unpacked > max(_MOST_AT_ONCE, _MOST_UNPACKED * packed):
            raise InputError(f"{path.name} unpacks from {packed:,} bytes to {unpacked / 1e6:,.0f} MB; it is not read")
        for column in columns:
            if column.physical_type == "BYTE_ARRAY":
                sizes = (column.total_uncompressed_size, column.total_compressed_size)
                found.setdefault(column.path_in_schema, []).append(sizes)
    return found


def _ratio(sizes: tuple[int, int]) -> float:
    return sizes[0] / max(sizes[1], 1)


def _expanded_bytes(array: Any) -> int:
    import pyarrow.compute

    if hasattr(array, "dictionary"):
        lengths = pyarrow.compute.binary_length(array.dictionary)
        return int(pyarrow.compute.sum(lengths.take(array.indices)).as_py() or 0)
    if hasattr(array.type, "value_type"):
        return _expanded_bytes(array.flatten()) + _VALUE_BYTES * len(array)
    if pyarrow.types.is_struct(array.type):
        return sum(map(_expanded_bytes, array.flatten()))
    return int(array.nbytes)


def _without_nanoseconds(batch: Any, library: Any) -> Any:
    """Times in microseconds: Python's own hold no more."""
    for number, field in enumerate(batch.schema):
        if library.types.is_timestamp(field.type) and field.type.unit == "ns":
            micro = library.timestamp("us", field.type.tz)
            batch = batch.set_column(number, field.name, batch.column(number).cast(micro, safe=False))
    return batch


def _plain(value: Any) -> Any:
    """A value of Parquet as JSON has it; times as ISO 8601."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
