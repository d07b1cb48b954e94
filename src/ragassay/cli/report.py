"""``ragassay report``: a page about any run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Folder of a run, or several folders or sets to compare.",
            metavar="RUN",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write; default: report.html in RUN, if it is a single one. Only replaces a page of Ragassay.",
            metavar="FILE",
        ),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Another run to compare with, on the same examples.", metavar="RUN_B")
    ] = None,
    system: Annotated[str | None, typer.Option(help="System of RUN to compare.", metavar="NAME")] = None,
    against_system: Annotated[str | None, typer.Option(help="System of RUN_B to compare.", metavar="NAME")] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            help="Run whose ratings are shown for comparison; repeatable.", metavar="NAME=RUN", show_default=False
        ),
    ] = None,
    annotations: Annotated[
        list[Path] | None,
        typer.Option(
            help="Annotations by people, shown next to the judge; repeatable.",
            metavar="ANNOTATIONS",
            show_default=False,
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Score to compare with people's ratings and preferences.", metavar="NAME")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write an HTML page about a run, or compare several sets.

    Shows the set, critiques, scores by label, single items and cost, for folders of synthesize, label, critique,
    predict, score and evaluate. `ragassay run` writes its own page, which is only replaced if --out names it; the page
    of a sweep is copied to --out. --against shows two runs side by side, --baseline histograms of truthfulness and
    relevance next to those of other runs, --annotations the agreement of people and judge as in `ragassay agree`.

    With several folders, which need not share questions, it compares what their sets are made of, in the terminal and,
    with --out, on a page: labels, question words, critiques, reasons for rejected candidates, cost. Examples:

    ragassay report runs/scored

    ragassay report runs/new --against runs/old --out compared.html

    ragassay report runs/first --annotations judged --out labelled.html

    ragassay report runs/statements runs/simple squad.json --out sets.html

    ragassay report runs/rag --baseline "no retrieval=runs/none" --baseline "right block=runs/block"
    """
    from ragassay.errors import UsageError
    from ragassay.pipeline.report.set_report import NOTHING, Beside, report_run

    baselines = {}
    for each in baseline or ():
        name, equals, folder = each.partition("=")
        if not (name and equals and folder):
            raise UsageError(f"--baseline: must be NAME=RUN, such as none=runs/none, not {each!r}")
        baselines[name] = Path(folder)
    beside = Beside(
        baselines=baselines,
        against=against,
        system=system,
        against_system=against_system,
        annotations=tuple(annotations or ()),
        metric=metric,
    )
    if len(runs) > 1:
        if beside != NOTHING:
            raise UsageError("RUN: several sets can only be combined with --out and --json; leave out other options")
        _print_sets(runs, out, as_json)
        return
    target = report_run(runs[0], out, beside)
    if as_json:
        print_json({"report": str(target)}, ascii_only=True)
    else:
        typer.echo(f"Report: {target}")


def _print_sets(sets: list[Path], out: Path | None, as_json: bool) -> None:
    from ragassay.pipeline.report.compare_sets import compare_sets
    from ragassay.report.sets import blocks_of_sets, sets_object
    from ragassay.report.terminal import show

    found = compare_sets(sets, out)
    if as_json:
        print_json({**sets_object(found), **({"report": str(out)} if out else {})})
        return
    show(blocks_of_sets(found))
    if out:
        typer.echo(f"Report: {out}")
