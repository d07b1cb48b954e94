"""The metrics of a sweep that look at rankings alone: each ranking of a question is measured once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ragassay.corpus.chunkers import Chunking
from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.metric import Measured, Metric
from ragassay.metrics.retrieval.families import FAMILIES, NO_GROUND_SPAN
from ragassay.metrics.scoring import measured
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.ranking import Ranked
from ragassay.records import Prediction
from ragassay.retrieval.hybrid import NO_CHUNK
from ragassay.sweep.search import Rows

WHOLE_RANKING = sys.maxsize


def is_ranking_metric(metric: Metric) -> bool:
    """Whether it is worked out from the places of right chunks alone."""
    family, _, depth = metric.name.partition("@")
    return bool(depth) and family in FAMILIES


class RankingMeasures:
    """Ranking metrics, and text metrics (reference recall, EIR) once for each list of chunks."""

    def __init__(self, data: SweepData, metrics: Sequence[tuple[Metric, int]], *, keeps_evidence: bool = False) -> None:
        """metrics: all of the sweep; those that look at answers, or that a judge is asked for, are left to others."""
        self._data = data
        self._keeps_evidence = keeps_evidence
        # Where people judged whole documents, rankings are of documents, as a single example has them.
        of_documents = any(each.is_graded for each in data.examples)
        self._by_place = [metric.name for metric, _ in metrics if is_ranking_metric(metric) and not of_documents]
        self._by_reach: dict[int, list[tuple[Metric, int]]] = {}
        for metric, depth in metrics:
            if metric.kind == "retrieval" and metric.measure is not None and metric.name not in self._by_place:
                # The first k documents may be those of any number of chunks.
                reach = WHOLE_RANKING if of_documents or "chunk documents" in metric.inputs else depth
                self._by_reach.setdefault(reach, []).append((metric, depth))
        self._known: dict[tuple[int, Chunking, int, tuple[int, ...]], tuple[Measured, ...]] = {}

    @property
    def names(self) -> set[str]:
        """Of the metrics that are worked out here."""
        return {*self._by_place, *(metric.name for group in self._by_reach.values() for metric, _ in group)}

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
        rankings = [
            (row, [chunk for chunk in ranked.chunks[row].tolist() if chunk != NO_CHUNK]) for row in rows.tolist()
        ]
        found = {}
        for name in self._by_place:
            family, _, depth = name.partition("@")
            values = (FAMILIES[family].at(ranking, right[row], int(depth)) for row, ranking in rankings)
            found[name] = [
                Measured(None, reason=ranked.failed[row])
                if row in ranked.failed
                else Measured(value, reason=NO_GROUND_SPAN if value is None else None)
                for (row, _), value in zip(rankings, values, strict=True)
            ]
        return found

    def _text_values(
        self, chunking: Chunking, ranked: Ranked, rows: Rows, reach: int, group: Sequence[tuple[Metric, int]]
    ) -> list[tuple[Measured, ...]]:
        keys = [(reach, chunking, row, tuple(ranked.chunks[row, :reach].tolist())) for row in rows.tolist()]
        new = [key for key in keys if key not in self._known and key[2] not in ranked.failed]
        is_read = any("chunk texts" in metric.inputs for metric, _ in group)
        texts = self._data.texts(chunking, (chunk for *_, chunks in new for chunk in chunks)) if is_read else {}
        for key in new:
            _, _, row, chunks = key
            example = self._data.examples[row]
            prediction = Prediction(
                example_id=example.id, system="", chunks=self._data.ranked(chunking, chunks), answer=""
            )
            item = Item(Answered(example, prediction, tuple(texts.get(chunk, "") for chunk in chunks if chunk >= 0)))
            values = (measured(metric, depth, item) for metric, depth in group)
            self._known[key] = tuple(each if self._keeps_evidence else each._replace(evidence=()) for each in values)
        return [
            (Measured(None, reason=ranked.failed[key[2]]),) * len(group)
            if key[2] in ranked.failed
            else self._known[key]
            for key in keys
        ]
