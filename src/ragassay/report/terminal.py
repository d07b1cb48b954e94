"""The figures of a run for the terminal and for ``--json``: compact, plain when piped, deaf to markup."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.corpus.sources import by_reason
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import Unanswerable
from ragassay.report.compared import Compared, compared_in_run
from ragassay.report.console import text
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import MissingExamples, RunSummary
from ragassay.report.tables import alarms, call_rows, stage_rows
from ragassay.report.wording import (
    answered_words,
    best_words,
    coverage,
    decimal,
    interval,
    label_order,
    methods_words,
    noun,
    why_missing,
)

SKIPPED_SHOWN = 5
CELL_CHARS = 60


def print_summary(summary: RunSummary, console: Console, report_path: Path | None = None) -> None:
    """What was made, what is missing, the best strategy of each label, what was skipped and what it cost."""
    _Printer(console).summary(summary, report_path)


class _Printer:
    """Writes text as Text objects, which know no markup, in characters that the console can write."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def summary(self, summary: RunSummary, report_path: Path | None) -> None:
        for alarm in alarms(summary):
            self._line(alarm, "bold yellow")
        self._composition(summary)
        self._missing(summary.composition.missing)
        if summary.best:
            compared = compared_in_run(summary)
            self._best(compared)
            self._spread(summary, compared)
        else:
            self._line("No setting was scored.")
        self._skipped(summary)
        if summary.stages:
            self._stages(summary)
        if report_path is not None:
            self._console.print(self._text(f"Report: {report_path}", "bold"), soft_wrap=True)  # a path must stay whole

    def _text(self, content: str, style: str = "") -> Text:
        return text(self._console, content, style)

    def _line(self, content: str, style: str = "") -> None:
        self._console.print(self._text(content, style))

    def _table(self, title: str, columns: list[str], *, numbers_from: int) -> Table:
        self._line(title, "bold")
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for index, column in enumerate(columns):
            table.add_column(self._text(column), justify="right" if index >= numbers_from else "left", overflow="fold")
        return table

    def _row(self, table: Table, *cells: str) -> None:
        table.add_row(*(self._text(excerpt(cell, CELL_CHARS)) for cell in cells))

    def _show(self, table: Table) -> None:
        self._console.print(table)
        self._console.print()

    def _composition(self, summary: RunSummary) -> None:
        composition = summary.composition
        made, asked = sum(composition.delivered.values()), sum(composition.requested.values())
        table = self._table(
            f"{made} of {asked} {noun(asked, 'example')}, from {composition.documents_used} of "
            f"{summary.corpus.documents} {noun(summary.corpus.documents, 'document')}",
            ["label", "asked for", "delivered"],
            numbers_from=1,
        )
        for label in label_order([*composition.requested, *composition.delivered]):
            counts = [each.get(label, 0) for each in (composition.requested, composition.delivered)]
            self._row(table, label, *map(str, counts))
        self._show(table)

    def _missing(self, missing: tuple[MissingExamples, ...]) -> None:
        for item in missing:
            self._line(f"{item.label}: {item.missing} missing, {excerpt(item.reason, 600)}", "yellow")
        if missing:
            self._console.print()

    def _best(self, compared: Compared) -> None:
        table = self._table(
            "Best strategy by label (recall@5, 95 % interval)",
            ["label", "strategy", "n", "dense", "lexical", "best", "interval"],
            numbers_from=2,
        )
        for item in compared.winners:
            figure = item.estimate
            scored = coverage(figure) or str(figure.n)
            strategy = item.setting.name if figure.value is not None else "-"
            recalls = [_value(estimate) for estimate in (item.dense, item.lexical, figure)]
            self._row(table, item.label, strategy, scored, *recalls, interval(figure.low, figure.high))
        self._console.print(table)
        self._line(methods_words(item.estimate for item in compared.winners))
        self._console.print()

    def _spread(self, summary: RunSummary, compared: Compared) -> None:
        if compared.top is not None:
            top = compared.top
            self._line(best_words(top.label, top.setting, top.ties))
        spread = compared.spread
        if spread is not None:
            self._line(
                f"Between labels: {spread.highest} {decimal(spread.highest_value)}, {spread.lowest} "
                f"{decimal(spread.lowest_value)}, a spread of {decimal(spread.difference)}."
            )
        if compared.refusals:
            self._line(compared.refusals)
        if sampled := answered_words(summary.answered, sum(summary.composition.delivered.values())):
            self._line(sampled)
        self._console.print()

    def _skipped(self, summary: RunSummary) -> None:
        for note in by_reason(summary.corpus.notes):
            self._line(excerpt(note, 320))
        skipped = summary.corpus.skipped
        if not skipped:
            return
        self._line(f"{len(skipped)} {'source was' if len(skipped) == 1 else 'sources were'} not used:", "yellow")
        kinds = by_reason(skipped)
        for kind in kinds[:SKIPPED_SHOWN]:
            self._line(f"- {excerpt(kind, 320)}")
        if len(skipped) > min(len(kinds), SKIPPED_SHOWN):
            self._line("All are listed in the report.")
        self._console.print()

    def _stages(self, summary: RunSummary) -> None:
        heads = ["stage", "wall", "CPU", "MiB", "calls", "embedded", "reused"]
        table = self._table("Cost", heads, numbers_from=1)
        for row in stage_rows(summary.stages):
            self._row(table, row.name, row.wall, row.cpu, row.memory, row.calls, row.embedded, row.reused)
        self._show(table)
        rows = call_rows(summary.stages)
        if rows:
            heads = ["stage", "asked", "unanswered", "sent", "prompt tokens", "reply tokens", "US dollars"]
            table = self._table(
                "Models on servers; sent: calls that were not in the log already", heads, numbers_from=1
            )
            for each in rows:
                cells = (each.asked, each.unanswered, each.sent, each.prompt_tokens, each.reply_tokens, each.cost)
                self._row(table, each.name, *cells)
            self._show(table)


def _value(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return why_missing(estimate)
    return decimal(estimate.value)


def to_json_object(summary: RunSummary, report_path: Path | str) -> dict[str, Any]:
    """What ``--json`` prints: counts by label, the best setting by round, the time of each stage."""
    composition = summary.composition
    missing = dict.fromkeys(composition.requested, 0)
    for item in composition.missing:
        missing[item.label] = missing.get(item.label, 0) + item.missing
    return {
        "examples": sum(composition.delivered.values()),
        "labels": dict(composition.delivered),
        "requested": dict(composition.requested),
        "missing": missing,
        "answered": summary.answered,
        "best": {
            item.label: {"setting": item.setting.name, "recall_at_5": asdict(item.estimate)}
            for item in compared_in_run(summary).winners
        },
        "unanswerable": refusals_object(summary.unanswerable),
        "stages": {stage.name: {"wall_s": stage.wall_s} for stage in summary.stages},
        "models": _models_object(summary),
        "report": str(report_path),
    }


def _models_object(summary: RunSummary) -> dict[str, Any]:
    """What models on servers were asked in all stages together; cost_usd is None where a price is not known."""
    stages = summary.stages
    totals = {
        key: sum(getattr(stage, key) for stage in stages)
        for key in ("served", "unanswered", "sent", "prompt_tokens", "completion_tokens")
    }
    unpriced = any(stage.unpriced for stage in stages)
    cost = None if unpriced else sum(stage.cost_usd for stage in stages)
    return {**totals, "cost_usd": cost, "stopped_by": summary.stopped_by or None}


def refusals_object(found: Unanswerable | None) -> dict[str, Any] | None:
    """The row of the unanswerable questions; None where there is none."""
    if found is None:
        return None
    return {"right": asdict(found.right), "wrong": found.wrong, "undecided": found.undecided}
