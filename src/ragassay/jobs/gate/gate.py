"""A scored run held against the conditions of its gate: what ``ragassay gate`` does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ragassay.errors import InputError, UsageError, choices
from ragassay.evaluation.gates import Condition, GateRow, examples_of, is_covered, row_of
from ragassay.jobs.gate.options import GateOptions, check_bound, option_of
from ragassay.jobs.report.comparing import (
    ScoredRun,
    answers_of,
    check_values,
    common_examples,
    common_scale,
    judged_apart,
    read_scored,
)
from ragassay.jobs.score.result import Evaluation
from ragassay.metrics.metric import Scale
from ragassay.records import UNLABELLED, Example
from ragassay.report.gate import GateResult


def gate(options: GateOptions, run: Path | Evaluation, baseline: Evaluation | None = None) -> GateResult:
    """Every condition with its verdict, in the order in which they were given.

    run: a folder with scores, or scores at hand; baseline: the same in the place of the options' folder.
    Raises UsageError for a metric, label or system that the run lacks and for a bound that cannot be meant, InputError
    for a folder without scores and for a baseline that was asked other questions.
    """
    before = baseline if baseline is not None else options.baseline
    options.check(has_baseline=before is not None)
    now = _scored(run, options.system, "--system")
    try:
        old = None if before is None else _scored(before, options.baseline_system, "--baseline-system")
    except InputError as error:
        raise InputError(f"--baseline: {error}") from None
    names = tuple(dict.fromkeys(each.metric for each in options.conditions))
    scales = _checked_scales(options.conditions, now, old)
    check_values(names, now)
    apart: Sequence[str] = ()
    if old is not None:
        common_examples(now, old)
        check_values((each.metric for each in options.conditions if each.kind == "max_drop"), old)
        apart = judged_apart(names, now, old)
    examples = list(now.examples.values())
    return GateResult(
        run=str(now.folder),
        system=now.system,
        baseline="" if old is None else f"{old.folder}{f', {old.system}' if options.baseline_system else ''}",
        use=options.use,
        strict=options.strict,
        coverage=options.coverage,
        new=0 if old is None else sum(each.id not in old.examples for each in examples),
        missing=0 if old is None else sum(each not in now.examples for each in old.examples),
        rows=tuple(_row(each, scales[each.metric], options, examples, now, old, apart) for each in options.conditions),
    )


def _row(
    condition: Condition,
    scale: Scale,
    options: GateOptions,
    examples: Sequence[Example],
    now: ScoredRun,
    old: ScoredRun | None,
    apart: Sequence[str],
) -> GateRow:
    if not examples_of(condition, scale, examples):
        raise _no_question(condition, now)
    values = now.values[condition.metric]
    before = None
    if old is not None and condition.kind == "max_drop":
        before, examples = old.values[condition.metric], [each for each in examples if each.id in old.examples]
    corrected = now.corrected.get(condition.group, {}).get(condition.metric)
    failed = {name for name, answer in now.answers.items() if answer is None}
    row = row_of(condition, scale, values, examples, options.use, options.coverage, before, corrected, failed)
    if old is None or before is None:
        return row
    if condition.metric in apart and is_covered(row.n, row.total, options.coverage):
        reason = f"judged by {now.judge} here and by {old.judge} in the baseline, which may be the difference"
        return replace(row, verdict="undecided", reason=reason)
    return row


def _checked_scales(conditions: Sequence[Condition], now: ScoredRun, old: ScoredRun | None) -> dict[str, Scale]:
    """Metric to its scale. Raises for metrics that a run lacks, bounds that cannot be meant, and unknown scales."""
    found = {}
    for each in conditions:
        option = option_of(each.kind)
        runs = [run for run in (now, old) if run is not None and (run is now or each.kind == "max_drop")]
        scale = now.scale(each.metric)
        if scale is not None:
            check_bound(each, scale, option, "--fail-over" if each.kind == "fail_under" else "--fail-under")
        for run in runs:
            if each.metric not in run.values:
                known = ", ".join(run.values)
                raise UsageError(f"{option}: {run.folder} has no scores of {each.metric}; it has {known}")
        common = common_scale(each.metric, *runs)
        if common is None:
            raise InputError(
                f"{option}: {now.folder} does not say between which values {each.metric} lies and which of them are "
                "good; score the predictions again, which keeps that"
            )
        found[each.metric] = common
    return found


def _no_question(condition: Condition, run: ScoredRun) -> UsageError | InputError:
    examples = run.examples.values()
    if not condition.group:
        return InputError(f"{run.folder} holds no question that has an answer; gate a run that does")
    groups = ({each.label for each in examples} | {each.question_type or "" for each in examples}) - {UNLABELLED, ""}
    return UsageError(
        f"{option_of(condition.kind)}: no question of {run.folder} has the label or type {condition.group!r}; "
        f"{'choose one of ' + choices(sorted(groups)) if groups else 'they have neither'}"
    )


def _scored(run: Path | Evaluation, system: str | None, option: str) -> ScoredRun:
    if isinstance(run, Path):
        return read_scored(run, system, option)
    name = "the run given" if option == "--system" else "the baseline given"
    if system not in (None, run.summary.system):
        raise UsageError(f"{option}: {name} has no scores of {system!r}; it has those of {run.summary.system}")
    values: dict[str, dict[str, float | None]] = defaultdict(dict)
    for sample in run.samples:
        for metric, score in sample.scores.items():
            values[metric][sample.example.id] = score.value
    return ScoredRun(
        folder=run.folder or Path(name),
        system=run.summary.system,
        examples={each.example.id: each.example for each in run.samples},
        values=dict(values),
        judge=run.summary.judge,
        scales=run.summary.scales,
        corrected=run.summary.corrected,
        answers=answers_of(run.predictions, run.summary.system),
    )
