"""Agreement for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from ragassay.agreement.agree import TaskAgreement
from ragassay.agreement.confusion import Confusion
from ragassay.agreement.measure import MeasureEstimate
from ragassay.report.agreement_rows import (
    LEFT_OUT_COLUMNS,
    PAIR_COLUMNS,
    SHARE_COLUMNS,
    SHARE_TITLE,
    THRESHOLD_COLUMNS,
    Row,
    advice_words,
    best_thresholds,
    confusion_of,
    counted,
    left_out_rows,
    measure_rows,
    pair_rows,
    reasons,
    share_rows,
)
from ragassay.report.console import print_line, print_table
from ragassay.report.wording import count, decimal, interval

NONE = "-"
_ONE, _PAIR, _LEFT_OUT = ("",), PAIR_COLUMNS[1:3], LEFT_OUT_COLUMNS[1:4]


def print_agreement(found: Mapping[str, TaskAgreement], console: Console) -> None:
    """One table for each thing that is known of a task, and one that sets the best thresholds side by side.

    Below a table stands why it has gaps.
    """
    for each in found.values():
        print_line(console, f"{each.task}: {counted(each)}", "bold")
        console.print()
        rows = list(measure_rows(each))
        shown = [(row.name, *_apart(row.measures[0])) for row in rows]
        print_table(console, "Agreement", ["measure", "value", "95 % interval", "items"], shown)
        _print_reasons(_ONE, rows, console)
        if each.reason is not None and each.judge is None:
            print_line(console, f"judge: {each.reason}")
            console.print()
        _print_rows("Two by two", PAIR_COLUMNS, _PAIR, pair_rows(each), console)
        title = "Fleiss' kappa with the majority of the other people"
        _print_rows(title, LEFT_OUT_COLUMNS, _LEFT_OUT, left_out_rows(each), console)
        _print_shares(share_rows(each), console)
        matrix = confusion_of(each)
        if matrix is not None:
            _print_confusion(matrix, console)
        if each.advice is not None:
            print_line(console, advice_words(each))
            console.print()
    title = "Thresholds, the one that agrees best with people first"
    _print_rows(title, THRESHOLD_COLUMNS, _ONE, best_thresholds(found), console)


def agreement_object(found: Mapping[str, TaskAgreement]) -> dict[str, Any]:
    """What ``--json`` prints: task to all its measures, those that are undefined as null with their reason."""
    tasks = {task: asdict(each) for task, each in found.items()}
    return {"tasks": {task: {name: each[name] for name in each if name != "task"} for task, each in tasks.items()}}


def _print_rows(
    title: str, columns: Sequence[str], measures: Sequence[str], rows: Sequence[Row], console: Console
) -> None:
    """A table, if there is a row, and why it has gaps. measures: names of the columns that hold them."""
    if not rows:
        return
    print_table(console, title, columns, [(row.name, *map(_together, row.measures), *row.counts) for row in rows])
    _print_reasons(measures, rows, console)


def _print_shares(rows: Sequence[Row], console: Console) -> None:
    """One line for each measure: four of them with their intervals side by side are too wide for a terminal."""
    if rows:
        names = SHARE_COLUMNS[1:5]
        shown = [
            (f"{row.name}, {name}", *_apart(measured))
            for row in rows
            for name, measured in zip(names, row.measures, strict=True)
        ]
        print_table(console, SHARE_TITLE, ["metric", "value", "95 % interval", "answers"], shown)
        _print_reasons(names, rows, console)


def _print_reasons(measures: Sequence[str], rows: Sequence[Row], console: Console) -> None:
    lines = reasons(measures, rows)
    for line in lines:
        print_line(console, line)
    if lines:
        console.print()


def _print_confusion(matrix: Confusion, console: Console) -> None:
    rows = [
        (value, *(NONE if share is None else f"{share:.2f}" for share in shares), str(sum(counts)))
        for value, shares, counts in zip(matrix.values, matrix.shares, matrix.counts, strict=True)
        if sum(counts)
    ]
    columns = ["people \\ judge", *matrix.values, "items"]
    print_table(console, "What the judge says where most people say the same", columns, rows)


def _apart(measured: MeasureEstimate) -> tuple[str, str, str]:
    """Value, interval and how many items."""
    value = NONE if measured.value is None else decimal(measured.value)
    return value, interval(measured.low, measured.high) or NONE, f"{count(measured.n)} of {count(measured.total)}"


def _together(measured: MeasureEstimate) -> str:
    """Value and interval in one cell: ``0.41 (0.21–0.60)``."""
    if measured.value is None:
        return NONE
    bounds = interval(measured.low, measured.high)
    return f"{decimal(measured.value, 2)} ({bounds})" if bounds else decimal(measured.value, 2)
