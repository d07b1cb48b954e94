"""One system of an experiment on one benchmark: predicted and scored in a folder of its own, and never twice."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragassay.errors import CONTINUE, BudgetError, check_coverage
from ragassay.metrics.catalogue import own_code
from ragassay.models.llm.budget import Spent
from ragassay.pipeline.answer.folder import state_in
from ragassay.pipeline.answer.options import EvaluateOptions
from ragassay.pipeline.answer.predict import state_of
from ragassay.pipeline.asking.model_options import left
from ragassay.pipeline.experiment.options import ComparedSystem, ExperimentOptions, Side, run_name
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.folders.run_folder import SCORES_FILE
from ragassay.pipeline.report.comparing import read_scored
from ragassay.pipeline.score.evaluate import evaluate, grades_of, set_up
from ragassay.pipeline.score.result import Evaluation
from ragassay.plain_files import read_object, write_object
from ragassay.records import Example, Score, read_jsonl
from ragassay.systems.base import System
from ragassay.systems.build import outside_system
from ragassay.systems.function import spec_of
from ragassay.version import __version__

SCORED_FILE = "scored.json"
RUNS_FOLDER = "runs"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRun:
    """values: metric to example id to value. examples: in their order. failed, asked: questions. spent: now.

    reasons: metric to reasons for values that are missing, with their numbers.
    """

    folder: Path
    examples: tuple[Example, ...]
    values: Mapping[str, Mapping[str, float | None]]
    reasons: Mapping[str, Mapping[str, int]]
    failed: int
    asked: int = 0
    spent: Spent = field(default_factory=Spent)


def run_system(
    options: ExperimentOptions,
    system: ComparedSystem,
    side: Side,
    metrics: tuple[str, ...],
    digest: str,
    spent: Spent,
    progress: Progress,
) -> SystemRun:
    """What was kept of this very run, or the run.

    digest: of the benchmark. spent: what the experiment took before. Raises what ``evaluate`` raises, BudgetError and
    CoverageError where a judge did not answer.
    """
    asking = options.evaluation(system, side, metrics)
    asking = replace(asking, models=left(asking.models, spent))
    prepared = set_up(asking, metrics, Path(), grades_of(asking))
    folder = options.out / RUNS_FOLDER / side / run_name(system, prepared)
    target: System | None = None
    if system.target is not None:
        target = spec_of(system.target, system.spec.options.model_dump(exclude_unset=True, exclude={"target"}))[1]
    elif not system.is_built_in:
        target = outside_system(system.spec)
    asked = _asked(options, asking, digest)
    state = state_of(replace(prepared, out=folder), target)
    held = read_object(folder / SCORED_FILE)  # of a finished run
    is_same = held.get("asked") == asked and state.is_same(state_in(folder)) is not False
    if is_same and not (options.retry_failed and held["failed"]) and not options.overwrite:
        return _read(folder, failed=held["failed"])
    for name in (SCORED_FILE, SCORES_FILE):  # what stands in them is of other questions, metrics or answers
        (folder / name).unlink(missing_ok=True)
    done = evaluate(replace(asking, out=folder), progress, target, log_folder=options.out)
    predicted = done.predicted
    assert predicted is not None
    _complain(done, options, system)
    failed = len(predicted.failures)
    if done.cost is None and not (folder / SCORES_FILE).exists():
        return SystemRun(  # every question failed: no metric has a value
            folder=folder,
            examples=predicted.examples,
            values={},
            reasons=done.summary.reasons,
            failed=failed,
            asked=predicted.asked,
            spent=predicted.spent,
        )
    write_object(folder / SCORED_FILE, {"asked": asked, "failed": failed})
    return replace(_read(folder, failed=failed), asked=predicted.asked, spent=predicted.spent.plus(_judged(done)))


def _asked(options: ExperimentOptions, asking: EvaluateOptions, digest: str) -> str:
    """Equal where scores of the same answers are the same: the same questions, metrics and judge."""
    asked = {
        "version": __version__,
        "benchmark": digest,
        "limit": options.limit,
        "metrics": asking.metrics,
        "own code": own_code(asking.metrics),
        "judge": asking.judging.asked() | {"name": options.judge},
        "seed": asking.seed,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def _read(folder: Path, *, failed: int) -> SystemRun:
    scored = read_scored(folder, None, "--system")
    reasons: dict[str, Counter[str]] = {}
    for score in read_jsonl(folder / SCORES_FILE, Score):
        if score.value is None:
            reasons.setdefault(score.metric, Counter())[score.reason or "no reason given"] += 1
    return SystemRun(
        folder=folder, examples=tuple(scored.examples.values()), values=scored.values, reasons=reasons, failed=failed
    )


def _judged(done: Evaluation) -> Spent:
    """What the judge took."""
    cost = done.cost
    if cost is None:
        return Spent()
    return Spent(cost.sent, cost.prompt_tokens, cost.completion_tokens, cost.cost_usd, cost.unpriced)


def _complain(done: Evaluation, options: ExperimentOptions, system: ComparedSystem) -> None:
    """Raises where scores are not what they would be: then nothing is kept as final."""
    if done.summary.stopped_by:
        raise BudgetError(f"{done.summary.stopped_by.split()[0]} reached while scoring {system.name}; {CONTINUE}")
    check_coverage(
        done.summary.judge_coverage,
        options.models.coverage,
        (f"the judge, {options.judge}, answered", f"of the calls about {system.name}"),
        "run the same command again, or name another judge with --judge",
    )
