"""Values as they are scored, their means over any part of the examples, and how unanswerable questions were met."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import nan

import numpy as np

from ragassay.evaluation.aggregate import estimate, estimates
from ragassay.evaluation.clusters import Clusters, answerable_rows, clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.prediction_powered import Corrected, corrected
from ragassay.metrics.answer.abstention import has_refused, is_unanswerable
from ragassay.metrics.metric import Metric
from ragassay.records import Example, Prediction


class Tally:
    """metrics: those that are scored. n: examples; each has a place from 0. What is not added has no value.

    clusters: of the examples; None if no two hang together.
    """

    def __init__(self, metrics: Sequence[Metric], n: int, clusters: Clusters | None = None) -> None:
        self._clusters = clusters
        self._metrics = {metric.name: metric for metric in metrics}
        self._columns = {name: array("d", [nan]) * n for name in self._metrics}
        self._reasons: dict[str, Counter[str]] = {name: Counter() for name in self._metrics}

    def add(self, place: int, metric: str, value: float | None, reason: str | None) -> None:
        """One score."""
        if value is None:
            self._reasons[metric][reason or "no reason given"] += 1
        else:
            self._columns[metric][place] = value

    def reasons(self) -> dict[str, dict[str, int]]:
        """Metric to the reasons why examples have no value, most frequent first; metrics without any are left out."""
        return {name: dict(counts.most_common()) for name, counts in self._reasons.items() if counts}

    def headline(self, labels: Sequence[str]) -> dict[str, Estimate]:
        """The mean of each metric over all examples but the unanswerable; over all of them where it is of all.

        labels: of each example; none where nobody knows them.
        """
        of_all = self.estimates()
        found = self.estimates(answerable_rows(labels).tolist()) if labels else of_all
        return {name: (of_all if metric.over_all else found)[name] for name, metric in self._metrics.items()}

    def estimates(self, rows: Sequence[int] | None = None) -> dict[str, Estimate]:
        """The mean of each metric over the examples at these places, all of them if None."""
        clusters = self._clusters if rows is None or self._clusters is None else self._clusters[list(rows)]
        by_bounds: dict[tuple[float, float] | None, list[str]] = defaultdict(list)
        for name, metric in self._metrics.items():
            by_bounds[metric.bounds].append(name)
        found: dict[str, Estimate] = {}
        for bounds, names in by_bounds.items():
            values = np.column_stack([np.frombuffer(self._columns[name], dtype=np.float64) for name in names])
            some = values if rows is None else values[list(rows)]
            means = estimates(some, bounds=bounds, clusters=clusters)
            found.update(zip(names, means, strict=True))
        return {name: found[name] for name in self._metrics}

    def corrected(
        self,
        people: Mapping[str, Mapping[int, float]],
        groups: Mapping[str, Sequence[int]],
        lacking: Mapping[str, Set[int]],
    ) -> dict[str, dict[str, Corrected]]:
        """Group to metric to its mean, corrected by people.

        people: metric to place to their value. lacking: metric to the places that have no value by either, as the
        system failed or the example lacks an input.
        """
        found: dict[str, dict[str, Corrected]] = {}
        for name, values in people.items():
            metric = self._metrics.get(name)
            if metric is None or metric.bounds is None:
                continue
            column = np.frombuffer(self._columns[name], dtype=np.float64)
            by_people = np.array([values.get(place, nan) for place in range(len(column))])
            for group, rows in groups.items():
                places = [place for place in rows if place not in lacking[name]]
                clusters = None if self._clusters is None else self._clusters[places]
                result = corrected(by_people[places], column[places], bounds=metric.bounds, clusters=clusters)
                if result is not None:
                    found.setdefault(group, {})[name] = result
        return found


def grouped(keys: Sequence[str], order: Sequence[str] = ()) -> Mapping[str, list[int]]:
    """Each different key with the places where it stands; those of ``order`` first, the others sorted."""
    there = set(keys)
    names = [*(key for key in order if key in there), *sorted(there - set(order))]
    places: dict[str, list[int]] = {key: [] for key in names}
    for place, key in enumerate(keys):
        places[key].append(place)
    return places


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswerable:
    """right: share of the questions that were rightly refused, of those whose document is known to lack the answer.

    wrong: how many of these were answered. undecided: further unanswerable questions that a system may be right to
    answer, since only the passage that they were asked of is known to lack the answer.
    """

    right: Estimate
    wrong: int
    undecided: int


def unanswerable(examples: Sequence[Example], predictions: Sequence[Prediction]) -> Unanswerable | None:
    """Of one system. A question that it failed at, or only retrieved for, has no value.

    None where no question is unanswerable, or none of these was answered or refused.
    """
    by_id: Mapping[str, Prediction] = {each.example_id: each for each in predictions}
    asked = [each for each in examples if each.label == "unanswerable" or each.requested_label == "unanswerable"]
    decided = [each for each in asked if is_unanswerable(each)[0]]
    values = [_refused(by_id.get(each.id)) for each in decided]
    if not any(_refused(by_id.get(each.id)) is not None for each in asked):
        return None
    return Unanswerable(
        right=estimate(values, clusters=clusters_of(decided)),
        wrong=values.count(0.0),
        undecided=len(asked) - len(decided),
    )


def _refused(prediction: Prediction | None) -> float | None:
    if prediction is None or prediction.error is not None or (prediction.answer is None and not prediction.abstained):
        return None
    return float(has_refused(prediction))
