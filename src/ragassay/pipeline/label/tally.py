"""Verdicts counted as they come: labels requested by verified, the profile of critiques, errors."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ragassay.evaluation.aggregate import estimate, estimates
from ragassay.evaluation.estimate import Estimate
from ragassay.pipeline.label.verdicts import NO_ANSWER, Verdict, applies
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.labels import ALL, RATINGS, CritiqueProfile
from ragassay.tasks.critique import NO_RULE

_BOUNDS = (1.0, 5.0)
_OTHER_REASONS = "other reasons"
MOST_REASONS = 50
"""Reasons that are counted apart: each reply of a hostile server may give another."""


class JudgingTally:
    """Counts verdicts. Memory: a byte for each example and critique."""

    def __init__(self, critiques: tuple[str, ...]) -> None:
        self._critiques = critiques
        self._labels = bytearray()
        self._ratings: dict[str, bytearray] = {name: bytearray() for name in critiques}
        self.examples = 0
        self.judged = 0
        self.errors: Counter[str] = Counter()
        self.contexts: Counter[str] = Counter()
        self.without_answer = 0
        self.without_rule = 0
        self.matrix: dict[str, Counter[str]] = {}
        self._agreeing: list[float] = []

    def add(self, verdict: Verdict) -> None:
        """Counts one."""
        self.examples += 1
        self.judged += verdict.error is None
        if verdict.error is not None:
            known = verdict.error in self.errors or len(self.errors) < MOST_REASONS
            self.errors[verdict.error if known else _OTHER_REASONS] += 1
        if verdict.context_from is not None:
            self.contexts[verdict.context_from] += 1
        if self._critiques:
            self._count_ratings(verdict)
        elif verdict.verified_label is not None:
            requested = verdict.requested_label or UNLABELLED
            self.matrix.setdefault(requested, Counter())[verdict.verified_label] += 1
            if verdict.requested_label:
                self._agreeing.append(float(verdict.requested_label == verdict.verified_label))

    def _count_ratings(self, verdict: Verdict) -> None:
        self._labels.append(_NAMES.index(verdict.verified_label or verdict.requested_label or UNLABELLED))
        self.without_answer += any(each.reason == NO_ANSWER for each in verdict.critiques)
        self.without_rule += any(each.reason == NO_RULE for each in verdict.critiques)
        given = {each.name: each.value or 0 for each in verdict.critiques}
        for name, column in self._ratings.items():
            column.append(given.get(name, 0))

    def agreement(self) -> Estimate | None:
        """Share of the requested labels that were verified; None where none was requested."""
        return estimate(self._agreeing) if self._agreeing else None

    def profile(self) -> tuple[CritiqueProfile, ...]:
        """Every critique over all examples, then over those of each label that it applies to."""
        if not self.examples:
            return ()
        labels = np.frombuffer(bytes(self._labels), np.uint8)
        columns = np.array([np.frombuffer(bytes(column), np.uint8) for column in self._ratings.values()])
        found: list[CritiqueProfile] = []
        for row in (ALL, *_NAMES):
            members = np.full(len(labels), True) if row == ALL else labels == _NAMES.index(row)
            if members.any():
                found += self._rows(row, labels[members], columns[:, members])
        return tuple(found)

    def _rows(self, row: str, labels: np.ndarray, columns: np.ndarray) -> list[CritiqueProfile]:
        found = []
        for name, column in zip(self._critiques, columns, strict=True):
            of_it = column[np.isin(labels, [place for place, label in enumerate(_NAMES) if applies(name, label)])]
            if not len(of_it):
                continue
            histogram = _five(np.bincount(of_it, minlength=len(RATINGS) + 1))
            ratings = np.where(of_it > 0, of_it, np.nan)
            found.append(
                CritiqueProfile(
                    critique=name,
                    label=row,
                    estimate=estimates(ratings[:, None], bounds=_BOUNDS)[0],
                    histogram=histogram,
                )
            )
        return found


_NAMES: tuple[str, ...] = (*LABELS, UNLABELLED)


def _five(counts: np.ndarray) -> tuple[int, int, int, int, int]:
    one, two, three, four, five = (int(counts[rating]) for rating in RATINGS)
    return one, two, three, four, five
