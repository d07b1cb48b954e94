"""``ragassay compare``: two scored runs, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json


def compare(
    run_a: Annotated[Path, typer.Argument(help="Folder with scores.", metavar="RUN_A", show_default=False)],
    run_b: Annotated[Path, typer.Argument(help="Folder to compare with it.", metavar="RUN_B", show_default=False)],
    metrics: Annotated[str, typer.Option(help="Metrics, separated by commas; default: all that both have.")] = "",
    system_a: Annotated[str | None, typer.Option(help="System of RUN_A, if it has several.")] = None,
    system_b: Annotated[str | None, typer.Option(help="System of RUN_B, if it has several.")] = None,
    changed: Annotated[int, typer.Option(help="Number of most changed questions to show.", min=0)] = 10,
    as_json: AsJson = False,
) -> None:
    """Compare two scored runs on the same examples.

    Prints for each metric over the answerable questions, and for each label and question type: both means, their
    difference with a 95 % interval, the p-value of the same paired test (over documents where questions share one), and
    that after Holm's correction; then the questions that changed most. Only examples with a value in both runs count.
    Examples:

    ragassay compare runs/first runs/second

    ragassay compare runs/first runs/second --metrics faithfulness,recall@5 --json

    ragassay compare runs/sweep runs/sweep --system-a "512 dense" --system-b "512 lexical"
    """
    from ragassay.pipeline.report.comparing import compare_runs  # imported late: --help stays fast
    from ragassay.report.comparison import blocks_of_comparison, comparison_object
    from ragassay.report.terminal import show

    a, b, found = compare_runs(
        run_a,
        run_b,
        metrics=metrics.split(","),
        system_a=system_a,
        system_b=system_b,
        most_changed=changed,
    )
    if as_json:
        told = [{"run": str(each.folder), "system": each.system} for each in (a, b)]
        print_json(comparison_object(found, *told))
    else:
        show(blocks_of_comparison(found, f"{a.folder}, {a.system}", f"{b.folder}, {b.system}"))
