"""Runs side by side and against bounds, pages about them, and how far to believe a judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from pandas import DataFrame

    from ragassay.jobs.data.agree import Agreement
    from ragassay.jobs.judge.check import JudgeReport
    from ragassay.jobs.score.result import Evaluation
    from ragassay.report.comparison import SetFigures, ShownComparison
    from ragassay.report.gate import GateResult


@with_remote_paths("run_a", "run_b")
def compare_runs(run_a: str | Path, run_b: str | Path, **settings: Any) -> ShownComparison:
    """Set run_b against run_a, on the examples of both, as ``ragassay compare`` does: ``found.metrics["recall@5"]``.

    run_a, run_b: folders with scores. settings: options of the command with underscores: metrics, system_a, system_b,
    changed.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.jobs.report.comparing import CompareOptions, compare
    from ragassay.options import read_settings_of
    from ragassay.report.comparison import ShownComparison

    first, second, found = compare(read_settings_of(CompareOptions, {"run_a": run_a, "run_b": run_b, **settings}))
    return ShownComparison.of(found, f"{first.folder}, {first.system}", f"{second.folder}, {second.system}")


def compare_sets(*sets: str | Path, out: str | Path | None = None) -> tuple[SetFigures, ...]:
    """Say what two sets or more are made of, side by side, as ``ragassay report SET SET`` shows it.

    sets: folders that a command wrote, or sets in any format, which need not share a question; the figures come in
    their order: labels, question words, critiques, rejected candidates, cost. out: file of a page about them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.jobs.report.comparing import compare_sets as compare

    return compare([Path(each) for each in sets], None if out is None else Path(out))


@with_remote_paths("run", "out", "against")
def write_report(run: str | Path, out: str | Path | None = None, **settings: Any) -> Path:
    """Write one self-contained HTML page about a run, as ``ragassay report`` does, and say where.

    run: folder that any command wrote. out: the file, which replaces only a page of Ragassay; report.html in the folder
    if None. settings: options of the command with underscores: against, system, against_system, baselines (a mapping
    from names to folders).
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.jobs.report.set_report import ReportOptions, report_run
    from ragassay.options import read_settings_of

    options = read_settings_of(ReportOptions, {"runs": run, "out": out, **settings})
    options.check()
    return report_run(options.runs[0], options.out, options.beside)


@with_remote_paths()
def gate(
    run: str | Path | Evaluation, *, baseline: str | Path | Evaluation | None = None, **settings: Any
) -> GateResult:
    """Say whether a run is good enough, as ``ragassay gate`` does: ``assert ragassay.gate(result, fail_under={...})``.

    run, baseline: folders with scores, or what ``evaluate`` returns. settings: options of the command with underscores;
    fail_under, fail_over and max_drop as a mapping, ``{"recall@5": 0.7, "recall@5@summary": 0.6}``, or a list,
    ``["recall@5=.6@summary"]``.
    Raises ragassay.errors.RagassayError with one clear sentence for what cannot be used; a gate that fails is a result.
    """
    from ragassay.jobs.gate.gate import gate as hold
    from ragassay.jobs.gate.options import GateOptions
    from ragassay.options import read_settings_of

    is_folder = isinstance(baseline, str | Path)
    given = {name: value for name, value in settings.items() if value is not None}
    options = read_settings_of(GateOptions, {**given, "baseline": baseline if is_folder else None})
    return hold(options, Path(run) if isinstance(run, str | Path) else run, None if is_folder else baseline)  # type: ignore[arg-type]


@with_remote_paths("data", "blocks", "out")
def check_judge(data: str | Path | None = None, **settings: Any) -> JudgeReport:
    """Measure a judge on what people have compared or rated, as ``ragassay judge check`` does.

    data: JSONL file of pairs, comparisons, rated answers or claims; None for the set that comes with the package.
    settings: options of the command with underscores, such as quality="faithfulness", claims=True or model=..., as for
    ``evaluate``; or ``models``, with all of them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.jobs.judge.check import check_judge as check
    from ragassay.jobs.judge.options import JudgeOptions
    from ragassay.options import read_settings_of

    return check(read_settings_of(JudgeOptions, {"data": data, **settings}))


@with_remote_paths("data", "blocks", "out")
def repeat_judge(data: str | Path | None = None, **settings: Any) -> JudgeReport:
    """Ask a judge the same twice and set the values against each other, as ``ragassay judge repeat`` does.

    The arguments are those of ``check_judge``.
    """
    from ragassay.jobs.judge.check import repeat_judge as repeat
    from ragassay.jobs.judge.options import JudgeOptions
    from ragassay.options import read_settings_of

    return repeat(read_settings_of(JudgeOptions, {"data": data, **settings}))


def read_annotations(paths: str | Path | Sequence[str | Path]) -> DataFrame:
    """Judgements of people as a data frame: subject_id, annotator, task, value, note.

    paths: folders of `ragassay annotate`, .jsonl or .csv files.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used, and without pandas.
    """
    from ragassay.jobs.data.agree import annotations_in

    return annotations_in([Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)])


@with_remote_paths()
def agree(annotations: str | Path | Sequence[str | Path], **settings: Any) -> Agreement:
    """Agreement of people, and of a judge with them, as ``ragassay agree`` does: ``result["label"]``.

    annotations: folders of `ragassay annotate`, .jsonl or .csv files. settings: options of the command with
    underscores, such as against="runs/first", metric="faithfulness" or task="quality".
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used.
    """
    from ragassay.jobs.data.agree import AgreeOptions, agree_on
    from ragassay.options import read_settings_of

    return agree_on(read_settings_of(AgreeOptions, {"annotations": annotations, **settings}))
