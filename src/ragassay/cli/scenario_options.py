"""What ``ragassay schema`` and ``ragassay scenario`` share where a model on a server does the work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.errors import CoverageError, UsageError

if TYPE_CHECKING:
    from ragassay.pipeline.effort import EffortTally
    from ragassay.pipeline.model_options import ModelOptions


def no_estimate() -> UsageError:
    """What to say to ``--dry-run``."""
    return UsageError(
        "--dry-run: how much a model writes for a scenario is not known beforehand; limit it with --max-cost or "
        "--max-calls"
    )


def check_coverage(tally: EffortTally, models: ModelOptions, folder: Path) -> None:
    """Raises CoverageError where the model left more unanswered than ``--coverage`` allows; the results are kept."""
    from ragassay.pipeline.scenario_models import answered_share

    share = answered_share(tally)
    if share is not None and share < models.coverage:
        raise CoverageError(
            f"--coverage: the model answered {100 * share:.1f} % of what it was asked, less than "
            f"{100 * models.coverage:g} %; `ragassay calls {folder} --failed` lists what it did not"
        )
