"""A run held against bounds, for scripts, tests and notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragassay.pipeline.score.result import Evaluation
    from ragassay.report.gate import GateResult


def gate(
    run: str | Path | Evaluation, *, baseline: str | Path | Evaluation | None = None, **settings: Any
) -> GateResult:
    """Say whether a run is good enough, as ``ragassay gate`` does: ``assert ragassay.gate(result, fail_under={...})``.

    run, baseline: folders with scores, or what ``evaluate`` returns. settings: options of the command with underscores;
    fail_under, fail_over and max_drop as a mapping, ``{"recall@5": 0.7, "recall@5@summary": 0.6}``, or a list,
    ``["recall@5=.6@summary"]``.
    Raises ragassay.errors.RagassayError with one clear sentence for what cannot be used; a gate that fails is a result.
    """
    from ragassay.options import read_settings_of
    from ragassay.pipeline.gate.gate import gate as hold
    from ragassay.pipeline.gate.options import GateOptions

    is_folder = isinstance(baseline, str | Path)
    given = {name: value for name, value in settings.items() if value is not None}
    options = read_settings_of(GateOptions, {**given, "baseline": baseline if is_folder else None})
    return hold(options, Path(run) if isinstance(run, str | Path) else run, None if is_folder else baseline)  # type: ignore[arg-type]
