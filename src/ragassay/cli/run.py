"""``ragassay run``: the whole job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.made import complain

if TYPE_CHECKING:
    from ragassay.pipeline.make.run_options import RunOptions
    from ragassay.pipeline.run.run import Run

command = Command(
    Job(
        options="ragassay.pipeline.make.run_options:RunOptions",
        run="ragassay.pipeline.run.run:run",
        check="ragassay.cli.run:check",
        counts_calls=True,
        shares_work=True,
    ),
    """Make a set from documents, compare retrievers, write a report.

    Reads .md, .txt, .rst, .html, .pdf, .docx, .jsonl, .csv and .tsv files.

    Examples:

    ragassay run docs/ --out runs/first

    ragassay run articles.jsonl --text-field content --n 200 --out runs/second

    ragassay run docs/ --out runs/gpt --model openai:gpt-4o-mini --dry-run
    """,
)


def check(done: Run, options: RunOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    missing = [f"{each.missing} {each.label}" for each in done.summary.composition.missing]
    complain(done, options, stopped_by=done.budget_reached or "", missing=missing, why="the report")
