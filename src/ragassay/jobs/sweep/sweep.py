"""A sweep from its options to its results: plan, rankings, answers, values, tables."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from ragassay.errors import BudgetError
from ragassay.evaluation.clusters import clusters_of
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import as_judge
from ragassay.jobs.folders.progress import Progress, Silent, Written, followed
from ragassay.jobs.folders.run_folder import REPORT_FILE, SWEEP_FILE
from ragassay.jobs.folders.versions import recorded_versions
from ragassay.jobs.judge.known_agreement import own_work
from ragassay.jobs.sweep.answers import Answers, copied_of
from ragassay.jobs.sweep.data import SweepData, read_sweep_data
from ragassay.jobs.sweep.models import SweepEndpoints, SweepModels, with_costs
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.ranking import Rankings
from ragassay.jobs.sweep.results import (
    COMPARISONS_FILE,
    PARQUET_FILE,
    RESULTS_FILE,
    SUMMARY_FILE,
    SweepFolder,
    ranked_predictions,
    sweep_folder,
    sweep_items,
)
from ragassay.metrics.answered import Judge
from ragassay.models import EMBEDDED
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.parts import in_parts
from ragassay.plain_files import write_object, write_whole
from ragassay.rag.setting import NO_GENERATOR, Setting
from ragassay.rag.space import tried
from ragassay.records import UNLABELLED, Example, Prediction
from ragassay.report.predictions import lost_references_note
from ragassay.report.sweep import render_sweep, sweep_object
from ragassay.report.wording import difficulty_words, few_chunks_words
from ragassay.retrieval.rerank import JUDGE
from ragassay.sweep.outcome import Outcome, outcome, reasons_of
from ragassay.sweep.plan import Sizes, plan
from ragassay.sweep.results import Planned, Swept, comparison_rows, result_rows, unanswered_of, write_csv, write_parquet
from ragassay.sweep.values import By, Rows, SettingValues, groups_of
from ragassay.version import __version__
from ragassay.workers import Workers

COMMAND = "sweep"
MOST_DEPTH = 10
"""Chunks kept of every ranking, unless metrics, rerankers or generators look further."""
_IMPORTS = ("ragassay.rag.cutting", "ragassay.models.embedded.judging.answering")
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
        with closing(data.store):
            return _planned(options, data, endpoints)


def sweep(
    options: SweepOptions, progress: Progress | None = None, on_plan: Callable[[Planned], None] = lambda planned: None
) -> Swept:
    """Does the whole sweep. on_plan: told the plan before anything is asked.

    Raises UsageError, InputError or RunFolderError for what cannot be used. Values of settings that were worked out
    stay in the folder whatever happens, and the same command goes on from there; it asks those questions again to which
    nothing came back.
    """
    options = options.with_judge
    options.check()
    endpoints = SweepEndpoints(options)
    with (
        sweep_folder(options.out) as folder,
        followed(progress or Silent(), options.out, COMMAND) as told,
        Workers(imports=_IMPORTS) as workers,
    ):
        data = read_sweep_data(options, folder.work, workers, told)
        with closing(data.store):
            folder.claim(options.fingerprint(data.digest), options.settings(), overwrite=options.overwrite)
            told.begin()
            planned = _planned(options, data, endpoints)
            on_plan(planned)
            swept = finished(_swept(_Work(options, data, endpoints, folder, workers, told), planned))
        told.stopped(swept.budget_reached or "")
        return swept


async def _swept(work: _Work, planned: Planned) -> Swept:
    folder, data, options = work.folder, work.data, work.options
    async with work.models:
        with suppress(BudgetError):  # of vectors: what was worked out until then is shown
            await work.values_of(planned.settings)
        values = [with_costs(work.values[each], work.endpoints) for each in planned.settings if each in work.values]
        found = work.outcome(values)
        best = [each.setting for each in found.best]
        shown = best if found.top is None else [*best, found.top.ties.cheapest]  # the recommended one comes last
        predictions = await work.predictions(shown)
    made = [prediction for of_setting in predictions.values() for prediction in of_setting]
    copied = (copied_of(work.values[setting], data.examples, options.deciding) for setting in dict.fromkeys(best))
    rows = result_rows(found, values)
    swept = Swept(
        version=__version__,
        folder=options.out,
        planned=planned,
        outcome=found,
        deciding=options.deciding,
        reused=work.reused,
        reasons=dict(reasons_of(values)),
        unanswered=unanswered_of(values),
        budget_reached=work.endpoints.budget.reached,
        has_parquet=write_parquet(folder.path / PARQUET_FILE, rows),
        judge=work.judge if work.deciding.is_judged else "",
        copied=tuple(count for count in copied if count is not None),
        own=own_work(work.judge, data.examples, (each.generator for each in best)),
        doubts=(*_few_chunks(found, data, options), *_wording(data.examples), *lost_references_note(data.examples)),
        rows=tuple(rows),
    )
    write_csv(folder.path / RESULTS_FILE, rows)
    write_csv(folder.path / COMPARISONS_FILE, comparison_rows(found))
    write_object(folder.path / SUMMARY_FILE, sweep_object(swept))
    items = None
    if recommended := next((each.name for each in reversed(shown) if each in predictions), None):
        of_shown = [work.values[setting] for setting in predictions]
        items = sweep_items(data, of_shown, made, [metric.name for metric in work.metrics], recommended)
    settings = {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in options.settings().items()
    }
    page = render_sweep(swept, settings, recorded_versions(folder.path / SWEEP_FILE), items)
    write_whole(folder.path / REPORT_FILE, page)
    return swept


class _Work:
    """Rankings, answers and values of all settings."""

    def __init__(
        self,
        options: SweepOptions,
        data: SweepData,
        endpoints: SweepEndpoints,
        folder: SweepFolder,
        workers: Workers,
        progress: Written,
    ) -> None:
        self.options, self.data, self.endpoints, self.folder = options, data, endpoints, folder
        self._progress = progress
        self._rows: Rows = np.arange(len(data.examples))
        metrics, space = options.check(), options.space
        self.metrics = [metric for metric, _ in metrics]
        self.deciding = next(metric for metric in self.metrics if metric.name == options.deciding)
        depth = max(MOST_DEPTH, *(depth for _, depth in metrics), *space.top_k, *space.candidates)
        self.models = models = SweepModels(options, endpoints, folder.path, workers, progress)
        self._rankings = Rankings(options, data, models, depth, folder.work, progress)
        self.judge = models.judge.name
        judge = Judge(
            model=as_judge(models.judge, endpoints.of.get(endpoints.judge), options.models),
            encoder=models.encoder(EMBEDDED),
            prompts=options.models.prompts if models.judge.is_on_server else None,
            seed=options.seed,
        )
        self._answers = Answers(options, data, models, metrics, judge)
        self.values: dict[Setting, SettingValues] = {}
        self.reused = 0

    def _fingerprint(self, setting: Setting) -> str:
        return self.options.fingerprint(self.data.digest, setting)

    async def values_of(self, settings: Sequence[Setting]) -> None:
        """Work out the values of each setting that no earlier sweep in the folder has."""
        known = {setting: self.folder.load(setting, self._fingerprint(setting)) for setting in settings}
        self.values = {setting: values for setting, values in known.items() if values is not None}
        self.reused = len(self.values)
        missing = [setting for setting in settings if setting not in self.values]
        await self._rankings.make(missing)
        n = len(self._rows)
        on_rows = in_parts(self._progress, "scoring settings", len(missing), len(missing) * n)
        for setting in missing:
            ranked = await self._rankings.of(setting)
            values, predictions, _ = await self._answers.work_out(setting, ranked, self._rows, on_rows)
            if self._is_over():
                return  # half of the answers are missing: the next run asks for the rest
            self.values[setting] = values
            self.folder.keep(values, predictions, self._fingerprint(setting))

    def _is_over(self) -> bool:
        return self.endpoints.budget.reached is not None

    async def predictions(self, settings: Iterable[Setting]) -> dict[Setting, list[Prediction]]:
        """Of settings; those that lie in no file are made again, from what is known.

        A setting whose predictions cannot be had within the budget is left out.
        """
        found: dict[Setting, list[Prediction]] = {}
        ids = [example.id for example in self.data.examples]
        for setting in dict.fromkeys(settings):
            kept = self.folder.predictions(self._fingerprint(setting), ids)
            if kept is None and not self._is_over():
                with suppress(BudgetError):
                    await self._rankings.make([setting])
                    ranked = await self._rankings.of(setting)
                    answered: Sequence[Prediction] = ()
                    if setting.generator != NO_GENERATOR:
                        answered = (await self._answers.work_out(setting, ranked, self._rows)).predictions
                        if self._is_over():
                            continue  # half of the answers are missing: the next run asks for the rest
                    kept = list(ranked_predictions(self.data, setting, ranked, dict(enumerate(answered))))
                    self.folder.keep_predictions(kept, self._fingerprint(setting))
            if kept is not None:
                found[setting] = kept
        return found

    def outcome(self, values: Sequence[SettingValues]) -> Outcome:
        """Questions are told apart by labels, or by types where only unanswerable ones have a label."""
        examples = self.data.examples
        without_labels = {example.label for example in examples} <= {UNLABELLED, "unanswerable"}
        by: By = "type" if without_labels and any(example.question_type for example in examples) else "label"
        return outcome(
            values,
            [(each.question_type if by == "type" else None) or each.label for each in examples],
            self.metrics,
            self.deciding,
            clusters_of(examples),
            by=by,
            groups=groups_of(examples, self.data.domains, by),
            coverage=self.options.models.coverage,
        )


def _few_chunks(found: Outcome, data: SweepData, options: SweepOptions) -> list[str]:
    """Say that the deciding metric looks at a large part of the best setting's chunks."""
    said = few_chunks_words(options.deciding, len(data.cut.tables[found.top.setting.chunking])) if found.top else ""
    return [said] if said else []


def _wording(examples: Sequence[Example]) -> list[str]:
    """Say how far the wording of the questions favours a search by words, where the set knows."""
    known: Counter[str] = Counter(each.difficulty for each in examples if each.difficulty)
    return [difficulty_words(known)] if known else []


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
        tokens=round(rate * data.cut.characters),
        question_tokens=sum(map(estimate_tokens, questions)) / len(questions),
        follow_ups=len(turns) / len(questions),
        turn_tokens=sum(map(estimate_tokens, turns)) / max(1, len(turns)),
    )
