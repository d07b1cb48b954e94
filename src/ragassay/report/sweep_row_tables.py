"""All values of a sweep for the terminal: the deciding metric of every setting by label, or every metric of all."""

from __future__ import annotations

from rich.console import Console

from ragassay.evaluation.estimate import Estimate
from ragassay.report.console import print_line, print_table
from ragassay.report.sweep_rows import GroupTable, group_tables
from ragassay.report.wording import count, coverage, decimal, interval, metric_name
from ragassay.sweep.cells import PRICE, TOKENS
from ragassay.sweep.swept import Swept
from ragassay.sweep.values import COST, TOKENS_IN, TOKENS_OUT

_SHOWN = 15
"""Settings of a label in the table of the deciding metric, the best ones."""
_PRICES = {TOKENS_IN: "tokens in", TOKENS_OUT: "tokens out", COST: "US dollars"}


def print_deciding_rows(swept: Swept, console: Console) -> None:
    """A table for each label: every setting with its deciding metric and what a question takes; the best first."""
    tables = [each for each in _tables(swept) if each.by == swept.outcome.by and swept.deciding in each.metrics]
    for table in tables:
        rows = [dict(zip(table.metrics, estimates, strict=True)) for _, estimates in table.rows[:_SHOWN]]
        prices = [name for name in _PRICES if any(_mean(row.get(name), name) != "0" for row in rows)]
        print_table(
            console,
            f"{swept.deciding} of every setting, {table.by} {table.group}",
            ("mean", "95 %", "n", *(_PRICES[name] for name in prices), "setting"),
            [
                (*_estimate(row[swept.deciding], swept.deciding), *(_mean(row.get(p), p) for p in prices), setting.name)
                for (setting, _), row in zip(table.rows, rows, strict=False)
            ],
        )
    more = sum(max(0, len(each.rows) - _SHOWN) for each in tables)
    other = "other metrics and groups of questions: add --all-rows"
    print_line(console, f"{count(more, 'more row')}, and all {other}" if more else f"All {other}")
    console.print()


def print_all_rows(swept: Swept, console: Console) -> None:
    """A table for each group of questions: every metric of every setting, with its interval."""
    for table in _tables(swept):
        rows = [
            (_title(metric), *_estimate(estimates[place], metric), setting.name)
            for place, metric in enumerate(table.metrics)
            for setting, estimates in table.rows
            if estimates[place] is not None
        ]
        print_table(console, f"By {table.by}: {table.group}", ("metric", "mean", "95 %", "n", "setting"), rows)


def _tables(swept: Swept) -> list[GroupTable]:
    return group_tables(swept.outcome.cells, swept.deciding)


def _title(metric: str) -> str:
    return "tokens" if metric == TOKENS else _PRICES.get(metric) or metric_name(metric).title


def _estimate(estimate: Estimate | None, metric: str) -> tuple[str, str, str]:
    """Mean, interval, and how many questions have a value."""
    if estimate is None:
        return "", "", ""
    n = coverage(estimate) or count(estimate.n)
    if metric in PRICE:
        return _mean(estimate, metric), "", n
    return _mean(estimate, metric), interval(estimate.low, estimate.high), n


def _mean(estimate: Estimate | None, metric: str) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    if metric in PRICE:
        return f"{estimate.value:.3g}" if metric == COST else count(round(estimate.value))
    return decimal(estimate.value)
