"""Annotations in files: JSON lines, and tables for people who work with spreadsheets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence, Set
from io import StringIO
from pathlib import Path

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import header_of, read_table, table_writer, write_row
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.people.annotation.sheets import answer_shown
from ragassay.people.annotation.store import FILE, Round, annotation
from ragassay.plain_files import write_whole
from ragassay.records import Annotation, Prediction, read_jsonl, write_jsonl

COLUMNS = ("subject_id", "annotator", "task", "value", "note")


def read_annotations(path: Path) -> list[Annotation]:
    """Those in a folder of ``ragassay annotate``, a .jsonl file or a .csv table with the columns of COLUMNS.

    A table may lack the column note. Raises InputError that names file and line.
    """
    if path.is_dir():
        try:
            return Round(path).annotations()
        except RunFolderError as error:  # it is read here, not written
            raise InputError(str(error)) from None
    if not path.exists():
        raise InputError(f"{path} does not exist; give a folder of `ragassay annotate`, or a .jsonl or .csv file")
    if path.suffix.lower() == ".csv":
        found = []
        for row in read_table(path, Notes()):
            missing = [name for name in COLUMNS[:-1] if not row.value.get(name)]
            if missing:
                raise InputError(f"{row.where}: {missing[0]} is missing; the columns are {', '.join(COLUMNS)}")
            subject_id, annotator, task, value, note = (row.value.get(name, "") for name in COLUMNS)
            found.append(annotation(annotator, subject_id, task, value, note))
        return found
    if path.suffix.lower() == ".jsonl":
        return list(read_jsonl(path, Annotation))
    raise InputError(f"{path} is neither a folder with {FILE} nor a .jsonl or .csv file")


def stale_subjects(path: Path, predictions: Iterable[Prediction]) -> set[str]:
    """Subjects of a folder of ``ragassay annotate`` whose answer was another one than now; none of a file.

    predictions: with the answers as they are now.
    """
    answers = {f"{each.example_id}@{each.system}": answer_shown(each) for each in predictions}
    sheets = Round(path).sheets() if path.is_dir() else ()
    return {
        each.subject_id
        for each in sheets
        if each.subject_id in answers and answers[each.subject_id] != each.shown[-1].text
    }


def write_annotations(path: Path, annotations: Iterable[Annotation]) -> int:
    """Write a .jsonl file or a .csv table, whole or not at all; how many.

    A file that is there is replaced if it holds annotations, and none of a question that is not answered in these.
    Raises UsageError for another suffix, RunFolderError for any other file and where nothing can be written.
    """
    if path.suffix.lower() not in (".jsonl", ".csv"):
        raise UsageError(f"{path}: must end in .jsonl or .csv")
    written = list(annotations)
    _check_place(path, {each.id for each in written})
    try:
        return write_jsonl(path, written) if path.suffix.lower() == ".jsonl" else _write_table(path, written)
    except OSError as error:
        raise RunFolderError(f"--export: {path} cannot be written ({error.strerror}); name another file") from None


def _check_place(path: Path, written: Set[str]) -> None:
    """Raises RunFolderError where a file that is there would be lost. written: ids of what will be in its place."""
    if not os.path.isfile(path) or not os.path.getsize(path):
        return
    try:
        held = {each.id for each in read_annotations(path)}
        is_ours = held <= written if held else COLUMNS[0] in header_of(path)
    except (OSError, InputError):
        is_ours = False
    if not is_ours:
        raise RunFolderError(
            f"--export: {path} already exists with other content; name another file, or remove this one"
        )


def _write_table(path: Path, annotations: Sequence[Annotation]) -> int:
    table = StringIO(newline="")
    writer = table_writer(table)
    write_row(writer, COLUMNS)
    for each in annotations:
        write_row(writer, [getattr(each, name) for name in COLUMNS])
    write_whole(path, table.getvalue())
    return len(annotations)
