"""What an evaluation would ask of models on servers, for answers and for metrics, counted before the first call."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ragassay.errors import check_dry_run
from ragassay.models.estimating import CallEstimate
from ragassay.pipeline.answer.estimate import stand_in
from ragassay.pipeline.answer.options import NO_METRICS, EvaluateOptions
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.score.evaluate import grades_of, names_of, of_answers, set_up
from ragassay.pipeline.score.score import estimate_score


def estimate_evaluate(options: EvaluateOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """Count calls, tokens and cost. Nothing is sent, and nothing written to ``out``.

    Raises UsageError where no model on a server would be asked, or a system outside would be.
    """
    options.check()
    check_dry_run(options.uses_servers)
    if not options.asks_system:
        return estimate_score(options, progress)
    grades = grades_of(options)
    names = names_of(options, grades)
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        place = Path(folder) / "run"
        _, rows = stand_in(set_up(options, names, place, grades), progress)
        if options.judging.uses_servers and options.metrics != (NO_METRICS,):
            rows += estimate_score(of_answers(options, names, place), progress)
        return rows
