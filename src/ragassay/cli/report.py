"""``ragassay report``: a page about any run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json


def report(
    run: Annotated[Path, typer.Argument(help="Folder of a run.", metavar="RUN", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write; default: report.html in RUN. Only replaces a page of Ragassay.",
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
    """Write one self-contained HTML page about a run.

    Shows the set, critiques, scores by label, single items and cost, for folders of synthesize, label, critique,
    predict, score and evaluate. `ragassay run` writes its own page, which is only replaced if --out names it; the page
    of a sweep is copied to --out. --against shows two runs side by side, --baseline histograms of truthfulness and
    relevance next to those of other runs, --annotations the agreement of people and judge as in `ragassay agree`.
    Examples:

    ragassay report runs/scored

    ragassay report runs/new --against runs/old --out compared.html

    ragassay report runs/first --annotations judged --out labelled.html

    ragassay report runs/rag --baseline "no retrieval=runs/none" --baseline "right block=runs/block"
    """
    from ragassay.errors import UsageError
    from ragassay.pipeline.run_report import report_run
    from ragassay.pipeline.set_report import Beside

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
    target = report_run(run, out, beside)
    if as_json:
        print_json({"report": str(target)})
    else:
        typer.echo(f"Report: {target}")
