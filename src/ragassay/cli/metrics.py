"""``ragassay metrics``: every metric, what it needs, what its values mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from ragassay.metrics.metric import Metric


def metrics(
    name: Annotated[str | None, typer.Argument(help="Name of a metric; default: all.", metavar="METRIC")] = None,
    as_json: AsJson = False,
) -> None:
    """List the metrics: inputs, model, range, direction, source.

    Metrics of installed packages and rubrics of ragassay.toml are listed too. METRIC may be your own, as
    MODULE:FUNCTION or FILE.py, all of whose metrics are listed.

    Ground spans are the passages that a retriever should find: the references, or the context where nothing answers.

    Replace the k in a name that ends in @k by a number, as in recall@5. Examples:

    ragassay metrics

    ragassay metrics recall@5

    ragassay metrics --json
    """
    from ragassay.metrics.catalogue import METRICS, others
    from ragassay.pipeline.asking.rubric_file import PROJECT_FILE, rubrics_in

    own = rubrics_in(Path(PROJECT_FILE))
    chosen = _asked(name) if name is not None else [*METRICS.values(), *others().metrics.values(), *own]
    for fault in others().faults if name is None else ():
        typer.echo(f"ragassay: {fault}", err=True)
    is_one = name is not None and len(chosen) == 1
    if as_json:
        found = [described(each) for each in chosen]
        print_json(found[0] if is_one else {"metrics": found})
    elif is_one:
        _print_one(chosen[0])
    else:
        _print_list(chosen)


def _asked(name: str) -> list[Metric]:
    """The metric of a name, at any depth or at none, or all of the user's own code."""
    from ragassay.metrics.aliases import aliases_in, ours
    from ragassay.metrics.catalogue import METRICS, metric_named
    from ragassay.pipeline.asking.asked_metrics import asked_metrics

    for asked, told in aliases_in([name]).items():
        typer.echo(f"ragassay: {asked} is {told}", err=True)
    name = ours(name)
    return [METRICS[name]] if name in METRICS else [metric_named(each)[0] for each in asked_metrics(name)]


def described(metric: Metric) -> dict[str, Any]:
    """One metric as the JSON object has it."""
    return {
        "name": metric.name,
        "kind": metric.kind,
        "meaning": metric.meaning,
        "inputs": list(metric.inputs),
        "needs": metric.needs,
        "tasks": list(metric.tasks),
        "low": metric.low,
        "high": metric.high,
        "higher_is_better": metric.higher_is_better,
        "source": metric.source,
        "origin": metric.origin,
    }


def _print_one(metric: Metric) -> None:
    from ragassay.metrics.metric import range_words

    rows = (
        ("name", metric.name),
        ("kind", metric.kind),
        ("meaning", metric.meaning),
        ("needs of the data", ", ".join(metric.inputs)),
        ("asks", metric.needs),
        *((("tasks", ", ".join(metric.tasks)),) if metric.tasks else ()),
        ("range", range_words(metric)),
        ("better", "higher" if metric.higher_is_better else "lower"),
        ("source", metric.source),
        ("comes from", metric.origin),
    )
    for label, text in rows:
        typer.echo(f"{label:<18} {text}")


def _print_list(metrics: Sequence[Metric]) -> None:
    """A table of each kind where a person looks at it; one line a metric for other programs."""
    from ragassay.report.streams import open_console

    console = open_console()
    if console.is_terminal:
        for kind in dict.fromkeys(metric.kind for metric in metrics):
            _print_kind(kind, [metric for metric in metrics if metric.kind == kind], console)
        return
    _print_lines(metrics)


def _print_kind(kind: str, metrics: Sequence[Metric], console: Console) -> None:
    from rich import box
    from rich.table import Table

    from ragassay.metrics.metric import BUILT_IN, range_words

    table = Table(title=kind.capitalize(), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, head in enumerate(("metric", "asks", "range", "needs of the data", "source")):
        table.add_column(head, no_wrap=not place, overflow="fold")
    for each in metrics:
        better = "" if each.higher_is_better else ", lower is better"
        source = each.source if each.origin == BUILT_IN else f"{each.source}, from {each.origin}"
        table.add_row(each.name, each.needs, range_words(each) + better, ", ".join(each.inputs), source)
    console.print(table, markup=False)
    console.print()


def _print_lines(metrics: Sequence[Metric]) -> None:
    from ragassay.metrics.metric import range_words

    rows = [("METRIC", "KIND", "ASKS", "RANGE", "BETTER", "NEEDS OF THE DATA", "FROM", "SOURCE")]
    for each in metrics:
        better = "higher" if each.higher_is_better else "lower"
        needs = ", ".join(each.inputs)
        rows.append((each.name, each.kind, each.needs, range_words(each), better, needs, each.origin, each.source))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True))
        typer.echo("  ".join([*cells, row[-1]]))
