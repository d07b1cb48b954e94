"""Experiments A and B: the same systems on a synthetic and a human benchmark, and whether both give one order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ragassay import errors
from ragassay.agreement.benchmarks import OrderAgreement, Scored, order_agreement
from ragassay.evaluation.clusters import clusters_of
from ragassay.metrics.catalogue import metric_named
from ragassay.models.llm.budget import Spent
from ragassay.pipeline.experiment.data import BenchmarkData, metrics_of, read_benchmark, shared_documents
from ragassay.pipeline.experiment.options import SIDES, ExperimentOptions, Side
from ragassay.pipeline.experiment.runs import SystemRun, run_system
from ragassay.pipeline.experiment.warnings import warnings_of
from ragassay.pipeline.folders.progress import PROGRESS_FILE, Prefixed, Progress, Silent, followed
from ragassay.pipeline.folders.run_folder import EXPERIMENT_FILE, OTHER_FILES, REPORT_FILE, check_place, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, recorded_versions, versions_here
from ragassay.plain_files import write_object, write_whole
from ragassay.report.experiment import BenchmarkFacts, ExperimentSummary, SystemFacts, render_experiment
from ragassay.sweep.results import Row, write_csv
from ragassay.version import __version__

COMMAND = "experiment"
SUMMARY_FILE = "summary.json"
RESULTS_FILE, PAIRS_FILE = "results.csv", "pairs.csv"

Runs = Mapping[Side, Sequence[SystemRun]]


def experiment(options: ExperimentOptions, progress: Progress | None = None) -> ExperimentSummary:
    """Runs every system on both benchmarks, except for what is there already, and compares the orders.

    Raises UsageError, InputError, RunFolderError, UnusableSystemError, BudgetError or CoverageError; what was answered
    and scored until then is kept.
    """
    options.check()
    options = shared_documents(options)
    data = {side: read_benchmark(options, side) for side in SIDES}
    metrics = metrics_of(options, data)
    with _folder(options), followed(progress or Silent(), options.out, COMMAND) as told:
        runs = _run_all(options, metrics, told)
        told.start("comparing the orders", None)
        orders = tuple(_order(options, metric, runs) for metric in metrics)
        found = _summary(options, data, runs, orders)
        _write_results(options.out, found)
    return found


def check_coverage(found: ExperimentSummary, options: ExperimentOptions) -> None:
    """Raises CoverageError where a system left more unanswered than it may."""
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
    systems = []
    for place, system in enumerate(options.compared):
        mine = {side: runs[side][place] for side in SIDES}
        systems.append(
            SystemFacts(
                name=system.name,
                folders={side: str(run.folder) for side, run in mine.items()},
                failed={side: run.failed for side, run in mine.items()},
                asked={side: run.asked for side, run in mine.items()},
            )
        )
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


@contextmanager
def _folder(options: ExperimentOptions) -> Iterator[None]:
    """The folder, for one process at a time. Raises RunFolderError for one that holds something else."""

    def fault_of(held: dict[str, Any]) -> str:
        if not held:
            return OTHER_FILES
        is_ours = options.overwrite or held.get("identity") == options.identity()
        return (
            "" if is_ours else "an experiment on other benchmarks; name another folder, or replace it with --overwrite"
        )

    check = partial(check_place, options.out, EXPERIMENT_FILE, fault_of)
    with lasting_folder(options.out, check, frozenset({EXPERIMENT_FILE, PROGRESS_FILE})):
        content = {
            "version": __version__,
            "identity": options.identity(),
            "settings": options.settings(),
            VERSIONS: versions_here(),
        }
        write_object(options.out / EXPERIMENT_FILE, content)
        yield


def _write_results(out: Path, found: ExperimentSummary) -> None:
    write_csv(out / RESULTS_FILE, list(_result_rows(found)))
    write_csv(out / PAIRS_FILE, list(_pair_rows(found)))
    write_object(out / SUMMARY_FILE, found.as_object())
    write_whole(out / REPORT_FILE, render_experiment(found, recorded_versions(out / EXPERIMENT_FILE)))


def _result_rows(found: ExperimentSummary) -> Iterator[Row]:
    """One row for each metric, benchmark and system."""
    for order in found.orders:
        for place in order.systems:
            for side, mean, rank in (
                ("synthetic", place.synthetic, place.synthetic_rank),
                ("human", place.human, place.human_rank),
            ):
                yield {
                    "metric": order.metric,
                    "benchmark": side,
                    "system": place.system,
                    "mean": mean.value,
                    "low": mean.low,
                    "high": mean.high,
                    "n": mean.n,
                    "total": mean.total,
                    "rank": rank,
                }


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
