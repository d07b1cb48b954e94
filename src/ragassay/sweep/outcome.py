"""What a sweep says: the best setting of each label, tables by text weight, quality against tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragassay.evaluation.aggregate import pareto_front
from ragassay.evaluation.clusters import ANSWERABLE, Clusters
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.paired import compare
from ragassay.metrics.metric import Metric
from ragassay.rag.setting import Setting, preference
from ragassay.sweep.best import MIX, BestSetting, neighbours_of, ties_of
from ragassay.sweep.values import (
    TOKENS,
    By,
    Cell,
    Group,
    SettingValues,
    Values,
    cells_of_groups,
    cells_of_labels,
    headline_of,
    rounds_of,
)

LEAST_COVERAGE = 0.95
_REASONS_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightRow:
    """dense, lexical: the two ends with all else as in the best setting; None where not tried, or with few values."""

    label: str
    dense: Estimate | None
    lexical: Estimate | None
    best: Estimate
    setting: Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightTable:
    """Know Your RAG, tables 2 and 4 to 6. spread: (highest - lowest) / lowest of the best values, or None."""

    encoder: str
    reranker: str
    rows: tuple[WeightRow, ...]
    spread: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Quality and price of a setting over the questions of the headline. tokens: of one question, read and written."""

    setting: Setting
    quality: Estimate
    tokens: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A setting with too few values to be chosen on a label: n of total. reasons: the most frequent first."""

    label: str
    setting: Setting
    n: int
    total: int
    reasons: Mapping[str, int]

    @property
    def why(self) -> str:
        """The reasons in words; those beyond a few are counted."""
        order = list(self.reasons.items())
        named = [f"{reason} ({n})" for reason, n in order[:_REASONS_NAMED]]
        more = sum(n for _, n in order[_REASONS_NAMED:])
        return "; ".join([*named, *([f"others ({more})"] if more else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """by: what questions are told apart by; types in a set without labels. headline: what decides on the best.

    points: of all settings that were asked every question and have enough values. unanswerable: right refusals of the
    best setting, if anybody looked. front: those that no other one is better and cheaper than, the cheapest first.
    uncovered: settings that took no part for want of values, by label. coverage: the share of questions that it takes.
    """

    by: By
    headline: str
    cells: tuple[Cell, ...]
    best: tuple[BestSetting, ...]
    unanswerable: Estimate | None
    tables: tuple[WeightTable, ...]
    points: tuple[Point, ...]
    front: tuple[Point, ...]
    uncovered: tuple[Uncovered, ...]
    coverage: float

    @property
    def top(self) -> BestSetting | None:
        """The best of the headline."""
        return next((each for each in self.best if each.label == self.headline), None)


def outcome(
    values: Sequence[SettingValues],
    labels: Sequence[str],
    metrics: Sequence[Metric],
    deciding: Metric,
    clusters: Clusters | None = None,
    *,
    by: By = "label",
    groups: Sequence[Group] = (),
    coverage: float = LEAST_COVERAGE,
) -> Outcome:
    """All that a sweep says. values: of settings, on all questions. by: what the labels are.

    groups: of questions, whose cells are wanted as well. coverage: share of the questions with a value of the deciding
    metric that a setting needs to be chosen.
    """
    # whether the metric has a value for any unanswerable question: recall of its context, say
    unanswerable = np.array(labels, dtype=object) == "unanswerable"
    inclusive = any(bool(np.isfinite(each.metrics[deciding.name][unanswerable]).any()) for each in values)
    of_labels = tuple(cells_of_labels(values, labels, metrics, clusters, by, deciding.name if inclusive else ""))
    judged = _Judged(values, labels, deciding, clusters, of_labels, coverage, inclusive)
    refusals = (judged.best(judged.headline), "unanswerable", "abstention_accuracy")
    points = [judged.point(setting) for setting in judged.covered(judged.headline)]
    return Outcome(
        by=by,
        headline=judged.headline,
        cells=(*of_labels, *cells_of_groups(values, labels, metrics, clusters, groups)),
        best=tuple(_best(judged, label) for label in judged.labels if judged.best(label)),
        unanswerable=next((c.estimate for c in of_labels if (c.setting, c.group, c.metric) == refusals), None),
        tables=tuple(_tables(judged)),
        points=tuple(points),
        front=tuple(_front(points, deciding)),
        uncovered=tuple(judged.uncovered()),
        coverage=coverage,
    )


class _Judged:
    """How good the settings with enough values are on any label; questions without a value for any are left out.

    One that some setting has a value for could have been scored: a setting without it has failed there.
    """

    def __init__(
        self,
        values: Sequence[SettingValues],
        labels: Sequence[str],
        metric: Metric,
        clusters: Clusters | None,
        cells: Iterable[Cell],
        coverage: float,
        inclusive: bool,
    ) -> None:
        """cells: of these values by label. coverage: share of questions needed. inclusive: all questions, too."""
        self._estimates = {(each.setting, each.group, each.metric): each.estimate for each in cells}
        self._values = {each.setting: each for each in values}
        self.settings = list(self._values)
        self.metric = metric
        self._clusters = clusters
        self.headline = headline_of(metric)
        self.rounds = rounds_of(labels, metric, inclusive=inclusive)
        self.labels = [label for label in self.rounds if label != "unanswerable"]
        """Those that a best setting is looked for: all but unanswerable, then the headline."""
        defined = np.zeros(len(labels), dtype=bool)
        for each in values:
            defined |= ~np.isnan(each.metrics[metric.name])
        self._total = {label: int(defined[rows].sum()) for label, rows in self.rounds.items()}
        self._known = {
            label: {each: int((~np.isnan(self.values(each, label))).sum()) for each in self.settings}
            for label in self.labels
        }
        self._covered = {
            # 0.95 of 20 is 19, whatever the last bits say
            label: [each for each, n in known.items() if n > 0 and n >= coverage * self._total[label] - 1e-9]
            for label, known in self._known.items()
        }

    def values(self, setting: Setting, label: str) -> Values:
        return self._values[setting].metrics[self.metric.name][self.rounds[label]]

    def clusters(self, label: str) -> Clusters | None:
        return None if self._clusters is None else self._clusters[self.rounds[label]]

    def covered(self, label: str) -> list[Setting]:
        """The settings with enough values on a label: nothing is chosen among others."""
        return self._covered[label]

    def uncovered(self) -> Iterator[Uncovered]:
        """The other settings, by label."""
        for label, known in self._known.items():
            total, covered = self._total[label], set(self._covered[label])
            for setting, n in known.items():
                if total and setting not in covered:
                    reasons = _most_frequent(self._values[setting].reasons.get(self.metric.name, {}))
                    yield Uncovered(label=label, setting=setting, n=n, total=total, reasons=reasons)

    def best(self, label: str, settings: Iterable[Setting] | None = None) -> Setting | None:
        """Of some settings, or of all. Ties go to the smallest text weight; None where none has enough values."""
        members = self._covered[label] if settings is None else set(self._covered[label]) & set(settings)
        sign = -1 if self.metric.higher_is_better else 1
        means = {each: sign * round(float(np.nanmean(self.values(each, label))), 12) for each in members}
        return min(means, key=lambda each: (means[each], *preference(each)), default=None)

    def estimate(self, setting: Setting, label: str) -> Estimate:
        return self._estimates[setting, label, self.metric.name]

    def tokens(self, setting: Setting, label: str) -> float | None:
        return self._estimates[setting, label, TOKENS].value

    def end(self, label: str, best: Setting, members: Iterable[Setting], text_weight: float) -> Estimate | None:
        """Of the best setting with this text weight and all else as in another that makes a difference there."""
        rest = best.parts_but(*MIX)
        same = [each for each in members if each.text_weight == text_weight and each.parts_but(*MIX) == rest]
        found = self.best(label, same)
        return None if found is None else self.estimate(found, label)

    def beside(self, encoder: str, reranker: str) -> list[Setting]:
        """The settings of both. BM25 alone has no encoder of its own: it stands beside every one."""
        return [
            each
            for each in self.settings
            if each.reranker == reranker and (each.text_weight == 1 or each.encoder == encoder)
        ]

    def point(self, setting: Setting) -> Point:
        """Over the questions of the headline."""
        quality, tokens = self.estimate(setting, self.headline), self._estimates[setting, self.headline, TOKENS]
        return Point(setting=setting, quality=quality, tokens=tokens)


def _best(judged: _Judged, label: str) -> BestSetting:
    setting = judged.best(label)
    assert setting is not None
    members = judged.beside(setting.encoder, setting.reranker)
    covered, bounds, clusters = judged.covered(label), judged.metric.bounds, judged.clusters(label)
    values = {each: judged.values(each, label) for each in covered}

    def against(others: Iterable[Setting]) -> tuple[Comparison, ...]:
        named = [(other.name, values[other]) for other in others]
        return compare(values[setting], named, bounds=bounds, clusters=clusters)

    sign = -1 if judged.metric.higher_is_better else 1
    comparisons = against(other for other in covered if other != setting)
    return BestSetting(
        label=label,
        setting=setting,
        estimate=judged.estimate(setting, label),
        dense=judged.end(label, setting, members, 0.0),
        lexical=judged.end(label, setting, members, 1.0),
        comparisons=tuple(sorted(comparisons, key=lambda each: (sign * each.difference, each.other))),
        neighbours=against(neighbours_of(setting, covered)),
        ties=ties_of(setting, values, {each: judged.tokens(each, label) for each in covered}, clusters, bounds),
    )


def _tables(judged: _Judged) -> Iterator[WeightTable]:
    dense = [setting for setting in judged.settings if setting.text_weight < 1]
    for encoder, reranker in dict.fromkeys((setting.encoder, setting.reranker) for setting in dense):
        members = judged.beside(encoder, reranker)
        rows = [
            WeightRow(
                label=label,
                dense=judged.end(label, best, members, 0.0),
                lexical=judged.end(label, best, members, 1.0),
                best=judged.estimate(best, label),
                setting=best,
            )
            for label in judged.labels
            if (best := judged.best(label, members))
        ]
        # the last row is the inclusive one: over all questions, or over the answerable where there are no others
        known = [row.best.value for row in rows if row.label != ANSWERABLE or row is rows[-1]]
        values = [value for value in known if value is not None]
        spread = (max(values) - min(values)) / min(values) if len(values) > 1 and min(values) > 0 else None
        yield WeightTable(encoder=encoder, reranker=reranker, rows=tuple(rows), spread=spread)


def _front(points: Iterable[Point], metric: Metric) -> list[Point]:
    """Of points with equal quality and price the one with the smallest text weight."""
    sign = 1 if metric.higher_is_better else -1
    known = sorted(
        (each for each in points if each.tokens.value is not None), key=lambda each: preference(each.setting)
    )
    return pareto_front(known, lambda point: point.tokens.value or 0, lambda point: sign * (point.quality.value or 0))


def reasons_of(values: Sequence[SettingValues]) -> Mapping[str, int]:
    """Why values are missing, over all settings and metrics, the most frequent first."""
    counts: Counter[str] = Counter()
    for each in values:
        for metric, reasons in each.reasons.items():
            counts.update({f"{metric}: {reason}": n for reason, n in reasons.items()})
    return _most_frequent(counts)


def _most_frequent(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
