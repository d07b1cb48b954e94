"""Verdicts counted as they come: labels requested by verified, the profile of ratings, errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.pipeline.label.verdicts import NO_ANSWER, Verdict, applies
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.labels import ALL, RATINGS, CritiqueProfile
from ragassay.tasks.critique import NO_RULE

_BOUNDS = (1.0, 5.0)
_NAMES = (*LABELS, UNLABELLED)
_OTHER_REASONS = "other reasons"
MOST_REASONS = 50
"""Reasons that are counted apart: each reply of a hostile server may give another."""


class Tally:
    """names: of the ratings that were asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._ratings: dict[tuple[str, str], Counter[int]] = {}
        self._pairs: Counter[tuple[str | None, str]] = Counter()
        self.judged = 0
        self.errors: Counter[str] = Counter()
        self.contexts: Counter[str] = Counter()
        self.without_answer = 0
        self.without_rule = 0

    def add(self, verdict: Verdict) -> None:
        """Count one."""
        self.judged += verdict.error is None
        if verdict.error is not None:
            known = verdict.error in self.errors or len(self.errors) < MOST_REASONS
            self.errors[verdict.error if known else _OTHER_REASONS] += 1
        if verdict.context_from is not None:
            self.contexts[verdict.context_from] += 1
        if verdict.verified_label is not None:
            self._pairs[verdict.requested_label, verdict.verified_label] += 1
        self.without_answer += any(critique.reason == NO_ANSWER for critique in verdict.critiques)
        self.without_rule += any(critique.reason == NO_RULE for critique in verdict.critiques)
        label = verdict.verified_label or verdict.requested_label or UNLABELLED
        given = {critique.name: critique.value or 0 for critique in verdict.critiques}
        for name in self._names:
            if applies(name, label):
                self._ratings.setdefault((label, name), Counter())[given.get(name, 0)] += 1

    def matrix(self) -> dict[str, dict[str, int]]:
        """Requested label, or unlabelled, to verified label to count."""
        matrix: dict[str, dict[str, int]] = {}
        for (requested, verified), count in self._pairs.items():
            matrix.setdefault(requested or UNLABELLED, {})[verified] = count
        return matrix

    def agreement(self) -> Estimate | None:
        """Share of the requested labels that were verified; None where none was requested."""
        requested = {pair: count for pair, count in self._pairs.items() if pair[0]}
        same = [float(one == other) for (one, other), count in requested.items() for _ in range(count)]
        return estimate(same) if same else None

    def profile(self) -> tuple[CritiqueProfile, ...]:
        """Every rating over all examples, then over those of each label that it applies to."""
        rows: list[CritiqueProfile] = []
        for row in (ALL, *_NAMES):
            for name in self._names:
                of_labels = [self._ratings.get((label, name)) for label in (_NAMES if row == ALL else (row,))]
                counts = sum(filter(None, of_labels), Counter[int]())
                if any(of_labels):
                    rows.append(_profile(name, row, counts))
        return tuple(rows)


def _profile(name: str, row: str, counts: Counter[int]) -> CritiqueProfile:
    values = [rating or None for rating in (0, *RATINGS) for _ in range(counts[rating])]
    one, two, three, four, five = (counts[rating] for rating in RATINGS)
    return CritiqueProfile(
        critique=name,
        label=row,
        estimate=estimate(values, bounds=_BOUNDS),
        histogram=(one, two, three, four, five),
    )
