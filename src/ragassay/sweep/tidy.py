"""The results of a sweep as one tidy table: a row for each setting, group of questions and metric."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from ragassay.sweep.outcome import Outcome
from ragassay.sweep.values import SettingValues

Row = dict[str, str | int | float | bool | None]


def result_rows(found: Outcome, values: Iterable[SettingValues]) -> list[Row]:
    """Setting and its parts, by, group, metric, value, low, high, n, total, is_best, is_covered, on_front, questions.

    by, group: which questions the value is of. is_best: of its label. is_covered: False where it has too few values of
    the deciding metric on the label to be chosen. on_front: of quality against tokens. questions: that the setting was
    asked.
    """
    questions = {each.setting: len(each.rows) for each in values}
    best = {(each.label, each.setting) for each in found.best}
    uncovered = {(each.label, each.setting) for each in found.uncovered}
    front = {point.setting for point in found.front}
    parts = {setting: setting.row() for setting in questions}
    return [
        {
            **parts[cell.setting],
            "by": cell.by,
            "group": cell.group,
            "metric": cell.metric,
            "value": cell.estimate.value,
            "low": cell.estimate.low,
            "high": cell.estimate.high,
            "n": cell.estimate.n,
            "total": cell.estimate.total,
            "is_best": (cell.group, cell.setting) in best and cell.by == found.by,
            "is_covered": (cell.group, cell.setting) not in uncovered or cell.by != found.by,
            "on_front": cell.setting in front,
            "questions": questions[cell.setting],
        }
        for cell in found.cells
    ]


def comparison_rows(found: Outcome) -> list[Row]:
    """label, best, other, difference (other minus best), low, high, p_value, p_adjusted (Holm), n, method."""
    return [
        {
            "label": best.label,
            "best": best.setting.name,
            "other": each.other,
            "difference": each.difference,
            "low": each.low,
            "high": each.high,
            "p_value": each.p_value,
            "p_adjusted": each.p_adjusted,
            "n": each.n,
            "method": each.method,
        }
        for best in found.best
        for each in best.comparisons
    ]


def write_csv(path: Path, rows: list[Row]) -> None:
    """Writes the rows, whole or not at all. A cell that a spreadsheet would take for a formula gets an apostrophe."""
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows({name: _safe(value) for name, value in row.items()} for row in rows)
    part.replace(path)


def _safe(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def write_parquet(path: Path, rows: list[Row]) -> bool:
    """Writes the rows; False where pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return False
    part = path.with_name(f"{path.name}.part")
    parquet.write_table(pyarrow.Table.from_pylist(rows), part)
    part.replace(path)
    return True
