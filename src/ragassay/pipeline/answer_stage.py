"""Fourth stage: answers made with the best settings, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.judged.copied import CIRCULAR_METRICS, CopiedAnswers
from ragassay.metrics.metric import Measured
from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.models import RunModels
from ragassay.pipeline.retrieval_stage import Engine, Sweep
from ragassay.pipeline.sweep_answers import copied_of
from ragassay.pipeline.sweep_ranking import Ranked
from ragassay.rag.setting import USUAL_TOP_K, Setting
from ragassay.records import Example, Prediction, RankedChunk, Score
from ragassay.sweep.values import SettingValues

TEXT_METRICS = (f"reference_recall@{USUAL_TOP_K}", f"eir@{USUAL_TOP_K}")
"""RAGEval's two, on the text of the chunks that answers are made from."""
JUDGED_METRICS = ("faithfulness", "answer_relevance", "completeness", "context_precision", "abstention_accuracy")
SERVED_METRICS = frozenset({"context_precision"})
"""Those that the embedded model cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersMade:
    """predictions: of every setting shown, with answers for the best ones. scores: everything scored of them.

    values: of the settings shown, all metrics that each was scored by. retrieved: texts and sources of the chunks that
    answers were made from. copied: how many answers of each of the best settings only repeat their chunks.
    """

    predictions: tuple[Prediction, ...]
    scores: tuple[Score, ...]
    values: Mapping[Setting, SettingValues]
    retrieved: Retrieved
    copied: tuple[CopiedAnswers, ...] = ()


class Retrieved(NamedTuple):
    """texts: chunk id to text. sources: document id to where it came from."""

    texts: Mapping[str, str]
    sources: Mapping[str, str]


async def answer(engine: Engine, corpus: Corpus, sweep: Sweep, models: RunModels, answerer: str) -> AnswersMade:
    """Answers every question for each best setting, each once from the same chunks, and scores retrieval and answers.

    answerer: what the settings of the answers call it.
    """
    engine.progress.start("answering and judging", len(sweep.shown))
    names = [*(metric.name for metric in RANKING_METRICS), *TEXT_METRICS]
    retrieves = engine.answers(metrics_named(names))
    answers = engine.answers(metrics_named([*names, *judged_metrics(models)]))
    best = {each.setting for each in sweep.best}
    predictions, scores = list[Prediction](), list[Score]()
    values: dict[Setting, SettingValues] = {}
    for setting in sweep.shown:
        ranked = await engine.rankings.of(setting, engine.rows)
        if setting in best:
            worked = await answers.work_out(replace(setting, generator=answerer), ranked, engine.rows)
        else:
            worked = await retrieves.work_out(setting, ranked, engine.rows)
        values[setting] = replace(worked.values, setting=setting)
        predictions += _whole(engine, setting, ranked, worked.predictions)
        scores += scores_of(setting.name, engine.data.examples, worked.measured)
        engine.progress.advance()
    counts = (copied_of(each, setting.name, m) for setting, each in values.items() for m in CIRCULAR_METRICS)
    return AnswersMade(
        predictions=tuple(predictions),
        scores=tuple(scores),
        values=values,
        retrieved=retrieved(corpus, (chunk for each in predictions for chunk in each.chunks[:USUAL_TOP_K])),
        copied=tuple(count for count in counts if count is not None),
    )


def judged_metrics(models: RunModels) -> tuple[str, ...]:
    """The metrics that the judge of a run can tell."""
    return JUDGED_METRICS if models.judge.is_on_server else tuple(m for m in JUDGED_METRICS if m not in SERVED_METRICS)


def _whole(engine: Engine, setting: Setting, ranked: Ranked, answered: Sequence[Prediction]) -> Iterable[Prediction]:
    """Predictions in the order of the examples, with all chunks of the ranking; without answers these alone."""
    for row, example in enumerate(engine.data.examples):
        scores = [] if ranked.scores is None else ranked.scores[row].tolist()
        chunks = engine.data.ranked(setting.chunking, ranked.chunks[row].tolist(), scores)
        made = answered[row] if answered else Prediction(example_id=example.id, system=setting.name, chunks=())
        yield replace(made, system=setting.name, chunks=chunks)


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


def retrieved(corpus: Corpus, chunks: Iterable[RankedChunk]) -> Retrieved:
    """Texts and sources of chunks; every document is read once."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    texts, sources = {}, {}
    for chunk in sorted(by_id.values(), key=lambda chunk: corpus.store.ordinal(chunk.document_id)):
        document = corpus.store.get(chunk.document_id)
        texts[chunk.chunk_id] = document.text[chunk.start : chunk.end]
        sources[document.id] = document.source
    return Retrieved(texts, sources)
