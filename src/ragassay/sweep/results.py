"""A sweep before and after: what is planned, what came of it, and its tables and summary as files hold them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragassay.datasets.lines import guarded
from ragassay.metrics.judged.faithfulness import CopiedAnswers
from ragassay.rag.setting import Setting
from ragassay.sweep.outcome import Outcome
from ragassay.sweep.plan import PlanRow
from ragassay.sweep.values import SettingValues

Row = dict[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """settings: those that are tried. total: in the grid."""

    rows: tuple[PlanRow, ...]
    settings: tuple[Setting, ...]
    total: int
    questions: int
    documents: int

    @property
    def cost_usd(self) -> float | None:
        """Of all work on servers; None where a price is not known, 0 where no server is asked."""
        costs = [row.cost_usd for row in self.rows if row.model]
        known = [cost for cost in costs if cost is not None]
        return None if len(known) < len(costs) else sum(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """How many questions of a setting a server left something unanswered for. unheard: by nothing at all."""

    setting: Setting
    n: int
    unheard: int
    questions: int

    @property
    def coverage(self) -> float:
        """Share of the questions of which servers left nothing unanswered."""
        return 1 - self.n / self.questions


def unanswered_of(values: Iterable[SettingValues]) -> tuple[Unanswered, ...]:
    """Of the settings for which anything was left unanswered, the worst first."""
    found = [
        Unanswered(setting=each.setting, n=len(each.unanswered), unheard=len(each.unheard), questions=len(each.rows))
        for each in values
        if each.unanswered
    ]
    return tuple(sorted(found, key=lambda each: each.coverage))


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """A finished sweep. reused: settings whose values were there before. has_parquet: pyarrow is installed.

    unanswered: the worst first. judge: of the deciding metric, or empty. copied: how many answers of the best settings
    only repeat their chunks, where that makes it circular. own: what of the data the judge wrote. doubts: to be known
    before the figures are believed.
    """

    version: str
    folder: Path
    planned: Planned
    outcome: Outcome
    deciding: str
    reused: int
    reasons: dict[str, int]
    unanswered: tuple[Unanswered, ...] = ()
    budget_reached: str | None = None
    has_parquet: bool = False
    judge: str = ""
    copied: tuple[CopiedAnswers, ...] = ()
    own: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def why_no_best(self) -> str:
        """One sentence where no setting is the best of anything, else empty."""
        if self.outcome.best:
            return ""
        if not self.outcome.uncovered:
            return f"No setting has a value of {self.deciding}."
        return (
            f"No setting has a value of {self.deciding} for {100 * self.outcome.coverage:g} % of the questions that "
            "have one: none is the best."
        )


def summary_of(swept: Swept) -> dict[str, Any]:
    """What ``summary.json`` holds and ``--json`` prints: the same for the same sweep, whatever was reused."""
    found = swept.outcome
    return {
        "version": swept.version,
        "decides": swept.deciding,
        "questions": swept.planned.questions,
        "documents": swept.planned.documents,
        "settings": {"in_grid": swept.planned.total, "tried": len(swept.planned.settings)},
        "best": {
            each.label: {
                **each.setting.row(),
                "estimate": asdict(each.estimate),
                "not_worse": [other.other for other in each.not_worse],
                "recommended": each.ties.cheapest.name,
                "questions_needed": each.ties.needed,
            }
            for each in found.best
        },
        "unanswerable": None if found.unanswerable is None else asdict(found.unanswerable),
        "tables": [
            {
                **asdict(table),
                "rows": [
                    {**asdict(row), "setting": row.setting.name, "text_weight": row.setting.text_weight}
                    for row in table.rows
                ],
            }
            for table in found.tables
        ],
        "coverage": found.coverage,
        "uncovered": [{**asdict(each), "setting": each.setting.name} for each in found.uncovered],
        "front": [{**asdict(each), "setting": each.setting.name} for each in found.front],
        "unanswered": [{**asdict(each), "setting": each.setting.name} for each in swept.unanswered],
        "reasons": swept.reasons,
        **({"warnings": list(swept.doubts)} if swept.doubts else {}),
        "plan": [asdict(row) for row in swept.planned.rows],
    }


def result_rows(found: Outcome, values: Iterable[SettingValues]) -> list[Row]:
    """Setting and its parts, by, group, metric, value, low, high, n, total, is_best, is_covered, on_front, questions.

    is_covered: False where it has too few values of the deciding metric on the label to be chosen. questions: asked.
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
            **{name: getattr(cell.estimate, name) for name in ("value", "low", "high", "n", "total")},
            "is_best": (cell.group, cell.setting) in best and cell.by == found.by,
            "is_covered": (cell.group, cell.setting) not in uncovered or cell.by != found.by,
            "on_front": cell.setting in front,
            "questions": questions[cell.setting],
        }
        for cell in found.cells
    ]


def comparison_rows(found: Outcome) -> list[Row]:
    """label, best, other, difference (other minus best), low, high, p_value, p_adjusted (Holm), n, method."""
    names = ("other", "difference", "low", "high", "p_value", "p_adjusted", "n", "method")
    return [
        {"label": best.label, "best": best.setting.name, **{name: getattr(each, name) for name in names}}
        for best in found.best
        for each in best.comparisons
    ]


def write_csv(path: Path, rows: list[Row]) -> None:
    """Writes the rows, whole or not at all. A cell that a spreadsheet would take for a formula gets an apostrophe."""
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        for row in rows:
            writer.writerow({name: guarded(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
    part.replace(path)


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
