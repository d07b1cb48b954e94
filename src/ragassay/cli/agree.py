"""``ragassay agree``: how far people agree with each other, and a judge with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.data.agreeing import Agreement

command = Command(
    Job(
        options="ragassay.pipeline.data.agree_options:AgreeOptions",
        run="ragassay.pipeline.data.agreeing:agree_on",
        show="ragassay.cli.agree:show",
        has_progress=False,
    ),
    """Measure the agreement of people with each other and a judge.

    Prints kappa, alpha, confusion and correlation. Labels and critiques of the judge come from the examples of
    --against, verdicts on keypoints from its scores of completeness; ratings and preferences are compared with
    --metric, in the direction in which it is better.

    Examples:

    ragassay agree judged

    ragassay agree judged --against runs/first --out agreement.html

    ragassay agree ana.csv ben.csv --task quality --against runs/first --metric faithfulness --json
    """,
)


def show(done: Agreement, as_json: bool) -> None:
    """Print all measures of every task."""
    from ragassay.report.agreement import agreement_object
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        report = str(done.report) if done.report else None
        print_json({**agreement_object(done.tasks), "report": report}, ascii_only=True)
        return
    print_blocks(done.blocks())
    if done.report is not None:
        click.echo(f"Report: {done.report}")
