"""What labels and critiques came to, for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.console import print_line, print_table
from ragassay.report.judged_summary import ALL, CritiqueProfile, JudgedSummary, JudgingCost
from ragassay.report.knowledge_table import print_knowledge
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import noun

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
    print_line(console, f"{summary.data} -> {summary.out}", "bold")
    done = {"label": "labelled", "critique": "rated", "knowledge": "answered and rated"}[summary.stage]
    examples = noun(summary.examples, "example")
    print_line(console, f"{summary.judged:,} of {summary.examples:,} {examples} {done} ({_percent(summary.coverage)})")
    if summary.contexts:
        parts = ", ".join(f"{count:,} on {_CONTEXT_WORDS[name]}" for name, count in summary.contexts.items())
        print_line(console, f"Judged by {summary.model}: {parts}")
    console.print()
    if summary.stage == "label":
        print_matrix(summary.matrix, console)
        _agreement(summary.agreement, console)
    elif summary.knowledge:
        print_knowledge(summary.knowledge, console)
    else:
        print_profile(summary.profile, console)
    _reasons(console, "Examples without", summary.errors)
    _reasons(console, "What was changed or left out", summary.notes)
    _cost(cost, console)


def print_matrix(matrix: Mapping[str, Mapping[str, int]], console: Console) -> None:
    """One row for each label that was requested, one column for each that was verified."""
    rows = [label for label in (*LABELS, UNLABELLED) if label in matrix]
    shown = [
        (label, *(f"{matrix[label].get(other, 0):,}" for other in LABELS), f"{sum(matrix[label].values()):,}")
        for label in rows
    ]
    sums = [sum(matrix[label].get(other, 0) for label in rows) for other in LABELS]
    if len(rows) > 1:
        shown.append((ALL, *(f"{each:,}" for each in sums), f"{sum(sums):,}"))
    if total := sum(sums):
        shown.append(("share", *(_percent(each / total) for each in sums), ""))
    print_table(console, "Labels: requested in rows, verified in columns", ["requested", *LABELS, "all"], shown)


def print_profile(profile: Sequence[CritiqueProfile], console: Console) -> None:
    """Mean, interval and histogram of every critique: over all examples, then for each label."""
    for label in dict.fromkeys(each.label for each in profile):
        title = "Critiques, 1 to 5" if label == ALL else f"Critiques of {label} pairs"
        heads = ["critique", "mean", "95 % interval", "n", "1", "2", "3", "4", "5"]
        rows = [
            (each.critique.replace("_", " "), *_figures(each.estimate), *(f"{count:,}" for count in each.histogram))
            for each in profile
            if each.label == label
        ]
        print_table(console, title, heads, rows)


def judged_object(summary: JudgedSummary, cost: JudgingCost, verdicts: str) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {
        **asdict(summary),
        "coverage": summary.coverage,
        "cost": {**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd},
        "verdicts": verdicts,
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
    total = sum(examples.values())
    print_line(console, f"{sum(kept.values()):,} of {total:,} {noun(total, 'example')} kept", "bold")
    rows = [
        (label, f"{examples[label]:,}", f"{kept.get(label, 0):,}", f"{examples[label] - kept.get(label, 0):,}")
        for label in (*LABELS, UNLABELLED)
        if examples.get(label)
    ]
    print_table(console, "By label", ["label", "examples", "kept", "dropped"], rows)
    if reasons:
        heads = ["reason", "examples", "no other reason"]
        counted = [(reason, f"{count:,}", f"{only.get(reason, 0):,}") for reason, count in reasons.items()]
        print_table(console, "Why; an example may have several reasons", heads, counted)
    _reasons(console, "What was changed or left out", notes)


def _agreement(agreement: Estimate | None, console: Console) -> None:
    if agreement is None or agreement.value is None:
        print_line(console, "These examples have no requested labels to compare with.")
    else:
        print_line(
            console,
            f"The verified label is the requested one in {_percent(agreement.value)} of {agreement.n:,} examples that "
            f"have both (95 % interval {_percent(agreement.low)} to {_percent(agreement.high)}).",
        )
    console.print()


def _reasons(console: Console, title: str, counts: Mapping[str, int]) -> None:
    if not counts:
        return
    rows = [(excerpt(reason, REASON_CHARS), f"{count:,}") for reason, count in counts.items()]
    shown, rest = rows[:REASONS_SHOWN], list(counts.values())[REASONS_SHOWN:]
    if rest:
        shown.append((f"{len(rest)} other {noun(len(rest), 'reason')}", f"{sum(rest):,}"))
    print_table(console, title, ["", "examples" if title.startswith("Examples") else "records"], shown)


def _cost(cost: JudgingCost, console: Console) -> None:
    dollars = "?" if cost.unpriced else f"{cost.cost_usd:.4f}"
    numbers = (cost.asked, cost.unanswered, cost.calls, cost.prompt_tokens, cost.completion_tokens)
    heads = ["asked", "unanswered", "sent", "prompt tokens", "reply tokens", "US dollars", "wall"]
    print_table(console, "Cost", heads, [(*(f"{each:,}" for each in numbers), dollars, f"{cost.wall_s:.1f} s")])


def _figures(estimate: Estimate) -> tuple[str, str, str]:
    mean = "-" if estimate.value is None else f"{estimate.value:.2f}"
    known = estimate.low is not None and estimate.high is not None
    rated = f"{estimate.n:,}" if estimate.n == estimate.total else f"{estimate.n:,} of {estimate.total:,}"
    return mean, f"{estimate.low:.2f} to {estimate.high:.2f}" if known else "-", rated


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
