"""The answers of a sweep, each asked once, and what metrics say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.judged.scoring import judged_scores
from ragassay.metrics.metric import Metric
from ragassay.metrics.retrieval.catalogue import RANKING_FAMILIES, ranking_metric
from ragassay.metrics.retrieval.ranks import ranks
from ragassay.metrics.scoring import embedding_similarities, measured
from ragassay.models.base import Reply
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline.sweep_data import SweepData
from ragassay.pipeline.sweep_models import SweepModels
from ragassay.pipeline.sweep_ranking import Ranked
from ragassay.records import Example, Prediction
from ragassay.sweep.search import Rows
from ragassay.sweep.setting import EMBEDDED, NO_GENERATOR, Setting
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues
from ragassay.tasks.answering import ANSWER, Answer, QuestionWithChunks

NOTHING_ANSWERED = "this setting answers nothing"


class _Told(NamedTuple):
    """A value, or None with the reason."""

    value: float | None
    reason: str | None


class Answers:
    """Asks generators and judges, and works metrics out; nothing is asked twice in the same words."""

    def __init__(
        self, data: SweepData, models: SweepModels, metrics: Sequence[tuple[Metric, int]], judge: Judge
    ) -> None:
        self._data = data
        self._models = models
        self._metrics = metrics
        self._judge = judge
        self._replies: dict[tuple[str, QuestionWithChunks], Reply[Answer]] = {}
        self._judged: dict[tuple[object, ...], dict[str, _Told]] = {}
        self._measured: dict[tuple[object, ...], _Told] = {}

    async def values(self, setting: Setting, ranked: Ranked, rows: Rows) -> tuple[SettingValues, list[Prediction]]:
        """All metrics of one setting for some questions, and its predictions."""
        answered = await self._answered(setting, ranked, rows)
        of_judge = await self._of_judge(setting, answered)
        found = {
            metric.name: of_judge[metric.name]
            if metric.name in of_judge
            else self._told(metric, depth, setting, ranked, rows, answered)
            for metric, depth in self._metrics
        }
        tokens = [self._tokens(setting, each) for each in answered]
        columns = {
            name: np.array([np.nan if each.value is None else each.value for each in told])
            for name, told in found.items()
        }
        columns[TOKENS_IN] = np.array([used for used, _ in tokens], dtype=np.float64)
        columns[TOKENS_OUT] = np.array([made for _, made in tokens], dtype=np.float64)
        reasons = {name: dict(Counter(e.reason for e in told if e.reason is not None)) for name, told in found.items()}
        kept = {name: some for name, some in reasons.items() if some}
        return SettingValues(setting, rows, columns, kept), [each.prediction for each in answered]

    async def _answered(self, setting: Setting, ranked: Ranked, rows: Rows) -> list[Answered]:
        """What the generator said of each question, or nothing where nobody answers."""
        firsts = [ranked.chunks[row, : setting.top_k].tolist() for row in rows.tolist()]
        texts = self._data.texts(setting.chunking, (chunk for chunks in firsts for chunk in chunks))
        of_rows = [tuple(texts[chunk] for chunk in chunks if chunk >= 0) for chunks in firsts]
        examples = [self._data.examples[row] for row in rows.tolist()]
        asked = [QuestionWithChunks(question=e.question, chunks=t) for e, t in zip(examples, of_rows, strict=True)]
        if setting.generator != NO_GENERATOR:
            new = dict.fromkeys(each for each in asked if (setting.generator, each) not in self._replies)
            replies = await self._models.model(setting.generator).ask_all(ANSWER, list(new))
            self._replies.update({(setting.generator, each): reply for each, reply in zip(new, replies, strict=True)})
        return [
            Answered(
                example,
                self._prediction(setting, example, ranked.failed.get(row), chunks, question),
                question.chunks,
                self._block(example),
            )
            for row, example, chunks, question in zip(rows.tolist(), examples, firsts, asked, strict=True)
        ]

    def _prediction(
        self, setting: Setting, example: Example, failed: str | None, chunks: list[int], asked: QuestionWithChunks
    ) -> Prediction:
        ranked = self._data.ranked(setting.chunking, chunks)
        reply = self._replies.get((setting.generator, asked))
        if failed or reply is None or reply.value is None:
            reason = failed or (reply.reason if reply else None)
            return Prediction(example_id=example.id, system=setting.name, chunks=ranked, error=reason)
        return Prediction(
            example_id=example.id,
            system=setting.name,
            chunks=ranked,
            answer=reply.value.text,
            abstained=reply.value.abstained,
            input_tokens=reply.effort.input_tokens if reply.effort else None,
            output_tokens=reply.effort.output_tokens if reply.effort else None,
        )

    def _block(self, example: Example) -> str:
        known = example.context.document_id in self._data.store
        return self._data.store.get(example.context.document_id).text if known else example.context.text

    def _tokens(self, setting: Setting, answered: Answered) -> tuple[float, float]:
        """What was read and written: as the server counted, else estimated from question, chunks and answer."""
        prediction = answered.prediction
        if prediction.input_tokens is not None and prediction.output_tokens is not None:
            return prediction.input_tokens, prediction.output_tokens
        if prediction.error:
            return np.nan, np.nan
        read = sum(map(_tokens_of, (answered.example.question, *answered.chunk_texts)))
        return float(read), float(_tokens_of(answered.answer)) if setting.generator != NO_GENERATOR else 0.0

    def _told(
        self, metric: Metric, depth: int, setting: Setting, ranked: Ranked, rows: Rows, answered: Sequence[Answered]
    ) -> list[_Told]:
        if metric.kind != "retrieval" and setting.generator == NO_GENERATOR:
            return [_Told(None, NOTHING_ANSWERED)] * len(rows)
        family, _, at = metric.name.partition("@")
        if family in RANKING_FAMILIES and at:
            return self._of_rankings(metric.name, setting, ranked, rows)
        if metric.needs == "encoder":
            scores = embedding_similarities(self._models.encoder(EMBEDDED), metric, answered)
            return [_Told(score.value, score.reason) for score in scores]
        if metric.kind == "retrieval":
            deep = self._deeper(setting, ranked, rows, depth, answered)
            return [self._of_texts(metric, depth, each) for each in deep]
        return [self._of_texts(metric, depth, each) for each in answered]

    def _of_rankings(self, name: str, setting: Setting, ranked: Ranked, rows: Rows) -> list[_Told]:
        values = ranking_metric(name).all(ranks(ranked.chunks, self._data.right(setting.chunking)))[rows]
        return [
            _Told(None, ranked.failed[row])
            if row in ranked.failed
            else _Told(None, "the example names no ground span that a retriever could find")
            if np.isnan(value)
            else _Told(float(value), None)
            for row, value in zip(rows.tolist(), values, strict=True)
        ]

    def _deeper(
        self, setting: Setting, ranked: Ranked, rows: Rows, depth: int, answered: Sequence[Answered]
    ) -> list[Answered]:
        """With the chunks that a metric of the ranking looks at, which may be more than were answered from."""
        firsts = [ranked.chunks[row, :depth].tolist() for row in rows.tolist()]
        texts = self._data.texts(setting.chunking, (chunk for chunks in firsts for chunk in chunks))
        found = []
        for chunks, each in zip(firsts, answered, strict=True):
            prediction = Prediction(
                example_id=each.example.id,
                system=each.prediction.system,
                chunks=self._data.ranked(setting.chunking, chunks),
                error=each.prediction.error if not each.prediction.answer else None,
            )
            found.append(Answered(each.example, prediction, tuple(texts[c] for c in chunks if c >= 0), each.block))
        return found

    def _of_texts(self, metric: Metric, depth: int, each: Answered) -> _Told:
        key = (metric.name, *_said(each))
        if key not in self._measured:
            found = measured(metric, depth, Item(each))
            self._measured[key] = _Told(found.value, found.reason)
        return self._measured[key]

    async def _of_judge(self, setting: Setting, answered: Sequence[Answered]) -> dict[str, list[_Told]]:
        """The metrics of a judge, all at once, since some share what it is asked."""
        metrics = [
            metric
            for metric, _ in self._metrics
            if metric.judge is not None and (metric.kind == "retrieval" or setting.generator != NO_GENERATOR)
        ]
        keys = [_said(each) for each in answered]
        new = {key: each for key, each in zip(keys, answered, strict=True) if key not in self._judged}
        if metrics and new:
            for score, key in zip(
                await judged_scores(self._judge, metrics, list(new.values())), list(new) * len(metrics), strict=True
            ):
                self._judged.setdefault(key, {})[score.metric] = _Told(score.value, score.reason)
        return {metric.name: [self._judged[key][metric.name] for key in keys] for metric in metrics}


def _said(each: Answered) -> tuple[object, ...]:
    """All that a metric can see: two answers of which it is the same have the same scores."""
    prediction = each.prediction
    return (
        each.example.id,
        prediction.answer,
        prediction.abstained,
        prediction.error,
        each.chunk_texts,
        prediction.chunks,
    )


_TOKENS: dict[str, int] = {}


def _tokens_of(text: str) -> int:
    if text not in _TOKENS:
        _TOKENS[text] = estimate_tokens(text)
    return _TOKENS[text]
