"""``ragassay agree``: how far people agree with each other, and a judge with them."""

from __future__ import annotations

from ragassay.cli.command import Command, Job

command = Command(
    Job(
        options="ragassay.pipeline.data.agree:AgreeOptions",
        run="ragassay.pipeline.data.agree:agree_on",
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
