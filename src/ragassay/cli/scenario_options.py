"""What ``ragassay schema`` and ``ragassay scenario`` share where a model on a server does the work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ragassay import errors

if TYPE_CHECKING:
    from ragassay.pipeline.asking.effort import EffortTally
    from ragassay.pipeline.asking.model_options import ModelOptions


def check_coverage(tally: EffortTally, models: ModelOptions, folder: Path) -> None:
    """Raises CoverageError where the model left more unanswered than ``--coverage`` allows; the results are kept."""
    from ragassay.pipeline.make.scenario_models import answered_share

    errors.check_coverage(
        answered_share(tally),
        models.coverage,
        ("the model answered", "of the calls"),
        f"`ragassay calls {folder} --failed` lists the others",
    )
