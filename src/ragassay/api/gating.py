"""A run held against bounds, for scripts, tests and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ragassay.pipeline.score.result import Evaluation
    from ragassay.report.gate import GateResult


def gate(
    run: str | Path | Evaluation,
    *,
    fail_under: Mapping[str, float | str] | Iterable[str] | None = None,
    fail_over: Mapping[str, float | str] | Iterable[str] | None = None,
    max_drop: Mapping[str, float | str] | Iterable[str] | None = None,
    baseline: str | Path | Evaluation | None = None,
    use: Literal["interval", "mean"] | None = None,
    strict: bool | None = None,
    coverage: float | None = None,
    system: str | None = None,
    baseline_system: str | None = None,
    config: str | Path | None = None,
) -> GateResult:
    """Whether a run is good enough, as ``ragassay gate`` says: ``assert ragassay.gate(result, fail_under={...})``.

    run, baseline: folders with scores, or what ``evaluate`` and ``score`` return.
    fail_under, fail_over: least and greatest mean of metrics; max_drop: by how much the run may be worse than the
    baseline. Each is a mapping, ``{"recall@5": 0.7, "recall@5@summary": 0.6}``, or a list, ``["recall@5=.6@summary"]``.
    use: "interval" (the default): passed where the whole 95 % interval is good enough, failed where none of it is, else
    undecided; "mean": the mean alone. strict: what is undecided fails. coverage: least share of questions with a value,
    0.95 if not given.
    system, baseline_system: which of several systems of a run. config: file whose table [gate] has what is not given;
    ``ragassay.toml`` is read only where it is named.
    Raises ragassay.errors.RagassayError with one clear sentence for what cannot be used; a gate that fails is a result.
    """
    from ragassay.pipeline.gate.gate import gate as hold
    from ragassay.pipeline.gate.options import gate_options

    folder = Path(baseline) if isinstance(baseline, str | Path) else None
    options = gate_options(
        fail_under=fail_under,
        fail_over=fail_over,
        max_drop=max_drop,
        baseline=folder,
        use=use,
        strict=strict,
        coverage=coverage,
        system=system,
        baseline_system=baseline_system,
        config=None if config is None else Path(config),
        reads_config=False,
    )
    before = None if isinstance(baseline, str | Path) else baseline
    return hold(options, Path(run) if isinstance(run, str | Path) else run, before)
