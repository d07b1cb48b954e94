"""What ``run`` and ``synthesize`` say before and after they made a set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ragassay.pipeline.dry_run import DryRun


def print_dry_run(found: DryRun, as_json: bool) -> None:
    """Calls, tokens and cost of each task, as an object or as tables."""
    from ragassay.report.estimate_tables import estimate_object, print_estimate
    from ragassay.report.streams import open_console

    if as_json:
        typer.echo(json.dumps(estimate_object(found.rows, found.examples, found.asked), indent=1))
    else:
        print_estimate(found.rows, found.examples, found.asked, open_console())


def complain(
    folder: Path,
    *,
    made: int,
    stopped_by: str,
    coverage: float | None,
    least_coverage: float,
    missing: Sequence[str],
    why: str,
) -> None:
    """Raises for what a script should hear of although there are results.

    made: examples. stopped_by: the limit that was reached, or empty. coverage: share of what servers were asked and
    answered. missing: ``3 summary``, none where that is no error. why: where the reasons for what is missing are.
    """
    from ragassay.errors import BudgetError, CoverageError, ShortfallError

    if stopped_by:
        raise BudgetError(
            f"{stopped_by}: what was done until then is in {folder}; the same command, which counts anew, goes on from "
            "there"
        )
    if coverage is not None and coverage < least_coverage:
        raise CoverageError(
            f"--coverage: the models answered {100 * coverage:.1f} % of what a stage asked them, less than "
            f"{100 * least_coverage:g} %; `ragassay calls {folder} --failed` lists what they did not"
        )
    if not made:
        raise ShortfallError(
            f"no example could be made of these documents; {why} says why. A language model (--model) finds questions "
            "in more kinds of text than the embedded one, which drafts some for you to mend with --drafts"
        )
    if missing:
        raise ShortfallError(f"--strict: examples are missing ({', '.join(missing)}); {why} says why")
