"""What labels and critiques came to, for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.judged_summary import ALL, CritiqueProfile, JudgedSummary, JudgingCost
from ragassay.report.safe_text import excerpt, visible

REASONS_SHOWN = 8
REASON_CHARS = 160
_CONTEXT_WORDS = {
    "context": "their own context",
    "documents": "the documents they name",
    "surroundings": "what stands around their references",
    "references": "their references alone",
}


def print_judged(summary: JudgedSummary, cost: JudgingCost, console: Console) -> None:
    """Coverage, labels requested by verified or the profile of critiques, errors, cost."""
    _line(console, f"{summary.data} -> {summary.out}", "bold")
    done = {"label": "labelled", "critique": "rated"}[summary.stage]
    _line(console, f"{summary.judged:,} of {summary.examples:,} examples {done} ({_percent(summary.coverage)})")
    if summary.contexts:
        parts = ", ".join(f"{count:,} on {_CONTEXT_WORDS[name]}" for name, count in summary.contexts.items())
        _line(console, f"Judged by {summary.model}: {parts}")
    console.print()
    if summary.stage == "label":
        print_matrix(summary.matrix, console)
        _agreement(summary.agreement, console)
    else:
        print_profile(summary.profile, console)
    _reasons(console, "Examples without", summary.errors)
    _reasons(console, "What was changed or left out", summary.notes)
    _cost(cost, console)


def print_matrix(matrix: Mapping[str, Mapping[str, int]], console: Console) -> None:
    """One row for each label that was requested, one column for each that was verified."""
    table = _table(console, "Labels: requested in rows, verified in columns", ["requested", *LABELS, "all"])
    rows = [label for label in (*LABELS, UNLABELLED) if label in matrix]
    for label in rows:
        row = matrix[label]
        _row(table, label, *(f"{row.get(other, 0):,}" for other in LABELS), f"{sum(row.values()):,}")
    if len(rows) > 1:
        sums = [sum(matrix[label].get(other, 0) for label in rows) for other in LABELS]
        _row(table, ALL, *(f"{each:,}" for each in sums), f"{sum(sums):,}")
    _show(console, table)


def print_profile(profile: Sequence[CritiqueProfile], console: Console) -> None:
    """Mean, interval and histogram of every critique: over all examples, then for each label."""
    for label in dict.fromkeys(each.label for each in profile):
        title = "Critiques, 1 to 5" if label == ALL else f"Critiques of {label} pairs"
        heads = ["critique", "mean", "95 % interval", "n", "1", "2", "3", "4", "5"]
        table = _table(console, title, heads)
        for each in profile:
            if each.label == label:
                counts = [f"{count:,}" for count in each.histogram]
                _row(table, each.critique.replace("_", " "), *_figures(each.estimate), *counts)
        _show(console, table)


def judged_object(summary: JudgedSummary, cost: JudgingCost, folder: str) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {
        **asdict(summary),
        "coverage": summary.coverage,
        "cost": {**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd},
        "verdicts": folder,
    }


def print_filtered(
    examples: Mapping[str, int],
    kept: Mapping[str, int],
    reasons: Mapping[str, int],
    only: Mapping[str, int],
    notes: Mapping[str, int],
    console: Console,
) -> None:
    """What is left of each label, and why the rest is not.

    reasons: to how many examples have it; only: to how many have no other.
    """
    _line(console, f"{sum(kept.values()):,} of {sum(examples.values()):,} examples kept", "bold")
    table = _table(console, "By label", ["label", "examples", "kept", "dropped"])
    for label in (*LABELS, UNLABELLED):
        if examples.get(label):
            left = kept.get(label, 0)
            _row(table, label, f"{examples[label]:,}", f"{left:,}", f"{examples[label] - left:,}")
    _show(console, table)
    if reasons:
        table = _table(console, "Why; an example may have several reasons", ["reason", "examples", "no other reason"])
        for reason, count in reasons.items():
            _row(table, reason, f"{count:,}", f"{only.get(reason, 0):,}")
        _show(console, table)
    _reasons(console, "What was changed or left out", notes)


def _agreement(agreement: Estimate | None, console: Console) -> None:
    if agreement is None or agreement.value is None:
        _line(console, "No label was requested of these examples, so there is none to compare with.")
    else:
        _line(
            console,
            f"The verified label is the requested one in {_percent(agreement.value)} of {agreement.n:,} examples that "
            f"have both (95 % interval {_percent(agreement.low)} to {_percent(agreement.high)}).",
        )
    console.print()


def _reasons(console: Console, title: str, counts: Mapping[str, int]) -> None:
    if not counts:
        return
    table = _table(console, title, ["", "examples" if title.startswith("Examples") else "records"])
    rows = list(counts.items())
    for reason, count in rows[:REASONS_SHOWN]:
        _row(table, excerpt(visible(reason), REASON_CHARS), f"{count:,}")
    if len(rows) > REASONS_SHOWN:
        _row(
            table, f"{len(rows) - REASONS_SHOWN} other reasons", f"{sum(count for _, count in rows[REASONS_SHOWN:]):,}"
        )
    _show(console, table)


def _cost(cost: JudgingCost, console: Console) -> None:
    dollars = "?" if cost.unpriced else f"{cost.cost_usd:.4f}"
    table = _table(
        console,
        "Cost",
        ["asked", "unanswered", "sent", "prompt tokens", "reply tokens", "US dollars", "wall"],
    )
    numbers = (cost.asked, cost.unanswered, cost.calls, cost.prompt_tokens, cost.completion_tokens)
    _row(table, *(f"{each:,}" for each in numbers), dollars, f"{cost.wall_s:.1f} s")
    _show(console, table)


def _figures(estimate: Estimate) -> tuple[str, str, str]:
    mean = "-" if estimate.value is None else f"{estimate.value:.2f}"
    known = estimate.low is not None and estimate.high is not None
    rated = f"{estimate.n:,}" if estimate.n == estimate.total else f"{estimate.n:,} of {estimate.total:,}"
    return mean, f"{estimate.low:.2f} to {estimate.high:.2f}" if known else "-", rated


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _table(console: Console, title: str, columns: Sequence[str]) -> Table:
    _line(console, title, "bold")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(Text(column), justify="right" if place else "left", overflow="fold")
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(visible(cell)) for cell in cells))


def _show(console: Console, table: Table) -> None:
    console.print(table)
    console.print()


def _line(console: Console, line: str, style: str = "") -> None:
    text = " ".join(visible(line).split())
    console.print(
        Text(text.encode(console.encoding, "backslashreplace").decode(console.encoding), style), soft_wrap=True
    )
