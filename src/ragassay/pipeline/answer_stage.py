"""Fourth stage: answers made with the best configurations, and what they are worth."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.copied import CopiedAnswers, copied_answers
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.judged.scoring import judged_scores
from ragassay.metrics.retrieval.catalogue import NO_GROUND_SPAN, RANKING_METRICS
from ragassay.metrics.scoring import scored
from ragassay.models.base import Model
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.models import RunModels
from ragassay.pipeline.options import ANSWERED_WITH
from ragassay.pipeline.progress import Progress
from ragassay.pipeline.retrieval_stage import Sweep
from ragassay.records import Example, Prediction, RankedChunk, Score, content_id
from ragassay.sweep.configuration import Configuration
from ragassay.tasks.answering import ANSWER, QuestionWithChunks

TEXT_METRICS = (f"reference_recall@{ANSWERED_WITH}", f"eir@{ANSWERED_WITH}")
"""RAGEval's two, on the text of the chunks that answers are made from."""
JUDGED_METRICS = ("faithfulness", "answer_relevance", "completeness", "context_precision", "abstention_accuracy")
SERVED_METRICS = frozenset({"context_precision"})
"""Those that the embedded model cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """predictions: of every configuration shown, with answers for the best ones. scores: everything scored of them.

    retrieved: texts and sources of the chunks that answers were made from. copied: how many answers of each of the best
    configurations only repeat their chunks.
    """

    predictions: tuple[Prediction, ...]
    scores: tuple[Score, ...]
    retrieved: Retrieved
    copied: tuple[CopiedAnswers, ...] = ()


class Retrieved(NamedTuple):
    """texts: chunk id to text. sources: document id to where it came from."""

    texts: Mapping[str, str]
    sources: Mapping[str, str]


async def answer(
    corpus: Corpus, sweep: Sweep, examples: Sequence[Example], models: RunModels, progress: Progress
) -> Answers:
    """Answers every question once for each best configuration and scores retrieval and answers."""
    progress.start("answering and judging", len(sweep.shown))
    document_ids = corpus.store.ids
    retrieved_by = {
        configuration: [_ranked(corpus, document_ids, sweep, configuration, row) for row in range(len(examples))]
        for configuration in sweep.shown
    }
    chunks_read = _retrieved(
        corpus, (chunk for rows in retrieved_by.values() for row in rows for chunk in row[:ANSWERED_WITH])
    )
    best = {each.configuration for each in sweep.best}

    async def of(configuration: Configuration) -> Answers:
        retrieved = retrieved_by[configuration]
        texts = [tuple(chunks_read.texts[chunk.chunk_id] for chunk in chunks[:ANSWERED_WITH]) for chunks in retrieved]
        answerer = models.answerer if configuration in best else None
        made = await _answered(configuration, retrieved, texts, examples, answerer)
        answered = [Answered(*each) for each in zip(examples, made, texts, strict=True)]
        scores = [*_ranking_scores(sweep, configuration, examples), *scored(metrics_named(TEXT_METRICS), answered)]
        copied: list[CopiedAnswers] = []
        if answerer is not None:
            judged = await _judged(models, answered)
            scores += judged
            copied = copied_answers(answered, judged)
        progress.advance()
        return Answers(predictions=tuple(made), scores=tuple(scores), retrieved=chunks_read, copied=tuple(copied))

    found = await asyncio.gather(*(of(configuration) for configuration in sweep.shown))
    return Answers(
        predictions=tuple(prediction for each in found for prediction in each.predictions),
        scores=tuple(score for each in found for score in each.scores),
        retrieved=chunks_read,
        copied=tuple(count for each in found for count in each.copied),
    )


def judged_metrics(models: RunModels) -> tuple[str, ...]:
    """The metrics that the judge of a run can tell."""
    return JUDGED_METRICS if models.judge.is_on_server else tuple(m for m in JUDGED_METRICS if m not in SERVED_METRICS)


async def _judged(models: RunModels, answered: Sequence[Answered]) -> list[Score]:
    judge = Judge(model=models.judge, encoder=models.encoder, prompts=models.judges_prompts)
    chosen = metrics_named(judged_metrics(models))
    metrics = [metric for metric, _ in chosen if metric.judge is not None]
    plain = [each for each in chosen if each[0].judge is None]
    return [*await judged_scores(judge, metrics, answered), *scored(plain, answered)]


async def _answered(
    configuration: Configuration,
    retrieved: Sequence[tuple[RankedChunk, ...]],
    texts: Sequence[tuple[str, ...]],
    examples: Sequence[Example],
    model: Model | None,
) -> list[Prediction]:
    """Predictions in the order of the examples; without a model only what was retrieved."""
    if model is None:
        return [
            Prediction(example_id=example.id, system=configuration.name, chunks=chunks)
            for example, chunks in zip(examples, retrieved, strict=True)
        ]
    replies = await model.ask_all(
        ANSWER,
        [
            QuestionWithChunks(question=example.question, chunks=chunks)
            for example, chunks in zip(examples, texts, strict=True)
        ],
    )
    return [
        Prediction(
            example_id=example.id,
            system=configuration.name,
            chunks=chunks,
            answer=reply.value.text if reply.value else None,
            abstained=bool(reply.value and reply.value.abstained),
            error=None if reply.value else reply.reason,
        )
        for example, chunks, reply in zip(examples, retrieved, replies, strict=True)
    ]


def _ranked(
    corpus: Corpus, document_ids: Sequence[str], sweep: Sweep, configuration: Configuration, row: int
) -> tuple[RankedChunk, ...]:
    table = corpus.tables[configuration.chunk_size]
    rankings = sweep.of(configuration).rankings
    found = []
    for chunk, score in zip(rankings.chunks[row].tolist(), rankings.scores[row].tolist(), strict=True):
        if chunk < 0:
            break  # a corpus of fewer chunks than the depth of the ranking
        document_id = document_ids[int(table.documents[chunk])]
        start, end = int(table.starts[chunk]), int(table.ends[chunk])
        found.append(
            RankedChunk(
                chunk_id=content_id("chunk", document_id, str(start), str(end)),
                document_id=document_id,
                start=start,
                end=end,
                score=round(score, 6),
            )
        )
    return tuple(found)


def _retrieved(corpus: Corpus, chunks: Iterable[RankedChunk]) -> Retrieved:
    """Texts and sources of chunks; every document is read once."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    texts, sources = {}, {}
    for chunk in sorted(by_id.values(), key=lambda chunk: corpus.store.ordinal(chunk.document_id)):
        document = corpus.store.get(chunk.document_id)
        texts[chunk.chunk_id] = document.text[chunk.start : chunk.end]
        sources[document.id] = document.source
    return Retrieved(texts, sources)


def _ranking_scores(sweep: Sweep, configuration: Configuration, examples: Sequence[Example]) -> Iterator[Score]:
    metrics = sweep.of(configuration).metrics
    for metric in RANKING_METRICS:
        for example, number in zip(examples, metrics[metric.name].tolist(), strict=True):
            value = None if isnan(number) else number
            reason = None if value is not None else NO_GROUND_SPAN
            yield Score(
                example_id=example.id, system=configuration.name, metric=metric.name, value=value, reason=reason
            )
