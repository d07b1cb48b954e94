"""The estimate of a run for the terminal and as an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.models.estimating import CallEstimate, total
from ragassay.report.safe_text import visible

NOT_COUNTED = "Repair turns, repeated tries and calls that are in the log already are not counted."


def print_estimate(rows: Sequence[CallEstimate], examples: int, asked: int, console: Console) -> None:
    """Calls, tokens and cost by stage and task, and all together.

    examples: how many the embedded model made in the place of the real one, of those asked for.
    """
    models = list(dict.fromkeys(row.model for row in rows))
    console.print(Text(f"What the run will ask of {visible(', '.join(models))}", style="bold"), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for index, head in enumerate(["", "calls", "prompt tokens", "reply tokens", "US dollars"]):
        table.add_column(Text(head), justify="right" if index else "left", overflow="fold")
    for stage, group in groupby(rows, key=lambda row: row.stage):
        table.add_row(Text(stage, style="bold"))
        for row in group:
            task = row.task.replace("_", " ")
            _add(table, f"  {task}" if len(models) == 1 else f"  {task} ({row.model})", row)
    whole = total(rows)
    _add(table, "all", whole)
    console.print(table)
    console.print(Text(NOT_COUNTED), soft_wrap=True)
    if whole.cost_usd is None:
        unknown = ", ".join(sorted({visible(row.model) for row in rows if row.cost_usd is None}))
        console.print(Text(f"No price for {unknown}; add it with --prices FILE."), soft_wrap=True)
    if examples < asked:
        console.print(
            Text(
                f"In place of the real model, the embedded one made {examples} of the {asked} examples; "
                "the real one may make more, and then needs more calls."
            ),
            soft_wrap=True,
        )


def estimate_object(rows: Sequence[CallEstimate], examples: int, asked: int) -> dict[str, Any]:
    """The same for ``--json``."""
    listed = [asdict(row) for row in rows]
    whole = asdict(total(rows))
    return {
        "rows": listed,
        "all": {key: whole[key] for key in _WHOLE},
        "examples": examples,
        "asked": asked,
    }


_WHOLE = ("calls", "prompt_tokens", "completion_tokens", "cost_usd")


def _add(table: Table, name: str, row: CallEstimate) -> None:
    cost = "?" if row.cost_usd is None else f"{row.cost_usd:.4f}"
    numbers = [f"{row.calls:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", cost]
    table.add_row(*(Text(visible(cell)) for cell in (name, *numbers)))
