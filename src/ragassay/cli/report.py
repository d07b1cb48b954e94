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
            help="File to write; report.html in the folder if not given. Replaces only a page of Ragassay.",
            metavar="FILE",
        ),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Another run to compare with, on the same examples.", metavar="RUN_B")
    ] = None,
    system: Annotated[str | None, typer.Option(help="Which system of RUN is compared.", metavar="NAME")] = None,
    against_system: Annotated[str | None, typer.Option(help="Which system of RUN_B.", metavar="NAME")] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(help="Run whose ratings are shown beside; several times.", metavar="NAME=RUN", show_default=False),
    ] = None,
    annotations: Annotated[
        list[Path] | None,
        typer.Option(
            help="What people judged of its items, set beside what the judge said; several times.",
            metavar="ANNOTATIONS",
            show_default=False,
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Score to set beside people's ratings and preferences.", metavar="NAME")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page about a run: the set, critiques, scores by label, single items, cost.

    For folders of synthesize, label, critique, predict, score and evaluate; `ragassay run` writes a page of its own,
    which this one does not replace unless --out says so. Of a sweep, the page that it wrote, copied to --out. With
    --against, two runs side by side; with --baseline, histograms of truthfulness and relevance beside those of other
    runs; with --annotations, how far people agree, and the judge with them, as `ragassay agree` has it. Examples:

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
