"""Runs side by side, and pages about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.report.notebook import ShownComparison
    from ragassay.report.sets import SetFigures


@with_remote_paths("run_a", "run_b")
def compare_runs(
    run_a: str | Path,
    run_b: str | Path,
    *,
    metrics: Sequence[str] = (),
    system_a: str | None = None,
    system_b: str | None = None,
    changed: int = 10,
) -> ShownComparison:
    """run_b against run_a, on the examples of both, as ``ragassay compare`` does: ``found.metrics["recall@5"]``.

    run_a, run_b: folders with scores. metrics: names; those that both have if there are none. system_a, system_b: which
    of several systems of a run. changed: how many of the examples that changed most are kept.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.report.comparing import compare_runs as compare
    from ragassay.report.notebook import ShownComparison

    first, second, found = compare(
        Path(run_a),
        Path(run_b),
        metrics=[metrics] if isinstance(metrics, str) else metrics,
        system_a=system_a,
        system_b=system_b,
        most_changed=changed,
    )
    return ShownComparison.of(found, f"{first.folder}, {first.system}", f"{second.folder}, {second.system}")


def compare_sets(*sets: str | Path, out: str | Path | None = None) -> tuple[SetFigures, ...]:
    """What two sets or more are made of, side by side, as ``ragassay report SET SET`` shows it.

    sets: folders that a command wrote, or sets in any format, which need not share a question; the figures come in
    their order: labels, question words, critiques, rejected candidates, cost. out: file of a page about them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.report.compare_sets import compare_sets as compare

    return compare([Path(each) for each in sets], None if out is None else Path(out))


@with_remote_paths("run", "out", "against")
def write_report(
    run: str | Path,
    out: str | Path | None = None,
    *,
    against: str | Path | None = None,
    system: str | None = None,
    against_system: str | None = None,
    baselines: Mapping[str, str | Path] | None = None,
    annotations: str | Path | Sequence[str | Path] = (),
    metric: str | None = None,
) -> Path:
    """Writes one self-contained HTML page about a run, as ``ragassay report`` does, and says where.

    run: folder that any command wrote. out: the file, which replaces only a page of Ragassay; report.html in the folder
    if None. against: a run to compare with; system, against_system: which of several systems. baselines: name to the
    folder of a run whose ratings are shown beside. annotations: what people said of its items; metric: the score that
    ratings of answers and preferences are set beside.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.report.set_report import Beside, report_run

    said = [annotations] if isinstance(annotations, str | Path) else annotations
    beside = Beside(
        baselines={name: Path(folder) for name, folder in (baselines or {}).items()},
        against=None if against is None else Path(against),
        system=system,
        against_system=against_system,
        annotations=tuple(Path(each) for each in said),
        metric=metric,
    )
    return report_run(Path(run), None if out is None else Path(out), beside)
