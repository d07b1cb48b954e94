"""The answers of a sweep, each asked once, and what metrics say of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from ragassay.documents.chunkers import Chunking
from ragassay.jobs.sweep.data import SweepData
from ragassay.jobs.sweep.models import SettingModels
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.ranking import Ranked
from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.inputs import NO_GROUND_SPAN
from ragassay.metrics.judged.faithfulness import CIRCULAR_METRICS, CopiedAnswers, goes_by_answer, is_copied
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.retrieval.rankings import FAMILIES
from ragassay.metrics.scoring import embedding_similarities, measured
from ragassay.models import EMBEDDED
from ragassay.models.base import Effort
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.parts import LOCAL_BATCH
from ragassay.rag.setting import NO_GENERATOR, Setting
from ragassay.records import Example, Prediction, Score
from ragassay.sweep.values import COPIED, TOKENS_IN, TOKENS_OUT, Rows, SettingValues
from ragassay.systems.steps import OpenQuestion, generate

WHOLE_RANKING = sys.maxsize


class RankingMeasures:
    """Ranking metrics, and text metrics (reference recall, EIR) once for each list of chunks."""

    def __init__(self, data: SweepData, metrics: Sequence[tuple[Metric, int]], *, keeps_evidence: bool = False) -> None:
        """metrics: all of the sweep; those that look at answers, or that a judge is asked for, are left to others."""
        self._data = data
        self._keeps_evidence = keeps_evidence
        # Where people judged whole documents, rankings are of documents, as a single example has them.
        of_documents = any(each.is_graded for each in data.examples)
        by_place = (metric.name for metric, _ in metrics if metric.name.partition("@")[0] in FAMILIES)
        self._by_place = [] if of_documents else [name for name in by_place if "@" in name]
        self._by_reach: dict[int, list[tuple[Metric, int]]] = {}
        for metric, depth in metrics:
            if metric.kind == "retrieval" and metric.measure is not None and metric.name not in self._by_place:
                # The first k documents may be those of any number of chunks.
                reach = WHOLE_RANKING if of_documents or "chunk documents" in metric.inputs else depth
                self._by_reach.setdefault(reach, []).append((metric, depth))
        self._known: dict[tuple[int, Chunking, int, tuple[int, ...]], tuple[Measured, ...]] = {}

    def of(self, chunking: Chunking, ranked: Ranked, rows: Rows) -> dict[str, list[Measured]]:
        """Metric to the values of the rows, in their order."""
        found = self._ranking_values(chunking, ranked, rows)
        for reach, group in self._by_reach.items():
            told = self._text_values(chunking, ranked, rows, reach, group)
            for place, (metric, _) in enumerate(group):
                found[metric.name] = [each[place] for each in told]
        return found

    def _ranking_values(self, chunking: Chunking, ranked: Ranked, rows: Rows) -> dict[str, list[Measured]]:
        if not self._by_place:
            return {}
        right = self._data.right(chunking)
        rankings = [(row, ranked.first(row), ranked.questions[row].error) for row in rows.tolist()]
        found: dict[str, list[Measured]] = {}
        for name in self._by_place:
            family, _, depth = name.partition("@")
            of_metric = found.setdefault(name, [])
            for row, ranking, error in rankings:
                value = None if error else FAMILIES[family].at(ranking, right[row], int(depth))
                of_metric.append(Measured(value, reason=(error or NO_GROUND_SPAN) if value is None else None))
        return found

    def _text_values(
        self, chunking: Chunking, ranked: Ranked, rows: Rows, reach: int, group: Sequence[tuple[Metric, int]]
    ) -> list[tuple[Measured, ...]]:
        keys = [(reach, chunking, row, tuple(ranked.first(row, reach))) for row in rows.tolist()]
        new = [key for key in keys if key not in self._known and not ranked.questions[key[2]].error]
        is_read = any("chunk texts" in metric.inputs for metric, _ in group)
        texts = self._data.texts(chunking, (chunk for *_, chunks in new for chunk in chunks)) if is_read else {}
        for key in new:
            _, _, row, chunks = key
            ranked_chunks = self._data.ranked(chunking, chunks)
            prediction = Prediction(example_id=self._data.examples[row].id, system="", chunks=ranked_chunks, answer="")
            item = Answered(self._data.examples[row], prediction, tuple(texts.get(each, "") for each in chunks))
            values = (measured(metric, depth, item) for metric, depth in group)
            self._known[key] = tuple(each if self._keeps_evidence else each._replace(evidence=()) for each in values)
        return [
            (Measured(None, reason=error),) * len(group)
            if (error := ranked.questions[key[2]].error)
            else self._known[key]
            for key in keys
        ]


NOTHING_ANSWERED = "this setting answers nothing"


class Worked(NamedTuple):
    """What came of one setting. predictions: where it answers. measured: metric to the values of the rows."""

    values: SettingValues
    predictions: list[Prediction]
    measured: Mapping[str, Sequence[Measured]]


@dataclass(eq=False)
class Answers:
    """Asks generators and judges, and works metrics out; nothing is asked twice in the same words.

    keeps_evidence: what values rest on is wanted too, which takes memory of the machine.
    """

    options: SweepOptions
    data: SweepData
    models: SettingModels
    metrics: Sequence[tuple[Metric, int]]
    judge: Judge
    keeps_evidence: bool = field(default=False, kw_only=True)
    _judged: dict[bytes, dict[str, Measured]] = field(default_factory=dict, init=False)
    _measured: dict[tuple[str, bytes], Measured] = field(default_factory=dict, init=False)
    _token_counts: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._reads_blocks = any("knowledge block" in metric.inputs for metric, _ in self.metrics)
        self._measures = RankingMeasures(self.data, self.metrics, keeps_evidence=self.keeps_evidence)
        judged = [metric for metric, _ in self.metrics if metric.judge is not None]
        self._judges_retrieval = any(metric.kind == "retrieval" for metric in judged)

    async def work_out(
        self, setting: Setting, ranked: Ranked, rows: Rows, on_rows: Callable[[int], None] = lambda n: None
    ) -> Worked:
        """All metrics of one setting for some questions. on_rows: told how many more of them are done."""
        measured: dict[str, list[Measured]] = {}
        tokens: list[tuple[float, float]] = []
        answered: list[Answered] = []
        for some in self._batches(setting, rows):
            questions = self._opened(setting, ranked, some)
            tokens += await self._answer(setting, questions)
            part = [
                Answered(example, question.done(setting.name), question.texts, self._block(example))
                for example, question in zip((self.data.examples[row] for row in some), questions, strict=True)
                if self._is_read(setting)
            ]
            for name, found in (await self._of_batch(setting, ranked, some, part)).items():
                measured.setdefault(name, []).extend(found)
            answered += part
            on_rows(len(some))
        values = self._values(setting, ranked, rows, measured, answered)
        columns = {**values.metrics, TOKENS_IN: np.array([n for n, _ in tokens], np.float64)}
        columns[TOKENS_OUT] = np.array([n for _, n in tokens], np.float64)
        predictions = [each.prediction for each in answered] if setting.generator != NO_GENERATOR else []
        return Worked(replace(values, metrics=columns), predictions, measured)

    def _is_read(self, setting: Setting) -> bool:
        """Whether anybody reads what was found, one who answers or a judge."""
        return setting.generator != NO_GENERATOR or self._judges_retrieval

    def _batches(self, setting: Setting, rows: Rows) -> Iterator[Rows]:
        """All at once where servers are asked, which work on many, and where nobody is."""
        on_servers = setting.generator not in (NO_GENERATOR, EMBEDDED) or "judge" in self.options.models.on_servers
        if on_servers or not self._is_read(setting):
            yield rows
            return
        for first in range(0, max(len(rows), 1), LOCAL_BATCH):
            yield rows[first : first + LOCAL_BATCH]

    def _opened(self, setting: Setting, ranked: Ranked, rows: Rows) -> list[OpenQuestion]:
        """The questions with the chunks that they are answered from, and the texts of these."""
        firsts = [ranked.first(row, setting.top_k) for row in rows.tolist()]
        texts = self.data.texts(setting.chunking, (chunk for chunks in firsts for chunk in chunks))
        is_read = self._is_read(setting)
        return [
            replace(
                ranked.questions[row],
                chunks=self.data.ranked(setting.chunking, chunks) if is_read else (),
                texts=tuple(texts[chunk] for chunk in chunks),
            )
            for row, chunks in zip(rows.tolist(), firsts, strict=True)
        ]

    async def _answer(self, setting: Setting, questions: Sequence[OpenQuestion]) -> list[tuple[float, float]]:
        """Answer them, if anybody does; tokens read and written, as a server counted, else estimated from texts."""
        if setting.generator != NO_GENERATOR:
            await generate(self.models.model(setting.generator, self.options.prompt(setting)), questions)
        found = []
        for each in questions:
            if each.is_open:
                each.count(None, (each.text, *each.texts))
            effort = each.effort or Effort(0, 0)
            read = effort.input_tokens + sum(map(self._tokens_in, each.read))
            written = effort.output_tokens + sum(map(self._tokens_in, each.written))
            found.append((np.nan, np.nan) if each.error else (float(read), float(written)))
        return found

    async def _of_batch(
        self, setting: Setting, ranked: Ranked, rows: Rows, answered: Sequence[Answered]
    ) -> dict[str, list[Measured]]:
        """Metric to the values of some rows."""
        found = self._measures.of(setting.chunking, ranked, rows) | await self._of_judge(setting, answered)
        for metric, depth in self.metrics:
            if metric.name not in found and setting.generator == NO_GENERATOR:
                found[metric.name] = [Measured(None, reason=NOTHING_ANSWERED)] * len(rows)
            elif metric.name not in found:
                found[metric.name] = self._of_answers(metric, depth, answered)
        return found

    def _values(
        self,
        setting: Setting,
        ranked: Ranked,
        rows: Rows,
        found: Mapping[str, Sequence[Measured]],
        answered: Sequence[Answered],
    ) -> SettingValues:
        """All but the tokens."""
        columns = {
            metric.name: np.array([np.nan if each.value is None else each.value for each in found[metric.name]])
            for metric, _ in self.metrics
        }
        if setting.generator != NO_GENERATOR:
            columns[COPIED] = np.array([np.nan if each.missing else float(is_copied(each)) for each in answered])
        missing: dict[str, dict[str, list[int]]] = {}
        failed = [(ranked.questions[row].error, row) for row in rows.tolist()]
        failed += zip((each.prediction.error for each in answered), rows.tolist(), strict=False)
        for name, values in found.items():
            for row, each in zip(rows.tolist(), values, strict=True):
                if each.reason is not None:
                    missing.setdefault(name, {}).setdefault(each.reason, []).append(row)
                    failed.append((each.reason, row))
        failures, reasons = self.models.failures, {reason for reason, _ in failed if reason}
        unheard = {reason for reason in reasons if failures.is_unheard(reason)}
        unanswered = {reason for reason in reasons if failures.is_unanswered(reason)}
        return SettingValues(
            setting,
            rows,
            columns,
            missing,
            frozenset(row for reason, row in failed if reason in unanswered),
            frozenset(row for reason, row in failed if reason in unheard),
        )

    def _block(self, example: Example) -> str:
        if not self._reads_blocks:
            return ""
        known = example.context.document_id in self.data.store
        return self.data.store.get(example.context.document_id).text if known else example.context.text

    def _tokens_in(self, text: str) -> int:
        if text not in self._token_counts:
            self._token_counts[text] = estimate_tokens(text)
        return self._token_counts[text]

    def _of_answers(self, metric: Metric, depth: int, answered: Sequence[Answered]) -> list[Measured]:
        """A metric that asks nobody, or an encoder."""
        if metric.needs == "encoder":
            return list(map(self._kept, embedding_similarities(self.models.encoder(EMBEDDED), metric, answered)))
        found = []
        for each in answered:
            key = (metric.name, _said(each))
            if key not in self._measured:
                self._measured[key] = self._kept(measured(metric, depth, each))
            found.append(self._measured[key])
        return found

    def _kept(self, found: Measured | Score) -> Measured:
        return Measured(found.value, found.evidence if self.keeps_evidence else (), found.reason)

    async def _of_judge(self, setting: Setting, answered: Sequence[Answered]) -> dict[str, list[Measured]]:
        """The metrics of a judge, all at once, since some share what it is asked."""
        metrics = [
            metric
            for metric, _ in self.metrics
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
            found = await judged_scores(self.judge, lacking, list(new.values()))
            for score, key in zip(found, list(new) * len(lacking), strict=True):
                self._judged.setdefault(key, {})[score.metric] = self._kept(score)
        return {metric.name: [self._judged[key][metric.name] for key in keys] for metric in metrics}


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


def copied_of(values: SettingValues, examples: Sequence[Example], metric: str) -> CopiedAnswers | None:
    """Of the answers with a value of a circular metric, how many are copied; None where it has no such answer."""
    if metric not in CIRCULAR_METRICS or not {metric, COPIED} <= values.metrics.keys():  # without answers nothing is
        return None
    by_answer = np.array([goes_by_answer(metric, examples[row]) for row in values.rows])
    copied = (values.metrics[COPIED] * by_answer)[~np.isnan(values.metrics[metric])]
    if not len(copied):
        return None
    return CopiedAnswers(system=values.setting.name, metric=metric, copied=int(np.nansum(copied)), scored=len(copied))
