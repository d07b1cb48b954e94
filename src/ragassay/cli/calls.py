"""``ragassay calls``: what a run asked of language models, what it cost, and any single call in full."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragassay.models.llm.call_records import CallRecords, Problem
    from ragassay.models.llm.prices import Prices


def calls(
    run: Annotated[
        Path, typer.Argument(help="Folder that `ragassay run --out` wrote.", metavar="RUN", show_default=False)
    ],
    task: Annotated[str | None, typer.Option(help="Only count or list the calls of this task.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="List the calls without a usable answer.")] = False,
    example: Annotated[
        str | None, typer.Option(help="List the calls about the example with this id.", metavar="ID")
    ] = None,
    show: Annotated[int | None, typer.Option(help="Print this call in full.", metavar="ID")] = None,
    prices: Annotated[Path | None, typer.Option(help="TOML file with prices of models.", metavar="FILE")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the calls of a run: tokens, cost, time, failures.

    Makes no call, and also works while the run is in progress. Examples:

    ragassay calls runs/first

    ragassay calls runs/first --failed

    ragassay calls runs/first --example q0123456789abcdef

    ragassay calls runs/first --show 17
    """
    from ragassay.errors import UsageError
    from ragassay.models.llm.call_records import open_records
    from ragassay.models.llm.prices import Prices

    listed = [f"--{name}" for name, value in (("failed", failed), ("example", example), ("show", show)) if value]
    if len(listed) > 1:
        raise UsageError(f"{' and '.join(listed)} cannot be combined; give one of them")
    asked = None if example is None else _question(run, example)
    table = Prices.load(prices)
    with open_records(run) as records:
        if task is not None and task not in records.tasks():
            known = ", ".join(records.tasks()) or "none"
            raise UsageError(f"--task: no calls of task {task!r} in the log; choose one of {known}")
        if show is not None:
            _show(records, show, as_json)
        elif asked is not None:
            _list(records.about(asked, task), f"about {example}", as_json)
        elif failed:
            _list(list(records.problems(task)), "without a usable answer", as_json)
        else:
            _count(records, table, task, as_json)


def _show(records: CallRecords, number: int, as_json: bool) -> None:
    from ragassay.report.calls import blocks_of_call
    from ragassay.report.terminal import show

    call = records.call(number)
    if as_json:
        print_json(call, ascii_only=True)
    else:
        show(blocks_of_call(call))


def _question(run: Path, example_id: str) -> str:
    """The question of an example of the run."""
    from ragassay.errors import UsageError
    from ragassay.pipeline.folders.read_run import read_items

    found = [each.question for each in read_items(run).examples if each.id == example_id]
    if not found:
        raise UsageError(f"--example: {run} has no example {example_id!r}; its examples.jsonl has the ids")
    return found[0]


def _list(found: Sequence[Problem], what: str, as_json: bool) -> None:
    from ragassay.report.calls import blocks_of_listed
    from ragassay.report.terminal import show

    if as_json:
        print_json({"calls": [each._asdict() for each in found]}, ascii_only=True)
    else:
        show(blocks_of_listed(found, what))


def _count(records: CallRecords, prices: Prices, task: str | None, as_json: bool) -> None:
    from ragassay.report.calls import blocks_of_calls, calls_object
    from ragassay.report.terminal import show

    tasks = records.by_task(prices, task)
    overall = records.overall(prices, task)
    served_by = records.served_by(task)
    if as_json:
        found = {
            "tasks": [calls_object(each) for each in tasks],
            "all": calls_object(overall),
            "served_by": [each._asdict() for each in served_by],
        }
        print_json(found, ascii_only=True)
    else:
        show(blocks_of_calls(tasks, overall, served_by))
