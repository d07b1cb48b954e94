"""How far a judge agrees with people: the statistics, each with its interval, beside baselines, controls and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.people.agreement.check_items import ASPECTS, Aspect, Compared, Items, Pair, Quality, Rated
from ragassay.people.agreement.check_values import Role, Values
from ragassay.people.agreement.correlation import auroc_with_interval, correlations, pair_wins

Floats = npt.NDArray[np.float64]
MeasureName = Literal["accuracy", "order_agreement", "auroc", "pearson", "spearman", "kendall"]
"""accuracy: share of pairs in which the better item has the higher score, ties half; of comparisons, those that the
person decided. order_agreement: of a judge that ranks two, how often both orders come out alike. auroc: of good ratings
against bad ones."""

_CORRELATIONS: tuple[MeasureName, ...] = ("pearson", "spearman", "kendall")
_UNVARIED: Mapping[MeasureName, str] = {
    "accuracy": "no pair is decided",
    "order_agreement": "no pair is decided",
    "auroc": "good or bad items are missing",
    **dict.fromkeys(_CORRELATIONS, "all values, or all judgements of people, are the same"),
}
GOOD_FROM, BAD_TO = 0.75, 0.25
"""On a scale from 0 to 1 of what the ratings reach: of 1 to 5, 4 and 5 are good, 1 and 2 bad, 3 is neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One scorer against people. scorer: the metric, baseline or control; ``another person`` for people.

    A measure without a value has its reason in ``undefined``.

    aspect: of comparisons, else empty. measures: those that fit the shape of the items. reasons: why values are
    missing, counted.
    """

    scorer: str
    role: Role | Literal["people"]
    aspect: Aspect | Literal[""] = ""
    measures: Mapping[MeasureName, Estimate]
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def undefined(self) -> dict[MeasureName, str]:
        """Why a measure has no value: nothing was scored, or what was scored does not vary."""
        return {
            name: "there is nothing to compare" if not found.n else _UNVARIED[name]
            for name, found in self.measures.items()
            if found.value is None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityCheck:
    """quality: what was judged. shape: of the items. good, bad: of ratings, how many are taken for good and for bad.

    mean_rating: of people, over all items. tokens: that all rated answers took, read and written; None where one of
    them does not say it.
    """

    quality: Quality
    shape: Literal["pairs", "comparisons", "ratings"]
    items: int
    rows: tuple[Row, ...]
    good: int = 0
    bad: int = 0
    mean_rating: float | None = None
    tokens: tuple[int, int] | None = None


def checked(quality: Quality, items: Items, values: Sequence[Values], *, seed: int = 0) -> QualityCheck:
    """Return the rows of one quality: judge, baselines, people, controls."""
    first = items[0]
    if isinstance(first, Pair):
        rows = [_row(each, _of_pairs(each)) for each in values]
        return QualityCheck(quality=quality, shape="pairs", items=len(items), rows=tuple(rows))
    if isinstance(first, Compared):
        compared = [item for item in items if isinstance(item, Compared)]
        rows = [row for each in values for row in _comparison_rows(each, compared, seed)]
        rows += _people_rows(compared, seed)
        return QualityCheck(quality=quality, shape="comparisons", items=len(items), rows=tuple(_in_order(rows)))
    rated = [item for item in items if isinstance(item, Rated)]
    ratings = np.array([item.rating for item in rated], dtype=np.float64)
    good, bad = classes(ratings)
    rows = [_row(each, _against_ratings(each, ratings, seed)) for each in values]
    return QualityCheck(
        quality=quality,
        shape="ratings",
        items=len(items),
        rows=tuple(rows),
        good=int(good.sum()),
        bad=int(bad.sum()),
        mean_rating=float(ratings.mean()),
        tokens=_summed([item.tokens for item in rated]),
    )


def _summed(tokens: Sequence[tuple[int | None, int | None]]) -> tuple[int, int] | None:
    read, written = ([count for count in column if count is not None] for column in zip(*tokens, strict=True))
    return (sum(read), sum(written)) if len(read) == len(written) == len(tokens) else None


def classes(ratings: Floats) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which ratings are good and which are bad: the upper and the lower quarter of the scale that they span.

    Whole numbers between 1 and 5 are on the scale of 1 to 5 whatever they span, shares on that of 0 to 1.
    """
    low, high = float(ratings.min(initial=np.inf)), float(ratings.max(initial=-np.inf))
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 1 and high <= 5:
        low, high = 1.0, 5.0
    if high <= low:
        nothing = np.zeros(len(ratings), dtype=np.bool_)
        return nothing, nothing
    shares = (ratings - low) / (high - low)
    return shares >= GOOD_FROM, shares <= BAD_TO


def _row(values: Values, measures: Mapping[MeasureName, Estimate]) -> Row:
    return Row(
        scorer=values.scorer, role=values.role, aspect=values.aspect, measures=measures, reasons=dict(values.reasons)
    )


def _of_pairs(values: Values) -> dict[MeasureName, Estimate]:
    """The mean over pairs that have both values, with the interval for means (not 1 to 1 where all pairs are right)."""
    if len(values.sides) == 1:
        return {"order_agreement": estimate(values.sides[0])}
    won = [
        None if better is None or worse is None else pair_wins([better], [worse])[0]
        for better, worse in zip(*values.sides, strict=True)
    ]
    return {"accuracy": estimate(won)}


def _against_ratings(values: Values, ratings: Floats, seed: int) -> dict[MeasureName, Estimate]:
    (side,) = values.sides
    known = np.array([value is not None for value in side], dtype=np.bool_)
    scores = np.array([value for value in side if value is not None])
    rated = ratings[known]
    good, bad = (one[known] for one in classes(ratings))
    clear = good | bad
    total = int((np.logical_or(*classes(ratings))).sum())
    found: dict[MeasureName, Estimate] = {
        "auroc": auroc_with_interval(scores[clear], good[clear], seed=seed, total=total)
    }
    return found | _correlations(scores, rated, seed, total=len(side))


def _correlations(scores: Floats, labels: Floats, seed: int, total: int) -> dict[MeasureName, Estimate]:
    return dict(zip(_CORRELATIONS, correlations(scores, labels, seed=seed, total=total), strict=True))


def _comparison_rows(values: Values, items: Sequence[Compared], seed: int) -> list[Row]:
    rows = []
    for aspect in (values.aspect,) if values.aspect else ASPECTS:
        labelled = [
            (item.labels[aspect], first, second)
            for item, first, second in zip(items, *values.sides, strict=True)
            if aspect in item.labels
        ]
        known = [
            (label, second - first) for label, first, second in labelled if first is not None and second is not None
        ]
        if labelled:
            found = _against_labels([gain for _, gain in known], [label for label, _ in known], seed, len(labelled))
            rows.append(_row(values._replace(aspect=aspect), found))
    return rows


def _against_labels(
    gains: Sequence[float], labels: Sequence[float], seed: int, total: int
) -> dict[MeasureName, Estimate]:
    """gains: by how much the second answer scores more than the first. labels: what a person said of the same."""
    decided = [(gain, label) for gain, label in zip(gains, labels, strict=True) if label != 0]
    won = pair_wins([gain * np.sign(label) for gain, label in decided], [0.0] * len(decided))
    found: dict[MeasureName, Estimate] = {"accuracy": estimate(won)}
    return found | _correlations(np.array(gains), np.array(labels), seed, total)


def _people_rows(items: Sequence[Compared], seed: int) -> list[Row]:
    """Return what one person says against what another says of the same two answers, where two have judged them."""
    by_key: dict[str, list[Compared]] = {}
    for item in items:
        by_key.setdefault(item.key, []).append(item)
    rows = []
    for aspect in ASPECTS:
        twice = [
            (judged[0].labels[aspect], judged[1].labels[aspect])
            for judged in by_key.values()
            if len(judged) > 1 and aspect in judged[0].labels and aspect in judged[1].labels
        ]
        if twice:
            first, second = (list(column) for column in zip(*twice, strict=True))
            found = _against_labels(first, second, seed, len(twice))
            rows.append(Row(scorer="another person", role="people", aspect=aspect, measures=found))
    return rows


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """Aspect by aspect; in each: judge, baselines, people, controls."""
    aspects = ("", *ASPECTS)
    roles = ("judge", "baseline", "people", "control")
    return sorted(rows, key=lambda row: (aspects.index(row.aspect), roles.index(row.role)))
