"""Finds the estimates of a sweep by label, setting and metric, and lines them up for figures and tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ragassay.corpus.chunkers import usual_overlap
from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import FUSIONS, Setting
from ragassay.report.summary import Result
from ragassay.report.wording import metric_key, metric_order
from ragassay.retrieval.hybrid import Fusion

RECALL_AT_5 = "recall_at_5"


class Point(NamedTuple):
    """One measured setting in a figure; estimate is None where it was not measured."""

    setting: Setting
    estimate: Estimate | None

    @property
    def value(self) -> float | None:
        return None if self.estimate is None else self.estimate.value


class SweepPoints:
    """The results of a sweep, indexed. The ends of the text weight are one setting whatever their fusion."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._estimates: dict[tuple[str, str, str], Estimate] = {}
        self._metrics: dict[str, str] = {}
        chunk_sizes: set[int] = set()
        self._any = Setting()
        weights: set[float] = set()
        fusions: set[str] = set()
        self.settings: set[str] = set()
        for result in results:
            setting = result.setting
            key = metric_key(result.metric)
            self._estimates[result.label, setting.name, key] = result.estimate
            self._metrics.setdefault(key, result.metric)
            self.settings.add(setting.name)
            chunk_sizes.add(setting.chunk_size)
            self._any = setting
            weights.add(setting.text_weight)
            if 0 < setting.text_weight < 1:
                fusions.add(setting.fusion)
        self.chunk_sizes = sorted(chunk_sizes)
        self.weights = sorted(weights)
        self.fusions = [fusion for fusion in FUSIONS if fusion in fusions]

    @property
    def unit(self) -> str:
        """What the chunk sizes count."""
        return self._any.unit

    @property
    def metrics(self) -> list[str]:
        """Names as they came, in the order in which the field lists them."""
        return sorted(self._metrics.values(), key=metric_order)

    def estimate(self, label: str, setting: Setting, metric: str = RECALL_AT_5) -> Estimate | None:
        return self._estimates.get((label, setting.name, metric_key(metric)))

    def point(self, label: str, chunk_size: int, fusion: Fusion, text_weight: float) -> Point:
        overlap = usual_overlap(self._any.chunker, chunk_size)
        setting = replace(
            self._any, chunk_size=chunk_size, overlap=overlap, fusion=fusion, text_weight=float(text_weight)
        )
        return Point(setting, self.estimate(label, setting))

    def by_weight(self, label: str, chunk_size: int, fusion: Fusion) -> list[Point]:
        """Recall@5 at every text weight of the sweep, ends included."""
        return [self.point(label, chunk_size, fusion, weight) for weight in self.weights]

    def best_hybrid(self, label: str, chunk_size: int) -> Point | None:
        """The hybrid with the highest recall@5 at a chunk size; ties go to the smallest text weight."""
        points = [
            self.point(label, chunk_size, fusion, weight)
            for weight in self.weights
            if 0 < weight < 1
            for fusion in self.fusions
        ]
        scored = [point for point in points if point.value is not None]
        if not scored:
            return points[0] if points else None
        return max(scored, key=lambda point: round(point.value or 0.0, 12))  # the first of equal ones

    @property
    def labels(self) -> list[str]:
        """Every label of the sweep, ``answerable`` too."""
        return list(dict.fromkeys(label for label, _, _ in self._estimates))

    def most(self, label: str) -> int:
        """How many questions a label has: the highest total of its estimates."""
        return max((estimate.total for (own, _, _), estimate in self._estimates.items() if own == label), default=0)


def lowest_bound(estimates: Iterable[Estimate]) -> float:
    """The lowest end of any interval (or value without one); 1 if there is none: where an axis must begin."""
    bounds = [estimate.value if estimate.low is None else estimate.low for estimate in estimates]
    return min((bound for bound in bounds if bound is not None), default=1.0)
