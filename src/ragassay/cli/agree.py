"""``ragassay agree``: how far people agree with each other, and a judge with them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json


def agree(
    annotations: Annotated[
        list[Path],
        typer.Argument(help="Folders of `ragassay annotate`, .jsonl or .csv files.", metavar="ANNOTATIONS"),
    ],
    against: Annotated[
        Path | None,
        typer.Option(help="Output of the judge: a data set, a run folder or a file of scores.", metavar="PATH"),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Score to compare with people's ratings and preferences.", metavar="NAME")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Only this task.", metavar="NAME")] = None,
    kept_from: Annotated[float, typer.Option(help="Lowest rating at which people keep an item.")] = 4.0,
    seed: Annotated[int, typer.Option(help="Random seed of the intervals.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="HTML page to write, with all tables and figures; only replaces such a page.", metavar="FILE"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the agreement of people with each other and a judge.

    Prints kappa, alpha, confusion and correlation. Labels and critiques of the judge come from the examples of
    --against, verdicts on keypoints from its scores of completeness; ratings and preferences are compared with
    --metric, in the direction in which it is better. Examples:

    ragassay agree judged

    ragassay agree judged --against runs/first --out agreement.html

    ragassay agree ana.csv ben.csv --task quality --against runs/first --metric faithfulness --json
    """
    from ragassay.pipeline.data.agreeing import agree_on
    from ragassay.pipeline.folders.page_file import check_place
    from ragassay.report.agreement import agreement_object, blocks_of_agreement
    from ragassay.report.terminal import show

    if out is not None:
        check_place(out)
    found = agree_on(annotations, against=against, metric=metric, task=task, kept_from=kept_from, seed=seed)
    written = found.write_report(out) if out is not None else None
    if as_json:
        print_json({**agreement_object(found.tasks), "report": str(written) if written else None}, ascii_only=True)
        return
    show(blocks_of_agreement(found.tasks))
    if written is not None:
        typer.echo(f"Report: {written}")
