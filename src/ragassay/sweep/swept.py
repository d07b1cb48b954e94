"""A sweep before and after: what is planned, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ragassay.metrics.judged.copied import CopiedAnswers
from ragassay.rag.setting import Setting
from ragassay.sweep.outcome import Outcome, Point
from ragassay.sweep.plan import PlanRow
from ragassay.sweep.tidy import Row
from ragassay.sweep.values import SettingValues


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
    """How many of the questions of a setting a server left something unanswered for: a query, grades, answer, verdict.

    unheard: for how many of them nothing came back at all; the same command asks these again.
    """

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
    """A finished sweep. reused: settings whose values were there before. parquet: None without pyarrow.

    unanswered: of which settings servers left questions unanswered, the worst first. judge: who gives the values of the
    deciding metric; empty where no judge does. copied: how many answers of the best settings only repeat their chunks,
    where that makes the deciding metric circular. doubts: what has to be known before the figures are believed. rows:
    of results.csv.
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
    parquet: Path | None = None
    judge: str = ""
    copied: tuple[CopiedAnswers, ...] = ()
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
                "cheapest_not_worse": each.ties.cheapest.name,
                "questions_needed": each.ties.needed,
            }
            for each in found.best
        },
        "unanswerable": None if found.unanswerable is None else asdict(found.unanswerable),
        "tables": [
            {
                "encoder": table.encoder,
                "reranker": table.reranker,
                "spread": table.spread,
                "rows": [
                    {
                        "label": row.label,
                        "dense": None if row.dense is None else asdict(row.dense),
                        "lexical": None if row.lexical is None else asdict(row.lexical),
                        "best": asdict(row.best),
                        "text_weight": row.setting.text_weight,
                        "setting": row.setting.name,
                    }
                    for row in table.rows
                ],
            }
            for table in found.tables
        ],
        "coverage": found.coverage,
        "uncovered": [{**asdict(each), "setting": each.setting.name} for each in found.uncovered],
        "front": [_point(point) for point in found.front],
        "curve": [_point(point) for point in found.curve],
        "unanswered": [{**asdict(each), "setting": each.setting.name} for each in swept.unanswered],
        "reasons": swept.reasons,
        **({"warnings": list(swept.doubts)} if swept.doubts else {}),
        "plan": [asdict(row) for row in swept.planned.rows],
    }


def _point(point: Point) -> dict[str, Any]:
    return {
        "setting": point.setting.name,
        "chunk_size": point.setting.chunk_size,
        "quality": asdict(point.quality),
        "tokens": asdict(point.tokens),
    }
