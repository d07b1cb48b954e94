"""The metrics of a sweep that look at rankings alone: each ranking of a question is measured once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ragassay.documents.chunkers import Chunking
from ragassay.jobs.sweep.data import SweepData
from ragassay.jobs.sweep.ranking import Ranked
from ragassay.metrics.answered import Answered
from ragassay.metrics.inputs import NO_GROUND_SPAN
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.retrieval.rankings import FAMILIES
from ragassay.metrics.scoring import measured
from ragassay.records import Prediction
from ragassay.sweep.values import Rows

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
