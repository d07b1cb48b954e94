"""A sweep from its options to its results: plan, rankings, answers, values, tables."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ragassay import tracing
from ragassay.errors import BudgetError
from ragassay.evaluation.clusters import clusters_of
from ragassay.metrics.catalogue import metric_named
from ragassay.metrics.judged.copied import CopiedAnswers
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.parts import in_parts
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import as_judge
from ragassay.pipeline.folders.progress import Progress, Silent, Written, followed
from ragassay.pipeline.folders.run_folder import REPORT_FILE, SWEEP_FILE
from ragassay.pipeline.folders.versions import recorded_versions
from ragassay.pipeline.sweep.answers import Answers, copied_of
from ragassay.pipeline.sweep.costs import with_costs
from ragassay.pipeline.sweep.data import SweepData, read_sweep_data
from ragassay.pipeline.sweep.folder import (
    COMPARISONS_FILE,
    PARQUET_FILE,
    RESULTS_FILE,
    SUMMARY_FILE,
    SweepFolder,
    sweep_folder,
)
from ragassay.pipeline.sweep.items import sweep_items
from ragassay.pipeline.sweep.models import SweepEndpoints, SweepModels
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.pipeline.sweep.ranking import Rankings
from ragassay.pipeline.sweep.retrieved import ranked_predictions
from ragassay.rag.setting import EMBEDDED, NO_GENERATOR, Setting
from ragassay.records import UNLABELLED, Example, Prediction
from ragassay.report.items import Items
from ragassay.report.predictions import lost_references_note, turns_note
from ragassay.report.sweep import render_sweep, sweep_object
from ragassay.retrieval.rerank import JUDGE
from ragassay.sweep.groups import By, groups_of
from ragassay.sweep.outcome import Outcome, outcome, reasons_of
from ragassay.sweep.plan import Sizes, plan
from ragassay.sweep.search import Rows, tried
from ragassay.sweep.swept import Planned, Swept, unanswered_of
from ragassay.sweep.tidy import comparison_rows, result_rows, write_csv, write_parquet
from ragassay.sweep.values import SettingValues
from ragassay.version import __version__
from ragassay.workers import Workers

COMMAND = "sweep"
MOST_DEPTH = 10
"""Chunks kept of every ranking, unless metrics, rerankers or generators look further."""
_IMPORTS = ("ragassay.rag.studying", "ragassay.models.embedded.judging.answering")
_SAMPLE = 200
"""Documents whose tokens are counted for the plan."""


def plan_sweep(options: SweepOptions, progress: Progress | None = None) -> Planned:
    """What a sweep would do and cost: documents are read and cut, nothing is sent, nothing stays on the disk."""
    options = options.with_judge
    options.check()
    endpoints = SweepEndpoints(options, without_keys=True)
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        with Workers(imports=_IMPORTS) as workers:
            data = read_sweep_data(options, Path(folder), workers, progress or Silent())
        try:
            return _planned(options, data, endpoints)
        finally:
            data.store.close()


def sweep(
    options: SweepOptions, progress: Progress | None = None, on_plan: Callable[[Planned], None] = lambda planned: None
) -> Swept:
    """Does the whole sweep. on_plan: told the plan before anything is asked.

    Raises UsageError, InputError or RunFolderError for what cannot be used. Values of settings that were worked out
    stay in the folder whatever happens, and the same command goes on from there; it asks those questions again to which
    nothing came back.
    """
    options = options.with_judge
    metrics = options.check()
    endpoints = SweepEndpoints(options)
    with sweep_folder(options.out) as folder, followed(progress or Silent(), options.out, COMMAND) as told:
        swept = finished(_sweep(options, metrics, endpoints, folder, told, on_plan))
        told.stopped(swept.budget_reached or "")
        return swept


async def _sweep(
    options: SweepOptions,
    metrics: Sequence[tuple[Metric, int]],
    endpoints: SweepEndpoints,
    folder: SweepFolder,
    progress: Written,
    on_plan: Callable[[Planned], None],
) -> Swept:
    with Workers(imports=_IMPORTS) as workers:
        return await _swept(options, metrics, endpoints, folder, workers, progress, on_plan)


async def _swept(
    options: SweepOptions,
    metrics: Sequence[tuple[Metric, int]],
    endpoints: SweepEndpoints,
    folder: SweepFolder,
    workers: Workers,
    progress: Written,
    on_plan: Callable[[Planned], None],
) -> Swept:
    data = read_sweep_data(options, folder.work, workers, progress)
    try:
        folder.claim(options.fingerprint(data.digest), options.settings(), overwrite=options.overwrite)
        progress.begin()
        planned = _planned(options, data, endpoints)
        on_plan(planned)
        async with SweepModels(options, endpoints, folder.path, workers, progress) as models:
            work = _Work(options, metrics, data, models, folder, progress)
            with suppress(BudgetError):  # of vectors: what was worked out until then is shown
                await work.values_of(planned.settings)
            values = [with_costs(work.values[each], endpoints) for each in planned.settings if each in work.values]
            found = _outcome(options, metrics, data, values)
            predictions = await work.predictions(_shown(found))
        shown = {setting: work.values[setting] for setting in predictions}
        items = _items(data, metrics, found, shown, predictions)
    finally:
        data.store.close()
    return _results(options, planned, data, work, folder, values, found, items)


def _shown(found: Outcome) -> list[Setting]:
    """The best settings, and the one that is recommended."""
    best = [each.setting for each in found.best]
    return best if found.top is None else [*best, found.top.ties.cheapest]


def _items(
    data: SweepData,
    metrics: Sequence[tuple[Metric, int]],
    found: Outcome,
    values: Mapping[Setting, SettingValues],
    predictions: Mapping[Setting, Sequence[Prediction]],
) -> Items | None:
    """Opened on the recommended setting, which comes last; None where nothing is shown."""
    recommended = next((each for each in reversed(_shown(found)) if each in predictions), None)
    if recommended is None:
        return None
    made = [prediction for of_setting in predictions.values() for prediction in of_setting]
    return sweep_items(data, values, made, [metric.name for metric, _ in metrics], recommended)


class _Work:
    """Rankings, answers and values of all settings."""

    def __init__(
        self,
        options: SweepOptions,
        metrics: Sequence[tuple[Metric, int]],
        data: SweepData,
        models: SweepModels,
        folder: SweepFolder,
        progress: Progress,
    ) -> None:
        self._options = options
        self._data = data
        self._folder = folder
        self._progress = progress
        self._metrics = [metric.name for metric, _ in metrics]
        self._deciding = next(metric for metric, _ in metrics if metric.name == options.deciding)
        self._rankings = Rankings(options, data, models, _depth(options, metrics), folder.work, progress)
        self._answers = Answers(options, data, models, metrics, self._judge(models))
        self.endpoints = models.endpoints
        self.budget = models.endpoints.budget
        self.judge = models.judge.name
        self.values: dict[Setting, SettingValues] = {}
        self.reused = 0

    def _judge(self, models: SweepModels) -> Judge:
        judge = models.judge
        return Judge(
            model=as_judge(judge, models.endpoints.of.get(models.endpoints.judge), self._options.models),
            encoder=models.encoder(EMBEDDED),
            prompts=self._options.models.prompts if judge.is_on_server else None,
            seed=self._options.seed,
        )

    async def values_of(self, settings: Sequence[Setting]) -> None:
        """Work out the values of each setting that no earlier sweep in the folder has."""
        rows: Rows = np.arange(len(self._data.examples))
        missing = []
        for setting in settings:
            found = self._folder.load(setting, self._options.fingerprint(self._data.digest, setting))
            if found is not None and np.isin(rows, found.rows).all():
                self.values[setting] = found.cut(rows)  # an earlier sweep in the folder may have asked more
                self.reused += 1
            else:
                missing.append(setting)
        await self._rankings.make(missing, rows)
        on_rows = in_parts(self._progress, "scoring settings", len(missing), len(missing) * len(rows))
        for setting in missing:
            with tracing.setting(setting.name, len(rows)) as told:
                ranked = await self._rankings.of(setting, rows)
                values, predictions, _ = await self._answers.work_out(setting, ranked, rows, on_rows)
                if self.budget.reached is not None:
                    return  # half of the answers are missing: the next run asks for the rest
                told({name: values.mean(name) for name in self._metrics})
            self.values[setting] = values
            answered = predictions if setting.generator != NO_GENERATOR else []
            self._folder.keep(values, answered, self._options.fingerprint(self._data.digest, setting))

    async def predictions(self, settings: Iterable[Setting]) -> dict[Setting, list[Prediction]]:
        """Of settings that were asked every question; those that lie in no file are made again, from what is known.

        A setting whose predictions cannot be had within the budget is left out.
        """
        found: dict[Setting, list[Prediction]] = {}
        rows: Rows = np.arange(len(self._data.examples))
        ids = [example.id for example in self._data.examples]
        for setting in dict.fromkeys(settings):
            fingerprint = self._options.fingerprint(self._data.digest, setting)
            kept = self._folder.predictions(fingerprint, ids)
            if kept is None and self.budget.reached is None:
                with suppress(BudgetError):
                    await self._rankings.make([setting], rows)
                    ranked = await self._rankings.of(setting, rows)
                    answered: Mapping[int, Prediction] = {}
                    if setting.generator != NO_GENERATOR:
                        answered = dict(enumerate((await self._answers.work_out(setting, ranked, rows)).predictions))
                    kept = list(ranked_predictions(self._data, setting, ranked, answered))
                    self._folder.keep_predictions(kept, fingerprint)
            if kept is not None:
                found[setting] = kept
        return found


def _depth(options: SweepOptions, metrics: Sequence[tuple[Metric, int]]) -> int:
    space = options.space
    return max(MOST_DEPTH, *(depth for _, depth in metrics), *space.top_k, *space.candidates)


def _planned(options: SweepOptions, data: SweepData, endpoints: SweepEndpoints) -> Planned:
    settings, total = tried(options.search, options.space, options.seed)
    names = {name: endpoint.name for name, endpoint in endpoints.of.items()}
    if endpoints.judge in endpoints.of:
        names[JUDGE] = endpoints.of[endpoints.judge].name
    judged = sum(metric.is_judged for metric, _ in options.check())
    return Planned(
        rows=plan(settings, _sizes(data), judged, names, endpoints.prices.cost),
        settings=settings,
        total=total,
        questions=len(data.examples),
        documents=len(data.store),
    )


def kinds_of(examples: Sequence[Example]) -> list[str]:
    """What questions are told apart by: labels, or types where only unanswerable ones have a label."""
    if kind_of(examples) == "type":
        return [example.question_type or example.label for example in examples]
    return [example.label for example in examples]


def kind_of(examples: Sequence[Example]) -> By:
    """Which of the two these are."""
    without_labels = {example.label for example in examples} <= {UNLABELLED, "unanswerable"}
    return "type" if without_labels and any(example.question_type for example in examples) else "label"


def _sizes(data: SweepData) -> Sizes:
    """Tokens are counted in some documents, evenly spaced."""
    n = len(data.store)
    some = [data.store[place].text for place in range(0, n, max(1, n // _SAMPLE))]
    rate = sum(map(estimate_tokens, some)) / max(1, sum(map(len, some)))
    questions = [example.question for example in data.examples]
    turns = [" ".join(turn.content for turn in each.history) for each in data.examples if each.history]
    return Sizes(
        questions=len(questions),
        chunks={chunking: len(table) for chunking, table in data.cut.tables.items()},
        characters=data.cut.characters,
        tokens=round(rate * data.cut.characters),
        question_tokens=sum(map(estimate_tokens, questions)) / len(questions),
        follow_ups=len(turns) / len(questions),
        turn_tokens=sum(map(estimate_tokens, turns)) / max(1, len(turns)),
    )


def _outcome(
    options: SweepOptions, metrics: Sequence[tuple[Metric, int]], data: SweepData, values: Sequence[SettingValues]
) -> Outcome:
    named = [metric for metric, _ in metrics]
    by = kind_of(data.examples)
    return outcome(
        values,
        kinds_of(data.examples),
        named,
        next(metric for metric in named if metric.name == options.deciding),
        clusters_of(data.examples),
        by=by,
        groups=groups_of(data.examples, data.domains, by),
        coverage=options.models.coverage,
    )


def _results(
    options: SweepOptions,
    planned: Planned,
    data: SweepData,
    work: _Work,
    folder: SweepFolder,
    values: Sequence[SettingValues],
    found: Outcome,
    items: Items | None,
) -> Swept:
    deciding, _ = metric_named(options.deciding)
    rows = result_rows(found, values)
    write_csv(folder.path / RESULTS_FILE, rows)
    write_csv(folder.path / COMPARISONS_FILE, comparison_rows(found))
    parquet = folder.path / PARQUET_FILE
    swept = Swept(
        version=__version__,
        folder=options.out,
        planned=planned,
        outcome=found,
        deciding=options.deciding,
        reused=work.reused,
        reasons=dict(reasons_of(values)),
        unanswered=unanswered_of(values),
        budget_reached=work.budget.reached,
        parquet=parquet if write_parquet(parquet, rows) else None,
        judge=work.judge if deciding.is_judged else "",
        copied=_copied(found, work.values, options.deciding),
        doubts=(
            *turns_note(data.examples, items.predictions if items else ()),
            *lost_references_note(data.examples),
        ),
        rows=tuple(rows),
    )
    folder.write_json(SUMMARY_FILE, sweep_object(swept))
    shown = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.settings().items()}
    folder.write_text(REPORT_FILE, render_sweep(swept, shown, recorded_versions(folder.path / SWEEP_FILE), items))
    return swept


def _copied(found: Outcome, values: Mapping[Setting, SettingValues], metric: str) -> tuple[CopiedAnswers, ...]:
    """Of the best settings."""
    settings = dict.fromkeys(each.setting for each in found.best)
    counts = (copied_of(values[setting], setting.name, metric) for setting in settings)
    return tuple(count for count in counts if count is not None)
