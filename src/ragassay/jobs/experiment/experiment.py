"""Experiments A and B: the same systems on a synthetic and a human benchmark, and whether both give one order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ragassay import errors
from ragassay.errors import CONTINUE, BudgetError
from ragassay.evaluation.clusters import clusters_of
from ragassay.jobs.answer.questions import judgements
from ragassay.jobs.asking.model_options import left
from ragassay.jobs.experiment.data import BenchmarkData, metrics_of, read_benchmark, shared_documents, warnings_of
from ragassay.jobs.experiment.options import SIDES, ComparedSystem, ExperimentOptions, Side, run_name
from ragassay.jobs.folders.job import kept_folder
from ragassay.jobs.folders.progress import Prefixed, Progress, Silent
from ragassay.jobs.folders.run_folder import EXPERIMENT_FILE, OTHER_FILES, REPORT_FILE, SCORES_FILE
from ragassay.jobs.folders.versions import recorded_versions
from ragassay.jobs.score.evaluate import evaluate, set_up
from ragassay.jobs.score.result import Evaluation
from ragassay.metrics.catalogue import metric_named
from ragassay.models.llm.budget import Spent
from ragassay.people.agreement.benchmarks import OrderAgreement, Scored, order_agreement
from ragassay.plain_files import write_object, write_whole
from ragassay.records import Example
from ragassay.report.experiment import BenchmarkFacts, ExperimentSummary, SystemFacts, render_experiment
from ragassay.sweep.results import Row, write_csv
from ragassay.systems.base import System
from ragassay.systems.build import outside_system
from ragassay.systems.function import spec_of
from ragassay.version import __version__

COMMAND = "experiment"
SUMMARY_FILE = "summary.json"
RESULTS_FILE, PAIRS_FILE = "results.csv", "pairs.csv"
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


Runs = Mapping[Side, Sequence[SystemRun]]


def experiment(options: ExperimentOptions, progress: Progress | None = None) -> ExperimentSummary:
    """Run every system on both benchmarks, except for what is there already, and compare the orders.

    Raises UsageError, InputError, RunFolderError, UnusableSystemError, BudgetError or CoverageError; what was answered
    and scored until then is kept.
    """
    options.check()
    options = shared_documents(options)
    data = {side: read_benchmark(options, side) for side in SIDES}
    metrics = metrics_of(options, data)
    about = {"identity": options.identity(), "settings": options.settings()}
    mark, fault_of = EXPERIMENT_FILE, partial(_fault_of, options)
    with kept_folder(options.out, COMMAND, about, progress or Silent(), mark=mark, fault_of=fault_of) as told:
        told.begin()
        runs = _run_all(options, metrics, told)
        told.start("comparing the orders", None)
        orders = tuple(_order(options, metric, runs) for metric in metrics)
        found = _summary(options, data, runs, orders)
        write_csv(options.out / RESULTS_FILE, list(_result_rows(found)))
        write_csv(options.out / PAIRS_FILE, list(_pair_rows(found)))
        write_object(options.out / SUMMARY_FILE, found.as_object())
        versions = recorded_versions(options.out / EXPERIMENT_FILE)
        write_whole(options.out / REPORT_FILE, render_experiment(found, versions))
    return found


def check_coverage(found: ExperimentSummary, options: ExperimentOptions) -> None:
    """Raise CoverageError where a system left more unanswered than it may."""
    for system in found.systems:
        for side, facts in (("synthetic", found.synthetic), ("human", found.human)):
            questions = min(facts.questions, options.limit or facts.questions)
            share = 1 - system.failed[side] / questions
            errors.check_coverage(
                share,
                options.models.coverage,
                (f"{system.name} answered", f"of the {side} benchmark"),
                f"predictions.jsonl in {system.folders[side]} gives the reasons; --retry-failed asks again",
            )


def _run_all(options: ExperimentOptions, metrics: tuple[str, ...], progress: Progress) -> Runs:
    spent = Spent()
    runs: dict[Side, list[SystemRun]] = {"synthetic": [], "human": []}
    for side in SIDES:
        for number, system in enumerate(options.compared, start=1):
            told = Prefixed(progress, f"{side} {number} of {len(options.compared)}")
            found = run_system(options, system, side, metrics, spent, told)
            spent = spent.plus(found.spent)
            runs[side].append(found)
    return runs


def _order(options: ExperimentOptions, metric: str, runs: Runs) -> OrderAgreement:
    return order_agreement(
        metric,
        [system.name for system in options.compared],
        *(_scored(runs[side], metric) for side in SIDES),
        bounds=metric_named(metric)[0].bounds,
        higher_is_better=metric_named(metric)[0].higher_is_better,
        seed=options.seed,
    )


def _scored(runs: Sequence[SystemRun], metric: str) -> Scored:
    """Of the answerable questions, or of all, as the metric has it."""
    examples = [each for each in runs[0].examples if metric_named(metric)[0].over_all or each.label != "unanswerable"]
    columns = [[run.values.get(metric, {}).get(example.id) for example in examples] for run in runs]
    values = np.array([[np.nan if value is None else value for value in column] for column in columns], np.float64)
    return Scored(values.T, clusters_of(examples))


def _summary(
    options: ExperimentOptions, data: Mapping[Side, BenchmarkData], runs: Runs, orders: tuple[OrderAgreement, ...]
) -> ExperimentSummary:
    facts = {
        side: BenchmarkFacts(
            dataset=str(options.dataset(side)),
            questions=len(runs[side][0].examples),
            writers=data[side].writers,
        )
        for side in SIDES
    }
    systems = [
        SystemFacts(
            name=system.name,
            folders={side: str(runs[side][place].folder) for side in SIDES},
            failed={side: runs[side][place].failed for side in SIDES},
            asked={side: runs[side][place].asked for side in SIDES},
        )
        for place, system in enumerate(options.compared)
    ]
    return ExperimentSummary(
        version=__version__,
        kind=options.kind,
        synthetic=facts["synthetic"],
        human=facts["human"],
        systems=tuple(systems),
        orders=orders,
        warnings=warnings_of(options, data, {side: runs[side][0].examples for side in SIDES}, orders),
        reasons=_reasons(runs),
        settings=options.settings(),
    )


def _reasons(runs: Runs) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for run in (run for side in SIDES for run in runs[side]):
        for metric, reasons in run.reasons.items():
            found.setdefault(metric, Counter()).update(reasons)
    return {metric: dict(counted.most_common()) for metric, counted in found.items()}


def _fault_of(options: ExperimentOptions, held: dict[str, Any]) -> str:
    """Say why a folder must be left alone; empty where the experiment may go on in it, or replaces what it holds."""
    if not held:
        return OTHER_FILES
    if options.overwrite or held.get("identity") == options.identity():
        return ""
    return "an experiment on other benchmarks; name another folder, or replace it with --overwrite"


def _result_rows(found: ExperimentSummary) -> Iterator[Row]:
    """One row for each metric, benchmark and system."""
    for order in found.orders:
        for place in order.systems:
            for side, rank in zip(SIDES, (place.synthetic_rank, place.human_rank), strict=True):
                mean = getattr(place, side)
                named = {"metric": order.metric, "benchmark": side, "system": place.system, "mean": mean.value}
                yield named | {"low": mean.low, "high": mean.high, "n": mean.n, "total": mean.total, "rank": rank}


def _pair_rows(found: ExperimentSummary) -> Iterator[Row]:
    """One row for each metric and pair of systems; differences are second less first."""
    for order in found.orders:
        for pair in order.pairs:
            row: dict[str, Any] = {"metric": order.metric, "first": pair.first, "second": pair.second}
            for side, test in (("synthetic", pair.synthetic), ("human", pair.human)):
                row |= {
                    f"{side}_difference": test.difference,
                    f"{side}_low": test.low,
                    f"{side}_high": test.high,
                    f"{side}_p": test.p_value,
                    f"{side}_p_holm": test.p_adjusted,
                }
            yield row | {"order": pair.order, "larger_than_noise": pair.firmness}


def run_system(
    options: ExperimentOptions,
    system: ComparedSystem,
    side: Side,
    metrics: tuple[str, ...],
    spent: Spent,
    progress: Progress,
) -> SystemRun:
    """Ask what was not answered yet, and score all of it. spent: what the experiment took before.

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
    """Raise where scores are not what they would be."""
    if done.summary.stopped_by:
        raise BudgetError(f"{done.summary.stopped_by.split()[0]} reached while scoring {system.name}; {CONTINUE}")
    errors.check_coverage(
        done.summary.judge_coverage,
        options.models.coverage,
        (f"the judge, {options.judge}, answered", f"of the calls about {system.name}"),
        "run the same command again, or name another judge with --judge",
    )
