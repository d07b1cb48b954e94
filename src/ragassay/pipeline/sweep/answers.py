"""The answers of a sweep, each asked once, and what metrics say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.copied import CIRCULAR_METRICS, CopiedAnswers, is_copied
from ragassay.metrics.judged.judge import Judge
from ragassay.metrics.judged.scoring import judged_scores
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.scoring import embedding_similarities, measured
from ragassay.models import EMBEDDED
from ragassay.models.base import Effort, Reply
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.parts import LOCAL_BATCH
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.measures import RankingMeasures
from ragassay.pipeline.sweep.models import SettingModels
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.pipeline.sweep.queries import Memory
from ragassay.pipeline.sweep.ranking import Ranked
from ragassay.rag.setting import NO_GENERATOR, Setting
from ragassay.records import Example, Prediction, Score
from ragassay.sweep.search import Rows
from ragassay.sweep.values import COPIED, TOKENS_IN, TOKENS_OUT, SettingValues, Values
from ragassay.systems.guardrail import REFUSAL
from ragassay.tasks.answering import ANSWER, CLOSED_BOOK, Answer, BareQuestion, QuestionWithChunks

Missing = Mapping[str, Mapping[str, Sequence[int]]]
"""Metric to why values are missing, to the rows without one."""


class Worked(NamedTuple):
    """What came of one setting. predictions: where it answers. measured: metric to the values of the rows."""

    values: SettingValues
    predictions: list[Prediction]
    measured: Mapping[str, Sequence[Measured]]


NOTHING_ANSWERED = "this setting answers nothing"


class Answers:
    """Asks generators and judges, and works metrics out; nothing is asked twice in the same words."""

    def __init__(
        self,
        options: SweepOptions,
        data: SweepData,
        models: SettingModels,
        metrics: Sequence[tuple[Metric, int]],
        judge: Judge,
        memory: Memory,
        *,
        keeps_evidence: bool = False,
    ) -> None:
        """memory: of rankings. keeps_evidence: what values rest on is wanted too, which takes memory of the machine."""
        self._options = options
        self._data = data
        self._models = models
        self._metrics = metrics
        self._judge = judge
        self._memory = memory
        self._keeps_evidence = keeps_evidence
        self._reads_blocks = any("knowledge block" in metric.inputs for metric, _ in metrics)
        self._judged: dict[bytes, dict[str, Measured]] = {}
        self._measured: dict[tuple[str, bytes], Measured] = {}
        self._token_counts: dict[str, int] = {}
        self._measures = RankingMeasures(data, metrics, keeps_evidence=keeps_evidence)
        self._judges_retrieval = any(metric.kind == "retrieval" and metric.judge is not None for metric, _ in metrics)

    async def work_out(
        self, setting: Setting, ranked: Ranked, rows: Rows, on_rows: Callable[[int], None] = lambda n: None
    ) -> Worked:
        """All metrics of one setting for some questions. on_rows: told how many more of them are done."""
        answers = setting.generator != NO_GENERATOR
        found: dict[str, list[Measured]] = {}
        answered: list[Answered] = []
        for some in self._batches(setting, rows):
            part = await self._answered(setting, ranked, some) if answers or self._judges_retrieval else []
            for name, values in (await self._of_batch(setting, ranked, some, part)).items():
                found.setdefault(name, []).extend(values)
            answered += part
            on_rows(len(some))
        return self._worked(setting, ranked, rows, found, answered if answers else [])

    def _batches(self, setting: Setting, rows: Rows) -> Iterator[Rows]:
        """All at once where servers are asked, which work on many, and where nobody is."""
        answers = setting.generator != NO_GENERATOR
        on_servers = (answers and setting.generator != EMBEDDED) or "judge" in self._options.models.on_servers
        if on_servers or not (answers or self._judges_retrieval):
            yield rows
            return
        for first in range(0, max(len(rows), 1), LOCAL_BATCH):
            yield rows[first : first + LOCAL_BATCH]

    async def _of_batch(
        self, setting: Setting, ranked: Ranked, rows: Rows, answered: Sequence[Answered]
    ) -> dict[str, list[Measured]]:
        """Metric to the values of some rows."""
        found = self._measures.of(setting.chunking, ranked, rows) | await self._of_judge(setting, answered)
        for metric, depth in self._metrics:
            if metric.name not in found and setting.generator == NO_GENERATOR:
                found[metric.name] = [Measured(None, reason=NOTHING_ANSWERED)] * len(rows)
            elif metric.name not in found:
                found[metric.name] = self._of_answers(metric, depth, answered)
        return found

    def _worked(
        self,
        setting: Setting,
        ranked: Ranked,
        rows: Rows,
        found: Mapping[str, Sequence[Measured]],
        answered: Sequence[Answered],
    ) -> Worked:
        """answered: none where nothing answers."""
        columns = {
            metric.name: np.array([np.nan if each.value is None else each.value for each in found[metric.name]])
            for metric, _ in self._metrics
        }
        tokens = self._tokens(setting, ranked, rows, answered)
        columns[TOKENS_IN], columns[TOKENS_OUT] = tokens[:, 0], tokens[:, 1]
        if setting.generator != NO_GENERATOR:
            columns[COPIED] = np.array([np.nan if each.missing else float(is_copied(each)) for each in answered])
        missing = {name: why for name, told in found.items() if (why := _missing(rows, told))}
        predictions = [each.prediction for each in answered]
        unanswered, unheard = self._left_open(rows, missing, ranked, predictions)
        return Worked(SettingValues(setting, rows, columns, missing, unanswered, unheard), predictions, found)

    def _left_open(
        self, rows: Rows, missing: Missing, ranked: Ranked, predictions: Sequence[Prediction]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """The rows that a server left unanswered, and those of them for which nothing came back."""
        failed = [(reason, row) for reasons in missing.values() for reason, of in reasons.items() for row in of]
        failed += [(ranked.failed[row], row) for row in rows.tolist() if row in ranked.failed]
        both = zip(rows.tolist(), predictions, strict=False)  # none where nobody answers
        failed += [(prediction.error, row) for row, prediction in both if prediction.error is not None]
        failures = self._models.failures
        reasons_there = {reason for reason, _ in failed}
        unheard = {reason for reason in reasons_there if failures.is_unheard(reason)}
        unanswered = {reason for reason in reasons_there if failures.is_unanswered(reason)}
        return (
            frozenset(row for reason, row in failed if reason in unanswered),
            frozenset(row for reason, row in failed if reason in unheard),
        )

    async def _answered(self, setting: Setting, ranked: Ranked, rows: Rows) -> list[Answered]:
        """What the generator said of each question, or nothing where nobody answers."""
        firsts = [ranked.chunks[row, : setting.top_k].tolist() for row in rows.tolist()]
        texts = self._data.texts(setting.chunking, (chunk for chunks in firsts for chunk in chunks))
        of_rows = [tuple(texts[chunk] for chunk in chunks if chunk >= 0) for chunks in firsts]
        replies = await self._replies(setting, ranked, rows, of_rows)
        found = []
        for row, chunks, texts_of_row, reply in zip(rows.tolist(), firsts, of_rows, replies, strict=True):
            example = self._data.examples[row]
            of_query = ranked.tokens.get(row, (0, 0))
            prediction = self._prediction(setting, example, chunks, reply, of_query)
            prediction = replace(prediction, standalone_question=ranked.standalone.get(row))
            found.append(Answered(example, prediction, texts_of_row, self._block(example)))
        return found

    async def _replies(
        self, setting: Setting, ranked: Ranked, rows: Rows, texts: Sequence[tuple[str, ...]]
    ) -> list[Reply[Answer] | None]:
        """What was said to each question, by the model or by the guardrail; None where nobody answers.

        From chunks, or from what the model knows where it did not search. texts: of the chunks of each row.
        """
        found: dict[int, Reply[Answer]] = {row: Reply(None, reason=why) for row, why in ranked.failed.items()}
        refusal: Reply[Answer] = Reply(Answer(text=REFUSAL, abstained=True), effort=Effort(0, 0))
        found |= {row: refusal for row in ranked.refused if row not in found}
        if setting.generator != NO_GENERATOR:
            still_open = [(row, of_row) for row, of_row in zip(rows.tolist(), texts, strict=True) if row not in found]
            asked = {row: ranked.standalone.get(row, self._data.examples[row].question) for row, _ in still_open}
            grounded = {
                row: QuestionWithChunks(question=asked[row], chunks=chunks)
                for row, chunks in still_open
                if row not in ranked.alone
            }
            alone = {row: BareQuestion(question=asked[row]) for row in asked if row in ranked.alone}
            prompt = self._options.prompt(setting)
            for task, some in ((ANSWER, grounded), (CLOSED_BOOK, alone)):
                replies = await self._memory.ask(setting.generator, task, list(some.values()), prompt)
                found.update(zip(some, replies, strict=True))
        return [found.get(row) for row in rows.tolist()]

    def _prediction(
        self,
        setting: Setting,
        example: Example,
        chunks: list[int],
        reply: Reply[Answer] | None,
        of_query: tuple[int, int],
    ) -> Prediction:
        """of_query: what the server counted until the chunks were there, which the record counts too."""
        ranked = self._data.ranked(setting.chunking, chunks)
        if reply is None or reply.value is None:
            reason = reply.reason if reply else None
            return Prediction(example_id=example.id, system=setting.name, chunks=ranked, error=reason)
        return Prediction(
            example_id=example.id,
            system=setting.name,
            chunks=ranked,
            answer=reply.value.text,
            abstained=reply.value.abstained,
            input_tokens=reply.effort.input_tokens + of_query[0] if reply.effort else None,
            output_tokens=reply.effort.output_tokens + of_query[1] if reply.effort else None,
        )

    def _block(self, example: Example) -> str:
        if not self._reads_blocks:
            return ""
        known = example.context.document_id in self._data.store
        return self._data.store.get(example.context.document_id).text if known else example.context.text

    def _tokens(self, setting: Setting, ranked: Ranked, rows: Rows, answered: Sequence[Answered]) -> Values:
        """(n_rows, 2): what was read and written. As the server counted, else estimated from the texts."""
        if answered:
            both = zip(answered, rows.tolist(), strict=True)
            own = [self._tokens_of_answer(each, ranked.tokens.get(row, (0, 0))) for each, row in both]
            return np.array(own, dtype=np.float64).reshape(-1, 2)
        firsts = [ranked.chunks[row, : setting.top_k].tolist() for row in rows.tolist()]
        texts = self._data.texts(setting.chunking, (chunk for chunks in firsts for chunk in chunks))
        found = np.zeros((len(rows), 2))
        for place, (row, chunks) in enumerate(zip(rows.tolist(), firsts, strict=True)):
            question = ranked.standalone.get(row, self._data.examples[row].question)
            read = [question, *(texts[chunk] for chunk in chunks if chunk >= 0)]
            if row not in ranked.refused:
                found[place, 0] = np.nan if row in ranked.failed else sum(map(self._tokens_in, read))
            found[place] += ranked.tokens.get(row, (0, 0))
        return found

    def _tokens_of_answer(self, answered: Answered, of_query: tuple[int, int]) -> tuple[float, float]:
        prediction = answered.prediction
        if prediction.input_tokens is not None and prediction.output_tokens is not None:
            return prediction.input_tokens, prediction.output_tokens
        if prediction.error:
            return np.nan, np.nan
        read = sum(map(self._tokens_in, (answered.question, *answered.chunk_texts)))
        return read + of_query[0], self._tokens_in(answered.answer) + of_query[1]

    def _tokens_in(self, text: str) -> int:
        if text not in self._token_counts:
            self._token_counts[text] = estimate_tokens(text)
        return self._token_counts[text]

    def _of_answers(self, metric: Metric, depth: int, answered: Sequence[Answered]) -> list[Measured]:
        """A metric that asks nobody, or an encoder."""
        if metric.needs == "encoder":
            return list(map(self._kept, embedding_similarities(self._models.encoder(EMBEDDED), metric, answered)))
        found = []
        for each in answered:
            key = (metric.name, _said(each))
            if key not in self._measured:
                self._measured[key] = self._kept(measured(metric, depth, Item(each)))
            found.append(self._measured[key])
        return found

    def _kept(self, found: Measured | Score) -> Measured:
        return Measured(found.value, found.evidence if self._keeps_evidence else (), found.reason)

    async def _of_judge(self, setting: Setting, answered: Sequence[Answered]) -> dict[str, list[Measured]]:
        """The metrics of a judge, all at once, since some share what it is asked."""
        metrics = [
            metric
            for metric, _ in self._metrics
            if metric.judge is not None and (metric.kind == "retrieval" or setting.generator != NO_GENERATOR)
        ]
        keys = [_said(each) for each in answered]
        by_key = dict(zip(keys, answered, strict=True))
        # A setting without answers was judged by what it retrieved alone.
        lacking = [metric for metric in metrics if any(metric.name not in self._judged.get(key, {}) for key in by_key)]
        new = {
            key: each
            for key, each in by_key.items()
            if any(metric.name not in self._judged.get(key, {}) for metric in lacking)
        }
        if new:
            found = await judged_scores(self._judge, lacking, list(new.values()))
            for score, key in zip(found, list(new) * len(lacking), strict=True):
                self._judged.setdefault(key, {})[score.metric] = self._kept(score)
        return {metric.name: [self._judged[key][metric.name] for key in keys] for metric in metrics}


def _missing(rows: Rows, told: Sequence[Measured]) -> dict[str, list[int]]:
    """Why values are missing, to the rows without one."""
    found: dict[str, list[int]] = {}
    for row, each in zip(rows.tolist(), told, strict=True):
        if each.reason is not None:
            found.setdefault(each.reason, []).append(row)
    return found


def _said(each: Answered) -> bytes:
    """The hash of all that a metric can see: answers of which it is the same have the same scores."""
    prediction = each.prediction
    parts = (
        each.example.id,
        each.question,
        prediction.answer,
        prediction.abstained,
        prediction.error,
        prediction.standalone_question,
        each.chunk_texts,
    )
    places = [(chunk.document_id, chunk.start, chunk.end) for chunk in prediction.chunks]
    return blake2b(repr((parts, places)).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def copied_of(values: SettingValues, system: str, metric: str) -> CopiedAnswers | None:
    """Of the answers with a value of a circular metric, how many are copied; None where it has no such answer."""
    if metric not in CIRCULAR_METRICS or not {metric, COPIED} <= values.metrics.keys():  # without answers nothing is
        return None
    copied = values.metrics[COPIED][~np.isnan(values.metrics[metric])]
    if not len(copied):
        return None
    return CopiedAnswers(system=system, metric=metric, copied=int(np.nansum(copied)), scored=len(copied))
