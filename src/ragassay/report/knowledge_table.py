"""What a model knows of a set already: RAGVAL's table, with questions known always, sometimes and never."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from ragassay.evaluation.estimate import Estimate
from ragassay.report.baseline_figures import KnowledgeFigures, KnowledgePart
from ragassay.report.console import print_line, print_table

_HEADS: Mapping[KnowledgePart, str] = {"all": "all", "where": "--where", "new": "new to the model"}


def print_knowledge(parts: Sequence[KnowledgeFigures], console: Console) -> None:
    """One column for each part of the set."""
    answerer = parts[0].baselines.answerer
    heads = ["", *(_HEADS[each.part] for each in parts)]
    counts = [
        ("questions", [each.baselines.truthfulness.total for each in parts]),
        ("always known", [each.always for each in parts]),
        ("sometimes known", [each.sometimes for each in parts]),
        ("unknown", [each.unknown for each in parts]),
        ("not rated", [each.unrated for each in parts]),
    ]
    rows = [(name, *(f"{count:,}" for count in of)) for name, of in counts]
    print_table(console, f"Questions that {answerer} answers without context, of several tries", heads, rows)
    estimates = [
        ("truthfulness, nothing retrieved", [each.baselines.truthfulness for each in parts]),
        ("relevance, nothing retrieved", [each.baselines.relevance for each in parts]),
        ("truthfulness, with the block", [each.baselines.truthfulness_with_block for each in parts]),
        ("relevance, with the block", [each.baselines.relevance_with_block for each in parts]),
    ]
    rows = [(name, *map(_mean, of)) for name, of in estimates]
    rows += [
        (f"sums of 9 and 10, {name}", *(_near_perfect(sums) for sums in of))
        for name, of in (
            ("nothing retrieved", [each.baselines.sums for each in parts]),
            ("with the block", [each.baselines.sums_with_block for each in parts]),
        )
    ]
    print_table(console, "Ratings from 1 to 5 by the block, means with 95 % intervals", heads, rows)
    sums = [each.baselines.sums for each in parts] + [each.baselines.sums_with_block for each in parts]
    rows = [
        (str(number), *(f"{of[number]:,}" for of in sums)) for number in range(2, 11) if any(of[number] for of in sums)
    ]
    with_block = [f"{head}, with the block" for head in heads[1:]]
    print_table(console, "Sums of both ratings, 2 to 10: examples", ["sum", *heads[1:], *with_block], rows)
    print_line(console, "Known: both ratings 4 or better. The first try is the baseline with nothing retrieved.")
    console.print()


def _mean(estimate: Estimate) -> str:
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _near_perfect(sums: Mapping[int, int]) -> str:
    rated = sum(sums.values())
    return f"{100 * (sums[9] + sums[10]) / rated:.0f} %" if rated else "-"
