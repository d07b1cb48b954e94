"""One system of an experiment on one benchmark: asked and scored in a folder of its own, which asks nothing twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragassay.errors import CONTINUE, BudgetError, check_coverage
from ragassay.models.llm.budget import Spent
from ragassay.pipeline.answer.questions import judgements
from ragassay.pipeline.asking.model_options import left
from ragassay.pipeline.experiment.options import ComparedSystem, ExperimentOptions, Side, run_name
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.folders.run_folder import SCORES_FILE
from ragassay.pipeline.score.evaluate import evaluate, set_up
from ragassay.pipeline.score.result import Evaluation
from ragassay.records import Example
from ragassay.systems.base import System
from ragassay.systems.build import outside_system
from ragassay.systems.function import spec_of

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
    spent: Spent,
    progress: Progress,
) -> SystemRun:
    """Asks what was not answered yet, and scores all of it. spent: what the experiment took before.

    Raises what ``evaluate`` raises, BudgetError and CoverageError where a judge did not answer.
    """
    asking = options.evaluation(system, side, metrics)
    asking = replace(asking, models=left(asking.models, spent))
    prepared = set_up(asking, metrics, Path(), judgements(asking))
    folder = options.out / RUNS_FOLDER / side / run_name(system, prepared)
    target: System | None = None
    if system.target is not None:
        target = spec_of(system.target, system.spec.options.model_dump(exclude_unset=True, exclude={"target"}))[1]
    elif not system.is_built_in:
        target = outside_system(system.spec)
    done = evaluate(replace(asking, out=folder), progress, target, log_folder=options.out)
    predicted = done.predicted
    assert predicted is not None
    _complain(done, options, system)
    values: dict[str, dict[str, float | None]] = defaultdict(dict)
    for score in done.scores if (folder / SCORES_FILE).exists() else ():  # none where every question failed
        values[score.metric][score.example_id] = score.value
    return SystemRun(
        folder=folder,
        examples=tuple(done.examples),
        values=values,
        reasons=done.summary.reasons,
        failed=len(predicted.failures),
        asked=predicted.asked,
        spent=predicted.spent.plus(_judged(done)),
    )


def _judged(done: Evaluation) -> Spent:
    """What the judge took."""
    cost = done.cost
    if cost is None:
        return Spent()
    return Spent(cost.sent, cost.prompt_tokens, cost.completion_tokens, cost.cost_usd, cost.unpriced)


def _complain(done: Evaluation, options: ExperimentOptions, system: ComparedSystem) -> None:
    """Raises where scores are not what they would be."""
    if done.summary.stopped_by:
        raise BudgetError(f"{done.summary.stopped_by.split()[0]} reached while scoring {system.name}; {CONTINUE}")
    check_coverage(
        done.summary.judge_coverage,
        options.models.coverage,
        (f"the judge, {options.judge}, answered", f"of the calls about {system.name}"),
        "run the same command again, or name another judge with --judge",
    )
