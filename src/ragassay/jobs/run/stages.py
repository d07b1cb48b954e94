"""Third and fourth stage: every setting of the default space on every question, and answers with the best ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ragassay.documents.store import spread_order
from ragassay.evaluation.clusters import ANSWERABLE, Clusters, clusters_of
from ragassay.jobs.asking.models import RunModels
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.make.corpus import Corpus
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.sweep.answers import Answers, copied_of
from ragassay.jobs.sweep.data import SweepData
from ragassay.jobs.sweep.models import Failures, Remembered
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.ranking import Rankings
from ragassay.jobs.sweep.results import Retrieved, ranked_predictions, retrieved
from ragassay.metrics.answer.abstention import is_unanswerable
from ragassay.metrics.answered import Judge
from ragassay.metrics.catalogue import metric_named, metrics_named
from ragassay.metrics.judged.faithfulness import CIRCULAR_METRICS, CopiedAnswers
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.retrieval.rankings import RANKING_METRICS
from ragassay.models import EMBEDDED
from ragassay.models.vector_cache import CachedEncoder
from ragassay.parts import in_parts
from ragassay.rag.setting import DECIDING, TOP_K, Setting
from ragassay.records import Example, Prediction, Score
from ragassay.report.summary import QuestionTokens
from ragassay.retrieval.rerank import Reranker
from ragassay.sweep.best import BestSetting
from ragassay.sweep.outcome import outcome
from ragassay.sweep.values import ALL, PRICE, TOKENS_IN, Cell, Rows, SettingValues

DEPTH = 10
"""Chunks kept of every ranking."""
TEXT_METRICS = (f"reference_recall@{TOP_K}", f"eir@{TOP_K}")
"""RAGEval's two, on the text of the chunks that answers are made from."""
JUDGED_METRICS = ("faithfulness", "answer_relevance", "completeness", "context_precision", "abstention_accuracy")
SERVED_METRICS = frozenset({"context_precision"})
"""Those that the embedded model cannot tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """values: of each setting, per question. cells: per label. best: per answerable label, of all of these, of all.

    tokens: of a question and its chunks, over the answerable questions.
    """

    values: dict[Setting, SettingValues]
    cells: tuple[Cell, ...]
    best: tuple[BestSetting, ...]
    tokens: tuple[QuestionTokens, ...]

    @property
    def answering(self) -> tuple[Setting, ...]:
        """The best settings that answer: not that of all questions, which only says what is found."""
        return tuple(dict.fromkeys(each.setting for each in self.best if each.label != ALL))

    @property
    def shown(self) -> tuple[Setting, ...]:
        """The best settings and the dense and lexical ends at their chunk sizes, each once."""
        found: dict[Setting, None] = {}
        for setting in self.answering:
            ends = (s for s in self.values if s.chunking == setting.chunking and s.text_weight in (0, 1))
            found |= dict.fromkeys((setting, *ends))
        return tuple(found)


class Engine:
    """What a sweep of the examples of a run shares: their documents, indexes and rankings."""

    def __init__(
        self,
        folder: Path,
        corpus: Corpus,
        examples: Sequence[Example],
        options: RunOptions,
        models: RunModels,
        progress: Progress,
    ) -> None:
        self.run_options = options
        self.options = SweepOptions(dataset=folder, out=folder, space=options.space, models=options.models)
        self.data = SweepData(
            examples=tuple(examples),
            store=corpus.store,
            cut=corpus.cut,
            digest="",
            ids=corpus.store.ids,
            lexical={(chunking, corpus.prefix): index for chunking, index in corpus.lexical.items()},
        )
        self.settings = options.space.settings()
        self.rows: Rows = np.arange(len(examples))
        self._models = models
        self._by_name = _ByName(models)
        self.rankings = Rankings(self.options, self.data, self._by_name, DEPTH, folder, progress)
        self.progress = progress

    @cached_property
    def clusters(self) -> Clusters:
        return clusters_of(self.data.examples)

    @cached_property
    def labels(self) -> list[str]:
        return [example.label for example in self.data.examples]

    def answers(self, metrics: Sequence[tuple[Metric, int]]) -> Answers:
        models = self._models
        judge = Judge(model=models.judging(), encoder=models.encoder, prompts=models.judges_prompts)
        return Answers(self.options, self.data, self._by_name, metrics, judge, keeps_evidence=True)


class _ByName:
    """The models of a run, whatever its settings call them: there is one for each role."""

    def __init__(self, models: RunModels) -> None:
        self._models = models
        self._answerer = Remembered(models.answerer)
        self.failures = Failures()

    def encoder(self, name: str) -> CachedEncoder:
        return self._models.local_encoder if name == EMBEDDED else self._models.encoder

    def model(self, name: str, prompt: str = "") -> Remembered:
        return self._answerer

    def reranker(self, name: str) -> Reranker:
        """None of the default space has any."""
        raise ValueError(f"a run has no reranker {name}")


async def sweep(engine: Engine) -> Sweep:
    metrics = metrics_named(RANKING_METRICS)
    answers, rankings, rows = engine.answers(metrics), engine.rankings, engine.rows
    await rankings.make(engine.settings)
    values = {
        setting: (await answers.work_out(setting, await rankings.of(setting), rows)).values
        for setting in engine.settings
    }
    found = outcome(
        list(values.values()),
        engine.labels,
        [metric for metric, _ in metrics],
        metric_named(DECIDING)[0],
        engine.clusters,
    )
    tokens = (cell for cell in found.cells if (cell.metric, cell.group) == (TOKENS_IN, ANSWERABLE))
    return Sweep(
        values=values,
        cells=tuple(cell for cell in found.cells if cell.metric not in PRICE),
        best=found.best,
        tokens=tuple(QuestionTokens(setting=cell.setting, estimate=cell.estimate) for cell in tokens),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersMade:
    """predictions: of every setting shown, with answers for the best ones. scores: everything scored of them.

    values: of the settings shown, the metrics of what they retrieved, of every example. judged: of the best settings,
    the judge's metrics, of the examples that were answered, whose rows ``answered`` holds. retrieved: texts and
    sources of the chunks that answers were made from. copied: how many answers of each of the best settings only
    repeat their chunks.
    """

    predictions: tuple[Prediction, ...]
    scores: tuple[Score, ...]
    values: Mapping[Setting, SettingValues]
    judged: Mapping[Setting, SettingValues]
    answered: Rows
    retrieved: Retrieved
    copied: tuple[CopiedAnswers, ...] = ()


async def answer(engine: Engine, sweep: Sweep, models: RunModels, answerer: str) -> AnswersMade:
    """Score what every setting shown retrieved, and answer with each best one, each question once.

    All examples are answered, or as many as ``RunOptions.most_judged`` allows. answerer: what the settings of the
    answers call it.
    """
    examples, most = engine.data.examples, engine.run_options.most_judged
    order = spread_order(engine.labels, engine.run_options.seed)  # of which each label has its share
    rows = np.array(sorted(order[: len(examples) if most is None else most]), dtype=np.int64)
    retrieves = engine.answers(metrics_named([*RANKING_METRICS, *TEXT_METRICS]))
    answers = engine.answers(metrics_named(judged_metrics(models, examples)))
    on_rows = in_parts(engine.progress, "answering examples", len(rows), len(rows) * len(sweep.answering))
    predictions, scores = list[Prediction](), list[Score]()
    values, judged = dict[Setting, SettingValues](), dict[Setting, SettingValues]()
    for setting in sweep.shown:
        ranked = await engine.rankings.of(setting)
        worked = await retrieves.work_out(setting, ranked, engine.rows)
        values[setting] = worked.values
        found = list(scores_of(setting.name, examples, worked.measured))
        answered: Mapping[int, Prediction] = {}
        if setting in sweep.answering:
            worked = await answers.work_out(replace(setting, generator=answerer), ranked, rows, on_rows)
            judged[setting] = replace(worked.values, setting=setting)
            found += scores_of(setting.name, [examples[row] for row in rows], worked.measured)
            answered = dict(zip(rows.tolist(), worked.predictions, strict=True))
        predictions += ranked_predictions(engine.data, setting, ranked, answered)
        scores += found
    counts = (copied_of(each, examples, m) for each in judged.values() for m in CIRCULAR_METRICS)
    return AnswersMade(
        predictions=tuple(predictions),
        scores=tuple(scores),
        values=values,
        judged=judged,
        answered=rows,
        retrieved=retrieved(engine.data.store, (chunk for each in predictions for chunk in each.chunks[:TOP_K])),
        copied=tuple(count for count in counts if count is not None),
    )


def judged_metrics(models: RunModels, examples: Sequence[Example]) -> tuple[str, ...]:
    """The metrics that the judge of a run can tell; that of abstaining where some question is unanswerable."""
    left_out = set() if models.judge.is_on_server else {*SERVED_METRICS}
    left_out |= set() if any(is_unanswerable(each)[0] for each in examples) else {"abstention_accuracy"}
    return tuple(metric for metric in JUDGED_METRICS if metric not in left_out)


def scores_of(system: str, examples: Sequence[Example], found: Mapping[str, Sequence[Measured]]) -> Iterable[Score]:
    """The records of what was measured, metric by metric. found: metric to the values of the examples."""
    for metric, values in found.items():
        for example, each in zip(examples, values, strict=True):
            yield Score(
                example_id=example.id,
                system=system,
                metric=metric,
                value=each.value,
                reason=each.reason,
                evidence=each.evidence,
            )
