"""``ragassay sweep``: many settings of the built-in system at the price of few."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from ragassay.pipeline.sweep.options import SweepOptions
    from ragassay.sweep.swept import Planned, Swept


@expanded
def sweep(
    config: Annotated[
        Path,
        typer.Argument(help="YAML, TOML or JSON file: data set, grid, metrics.", metavar="CONFIG", show_default=False),
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: the one in CONFIG.")] = None,
    judge: Annotated[
        str | None,
        typer.Option(help="Model that judges answers and re-ranks; default: the one in CONFIG.", metavar="MODEL"),
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Replace the results of another sweep; keep the settings that both have."),
    ] = False,
    all_rows: Annotated[
        bool,
        typer.Option(
            "--all-rows",
            help="Print every metric of every setting by label, type, domain and language.",
            rich_help_panel="Output",
        ),
    ] = False,
    as_json: AsJson = False,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Try every setting of the built-in system in a grid.

    A grid lists values for chunks, prefix, encoder, fusion, text weight, reranker and generator. Work that settings
    share is done once: chunks, vectors, rankings, answers to the same question from the same chunks. The plan and its
    cost are printed first; --dry-run ends there. The same command continues a stopped sweep. A CONFIG:

    \b
    dataset: runs/first
    out: runs/sweep
    grid:
      chunk_size: [256, 512, 1024]
      prefix: ["", title]
      fusion: [raw_linear, rrf]
      text_weight: [0, 0.05, 0.1, 0.2, 0.5, 1]
      reranker: [none, late_interaction]

    Examples:

    ragassay sweep sweep.yaml --dry-run

    ragassay sweep sweep.yaml --out runs/sweep --json

    ragassay sweep sweep.yaml --all-rows
    """
    from ragassay.cli.progress_bars import progress_bars  # imported late: --help answers in half a second
    from ragassay.errors import CONTINUE, BudgetError, UsageError
    from ragassay.pipeline.sweep.options import SweepOptions, read_sweep_file
    from ragassay.pipeline.sweep.sweep import sweep as sweep_all

    given = read_sweep_file(config)
    judged_by = judge or given.pop("judge", None) or EMBEDDED
    given.pop("judge", None)
    if "dataset" not in given:
        raise UsageError(f"{config}: dataset is missing; add the data set of the sweep")
    if out is None and "out" not in given:
        raise UsageError("--out: missing; name the folder of the sweep here or as out in CONFIG")
    models = model_options(calls, spending, model=judged_by)
    options = SweepOptions(**{**given, **({"out": out} if out else {})}, models=models, overwrite=overwrite)
    if spending.dry_run:
        _plan(options, as_json)
        return
    with progress_bars() as progress:
        done = sweep_all(options, progress, lambda planned: _print_plan(planned, as_json, to_stderr=True))
    _print(done, as_json, all_rows=all_rows)
    if done.budget_reached:
        raise BudgetError(f"{done.budget_reached}: {CONTINUE}")
    _check_coverage(done, models.coverage)


def _check_coverage(done: Swept, least: float) -> None:
    """Raises CoverageError where servers left more of a setting unanswered than they may."""
    from ragassay.errors import check_coverage

    short = [each for each in done.unanswered if each.coverage < least]
    if not short:
        return
    others = f"; {len(short) - 1} more settings are below it" if len(short) > 1 else ""
    again = "; the same command repeats calls without a reply" if any(each.unheard for each in short) else ""
    check_coverage(
        short[0].coverage,
        least,
        ("servers answered all calls for", f"of the questions with {short[0].setting.name}"),
        f"see the reasons above and in {done.folder / 'summary.json'}{others}{again}",
    )


def _plan(options: SweepOptions, as_json: bool) -> None:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.pipeline.sweep.sweep import plan_sweep

    with progress_bars() as progress:
        planned = plan_sweep(options, progress)
    _print_plan(planned, as_json)


def _print_plan(planned: Planned, as_json: bool, *, to_stderr: bool = False) -> None:
    from dataclasses import asdict

    from ragassay.report.sweep import blocks_of_plan
    from ragassay.report.terminal import show

    if as_json and not to_stderr:
        rows = [asdict(row) for row in planned.rows]
        found: dict[str, Any] = {"settings": [setting.name for setting in planned.settings], "plan": rows}
        print_json({**found, "cost_usd": planned.cost_usd})
    else:
        show(blocks_of_plan(planned), stderr=to_stderr)


def _print(done: Swept, as_json: bool, *, all_rows: bool) -> None:
    from ragassay.report.sweep import blocks_of_sweep, sweep_object
    from ragassay.report.terminal import show

    if as_json:
        rows = {"rows": done.rows} if all_rows else {}
        print_json({**sweep_object(done), **rows, "folder": str(done.folder)})
    else:
        show(blocks_of_sweep(done, all_rows=all_rows))
