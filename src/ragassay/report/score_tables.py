"""Scored predictions for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import scale_of
from ragassay.report.console import text
from ragassay.report.judge_trust_tables import circular_lines, trust_lines, trust_object
from ragassay.report.panel_tables import panel_lines
from ragassay.report.safe_text import excerpt
from ragassay.report.score_summary import Estimates, ScoreSummary
from ragassay.report.summary import StageCost
from ragassay.report.terminal import refusals_object
from ragassay.report.wording import decimal, interval, methods_words, noun, refusals_words

REASONS_SHOWN = 3
REASON_CHARS = 160
GROUPS_A_TABLE = 3
"""Columns of labels or types that stand side by side: more do not fit a terminal."""


def print_scores(summary: ScoreSummary, cost: StageCost | None, console: Console, folder: Path | None = None) -> None:
    """Means with intervals and coverage, the same by label and by type, why values are missing, and what it took."""
    _line(console, f"{summary.examples:,} {noun(summary.examples, 'example')}, answers of {summary.system}", "bold")
    if summary.judge:
        _line(console, f"Judged by {summary.judge}")
    console.print()
    for doubt in summary.doubts:
        _line(console, doubt, "bold yellow")
    for asked, name in summary.aliases.items():
        _line(console, f"{asked} is {name}")
    _means(summary, console)
    if "unanswerable" in summary.labels:
        _line(console, "The figures above cover answerable questions; those of abstention cover all.")
        if summary.unanswerable is not None:
            _line(console, refusals_words(summary.unanswerable))
        console.print()
    for line in (lines := panel_lines(summary.panel)):
        _line(console, line)
    if lines:
        console.print()
    _trust(summary, console)
    for title, groups in (("label", summary.labels), ("question type", summary.types), *summary.by.items()):
        names = list(groups)
        for start in range(0, len(names), GROUPS_A_TABLE):
            _groups(title, {name: groups[name] for name in names[start : start + GROUPS_A_TABLE]}, console)
    _reasons(summary.reasons, console)
    if summary.stopped_by:
        _line(console, f"Stopped: {summary.stopped_by}", "bold yellow")
    if cost is not None and cost.served:
        dollars = "price not known" if cost.unpriced else f"{cost.cost_usd:.4f} US dollars"
        tokens = f"{cost.prompt_tokens + cost.completion_tokens:,} tokens"
        _line(console, f"The judge was asked {cost.served:,} times; {cost.sent:,} calls, {tokens}, {dollars}")
    if folder is not None:
        _line(console, f"Written to {folder}", "bold")


def score_object(summary: ScoreSummary, cost: StageCost | None = None, folder: Path | None = None) -> dict[str, Any]:
    """What ``--json`` prints."""
    found: dict[str, Any] = {
        "metrics": _described(summary.metrics),
        "labels": {label: _described(each) for label, each in summary.labels.items()},
        "types": {kind: _described(each) for kind, each in summary.types.items()},
        "by": {
            name: {value: _described(each) for value, each in groups.items()} for name, groups in summary.by.items()
        },
        "unanswerable": refusals_object(summary.unanswerable),
        "reasons": {metric: dict(reasons) for metric, reasons in summary.reasons.items()},
        "system": summary.system,
        "examples": summary.examples,
        "judge": summary.judge or None,
        "judge_coverage": summary.judge_coverage,
        "trust": trust_object(summary.trust),
        "panel": None if summary.panel is None else asdict(summary.panel),
        "warnings": list(summary.doubts),
        "aliases": dict(summary.aliases),
        "stopped_by": summary.stopped_by or None,
    }
    if cost is not None:
        found["calls"] = {
            "asked": cost.served,
            "unanswered": cost.unanswered,
            "sent": cost.sent,
            "prompt_tokens": cost.prompt_tokens,
            "completion_tokens": cost.completion_tokens,
            "cost_usd": None if cost.unpriced else cost.cost_usd,
        }
    if folder is not None:
        found["out"] = str(folder)
    return found


def _described(estimates: Estimates) -> dict[str, dict[str, Any]]:
    return {name: asdict(each) for name, each in estimates.items()}


def _means(summary: ScoreSummary, console: Console) -> None:
    """A column says which way is good if that is down for some metric; up goes without saying."""
    estimates = summary.metrics
    scales = [scale_of(name, summary.scales) for name in estimates]
    directions = ["lower" if scale is not None and not scale.higher_is_better else "" for scale in scales]
    heads = ["metric", "value", "95 % interval", "scored", *(["better"] if any(directions) else [])]
    table = _table(console, "", heads)
    for (name, each), direction in zip(estimates.items(), directions, strict=True):
        figures = (_value(each), interval(each.low, each.high), f"{each.n:,} of {each.total:,}")
        _row(table, console, name, *figures, *([direction] if any(directions) else []))
    console.print(table)
    if any(each.low is not None for each in estimates.values()):
        _line(console, f"{methods_words(estimates.values())} For other questions of the same kind.".lstrip())
    console.print()


def _trust(summary: ScoreSummary, console: Console) -> None:
    """How far the judge agrees with people, a line for each metric, and a warning for each figure that is circular."""
    lines = trust_lines(summary.trust)
    for line in lines:
        _line(console, line)
    for line in circular_lines(summary.trust):
        _line(console, line, "bold yellow")
    if lines:
        console.print()


def _groups(title: str, groups: Mapping[str, Estimates], console: Console) -> None:
    """One row a metric, one column a group; the number of scored examples stands behind each mean."""
    if not groups:
        return
    table = _table(console, f"By {title}: mean (scored)", ["metric", *(excerpt(name, 30) for name in groups)])
    metrics = next(iter(groups.values()))
    for metric in metrics:
        cells = [f"{_value(each[metric])} ({each[metric].n:,})" for each in groups.values()]
        _row(table, console, metric, *cells)
    console.print(table)
    console.print()


def _reasons(reasons: Mapping[str, Mapping[str, int]], console: Console) -> None:
    for metric, counts in reasons.items():
        shown = [f"{count:,} {excerpt(reason, REASON_CHARS)}" for reason, count in list(counts.items())[:REASONS_SHOWN]]
        more = len(counts) - REASONS_SHOWN
        _line(console, f"{metric} without a value: {'; '.join(shown)}{f'; {more} further reasons' if more > 0 else ''}")


def _value(each: Estimate) -> str:
    return "none" if each.value is None else decimal(each.value)


def _table(console: Console, title: str, heads: list[str]) -> Table:
    table = Table(
        title=text(console, title, "bold") if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        collapse_padding=True,
    )
    for index, head in enumerate(heads):
        # Names of metrics stay whole, so that they can be copied.
        table.add_column(text(console, head), justify="right" if index else "left", overflow="fold", no_wrap=not index)
    return table


def _row(table: Table, console: Console, *cells: str) -> None:
    table.add_row(*(text(console, cell) for cell in cells))


def _line(console: Console, content: str, style: str = "") -> None:
    console.print(text(console, content, style), soft_wrap=True)
