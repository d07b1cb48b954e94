"""``ragassay sweep``: many settings of the built-in system at the price of few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.folders.progress import Progress
    from ragassay.pipeline.sweep.options import SweepOptions
    from ragassay.sweep.results import Planned, Swept

command = Command(
    Job(
        options="ragassay.pipeline.sweep.options:SweepOptions",
        run="ragassay.cli.sweep:sweep",
        show="ragassay.cli.sweep:show",
        check="ragassay.cli.sweep:complain",
        dry="ragassay.cli.sweep:plan",
        shares_work=True,
        file="YAML, TOML or JSON file: data set, grid, metrics.",
    ),
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
    """,
)


def sweep(options: SweepOptions, progress: Progress) -> Swept:
    """Print the plan, then do the whole sweep."""
    from ragassay.pipeline.sweep.sweep import sweep as sweep_all

    return sweep_all(options, progress, lambda planned: _print_plan(planned, as_json=False, to_stderr=True))


def plan(options: SweepOptions, progress: Progress, as_json: bool) -> None:
    """Print what would be done and what it would cost."""
    from ragassay.pipeline.sweep.sweep import plan_sweep

    _print_plan(plan_sweep(options, progress), as_json)


def show(done: Swept, as_json: bool) -> None:
    from ragassay.report.sweep import blocks_of_sweep, sweep_object
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        print_json({**sweep_object(done), "rows": done.rows, "folder": str(done.folder)})
    else:
        print_blocks(blocks_of_sweep(done))


def complain(done: Swept, options: SweepOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    from ragassay.errors import CONTINUE, BudgetError

    if done.budget_reached:
        raise BudgetError(f"{done.budget_reached}: {CONTINUE}")
    _check_coverage(done, options.models.coverage)


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
