"""Annotations in files: JSON lines, and tables for people who work with spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ragassay.annotation.store import FILE, Round, annotation
from ragassay.datasets.csv_cells import read_table, table_writer, write_row
from ragassay.datasets.format import Notes
from ragassay.errors import InputError, UsageError
from ragassay.records import Annotation, read_jsonl, write_jsonl

COLUMNS = ("subject_id", "annotator", "task", "value", "note")


def read_annotations(path: Path) -> list[Annotation]:
    """Those in a folder of ``ragassay annotate``, a .jsonl file or a .csv table with the columns of COLUMNS.

    A table may lack the column note. Raises InputError that names file and line.
    """
    if path.is_dir():
        return Round(path).annotations()
    if not path.exists():
        raise InputError(f"{path} does not exist; give a folder of `ragassay annotate`, or a .jsonl or .csv file")
    if path.suffix.lower() == ".csv":
        return _from_table(path)
    if path.suffix.lower() == ".jsonl":
        return list(read_jsonl(path, Annotation))
    raise InputError(f"{path} is neither a folder with {FILE} nor a .jsonl or .csv file")


def write_annotations(path: Path, annotations: Iterable[Annotation]) -> int:
    """Writes a .jsonl file or a .csv table, whole or not at all; how many. Raises UsageError for another suffix."""
    if path.suffix.lower() == ".jsonl":
        return write_jsonl(path, annotations)
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{path}: annotations are written as .jsonl or .csv; name such a file")
    part = path.with_name(path.name + ".part")
    n = 0
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            writer = table_writer(file)
            write_row(writer, COLUMNS)
            for each in annotations:
                write_row(writer, [getattr(each, name) for name in COLUMNS])
                n += 1
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return n


def _from_table(path: Path) -> list[Annotation]:
    found = []
    for row in read_table(path, Notes()):
        missing = [name for name in COLUMNS[:-1] if not row.value.get(name)]
        if missing:
            raise InputError(f"{row.where}: {missing[0]} is missing; the columns are {', '.join(COLUMNS)}")
        subject_id, annotator, task, value, note = (row.value.get(name, "") for name in COLUMNS)
        found.append(annotation(annotator, subject_id, task, value, note))
    return found
