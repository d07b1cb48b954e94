"""What an evaluation would ask of models on servers, for answers and for metrics, counted before the first call."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from ragassay.errors import check_dry_run
from ragassay.models.estimating import CallEstimate
from ragassay.pipeline.answer.estimate import stand_in
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.score.evaluate import EvaluateOptions, grades_of, names_of, score_options, set_up
from ragassay.pipeline.score.score import estimate_score


def estimate_evaluate(options: EvaluateOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """Calls, tokens and cost. Nothing is sent, and nothing written to ``out``.

    Raises UsageError where no model on a server would be asked, or a system outside would be.
    """
    check_dry_run(options.predict.models.uses_servers or options.judge.uses_servers)
    grades = grades_of(options)
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        place = Path(folder) / "run"
        inside = replace(options, predict=set_up(options.predict, options.names, place, grades))
        _, rows = stand_in(inside.predict, progress)
        if options.judge.uses_servers:
            rows += estimate_score(score_options(options, names_of(options, grades), data=place), progress)
        return rows
