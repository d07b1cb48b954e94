"""Third stage: every setting of the default space on every question, the way a sweep goes, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.clusters import Clusters, clusters_of
from ragassay.metrics.catalogue import metric_named, metrics_named
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.metric import Metric
from ragassay.metrics.retrieval.families import RANKING_METRICS
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.asking.models import CountedModel, RunModels
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.make.corpus import Corpus
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.sweep.answers import Answers
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.models import Failures
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.pipeline.sweep.ranking import Rankings
from ragassay.rag.setting import EMBEDDED, Setting
from ragassay.records import Example
from ragassay.report.summary import QuestionTokens
from ragassay.retrieval.rerank import Reranker
from ragassay.sweep.best import BestSetting
from ragassay.sweep.cells import PRICE, Cell
from ragassay.sweep.outcome import outcome
from ragassay.sweep.rounds import ALL
from ragassay.sweep.search import Rows
from ragassay.sweep.values import TOKENS_IN, SettingValues

DECIDING = "recall@5"
DEPTH = 10
"""Chunks kept of every ranking."""


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
        """Works out these metrics."""
        models = self._models
        judge = Judge(model=models.judging(), encoder=models.encoder, prompts=models.judges_prompts)
        return Answers(self.options, self.data, self._by_name, metrics, judge, keeps_evidence=True)


class _ByName:
    """The models of a run, whatever its settings call them: there is one for each role."""

    def __init__(self, models: RunModels) -> None:
        self._models = models
        self.failures = Failures()

    def encoder(self, name: str) -> CachedEncoder:
        return self._models.local_encoder if name == EMBEDDED else self._models.encoder

    def model(self, name: str, prompt: str = "") -> CountedModel:
        """The answerer."""
        return self._models.answerer

    def reranker(self, name: str) -> Reranker:
        """None of the default space has any."""
        raise ValueError(f"a run has no reranker {name}")


def embed_chunks(engine: Engine) -> None:
    """Indexes of all chunk sizes, their vectors computed once for all of them together."""
    engine.rankings.index(engine.settings)


async def sweep(engine: Engine) -> Sweep:
    """Runs the space over all questions."""
    metrics = metrics_named([metric.name for metric in RANKING_METRICS])
    answers, rankings, rows = engine.answers(metrics), engine.rankings, engine.rows
    await rankings.make(engine.settings, rows)
    values = {
        setting: (await answers.work_out(setting, await rankings.of(setting, rows), rows)).values
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
