"""``ragassay compare``: two scored runs, question by question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.evaluation.run_comparison import RunComparison
    from ragassay.pipeline.report.comparing import ScoredRun

command = Command(
    Job(
        options="ragassay.pipeline.report.comparing:CompareOptions",
        run="ragassay.pipeline.report.comparing:compare",
        show="ragassay.cli.compare:show",
        has_progress=False,
    ),
    """Compare two scored runs on the same examples.

    Prints for each metric over the answerable questions, and for each label and question type: both means, their
    difference with a 95 % interval, the p-value of the same paired test (over documents where questions share one), and
    that after Holm's correction; then the questions that changed most. Only examples with a value in both runs count.

    Examples:

    ragassay compare runs/first runs/second

    ragassay compare runs/first runs/second --metrics faithfulness,recall@5 --json

    ragassay compare runs/sweep runs/sweep --system-a "512 dense" --system-b "512 lexical"
    """,
)


def show(done: tuple[ScoredRun, ScoredRun, RunComparison], as_json: bool) -> None:
    from ragassay.report.comparison import blocks_of_comparison, comparison_object
    from ragassay.report.terminal import show as print_blocks

    a, b, found = done
    if as_json:
        print_json(comparison_object(found, *({"run": str(each.folder), "system": each.system} for each in (a, b))))
    else:
        print_blocks(blocks_of_comparison(found, f"{a.folder}, {a.system}", f"{b.folder}, {b.system}"))
