"""What is chosen among settings: the highest mean of enough questions; equal ones by preference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ragassay.rag.setting import Setting
from ragassay.sweep.search import Rows
from ragassay.sweep.values import SettingValues, Values

T = TypeVar("T")

LEAST_COVERAGE = 0.95
REASONS_NAMED = 3


def ranked(
    tried: Iterable[T],
    values: Callable[[T], Values],
    preference: Callable[[T], tuple[Any, ...]],
    *,
    higher_is_better: bool = True,
) -> list[T]:
    """Those that have any value, the best mean first, equal ones by preference (smaller first).

    Means that differ only in their last bits are equal.
    """
    sign = -1 if higher_is_better else 1
    columns = ((each, values(each)) for each in tried)
    means = [(each, round(float(np.nanmean(of)), 12)) for each, of in columns if not np.isnan(of).all()]
    return [each for each, mean in sorted(means, key=lambda pair: (sign * pair[1], *preference(pair[0])))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A setting with too few values to be chosen on a label.

    n: questions with a value, of total, those for which any setting has one. reasons: of all its missing values of the
    deciding metric, with counts, the most frequent first.
    """

    label: str
    setting: Setting
    n: int
    total: int
    reasons: Mapping[str, int]

    @property
    def why(self) -> str:
        """The reasons in words; those beyond a few are counted."""
        order = list(self.reasons.items())
        named = [f"{reason} ({n})" for reason, n in order[:REASONS_NAMED]]
        more = sum(n for _, n in order[REASONS_NAMED:])
        return "; ".join([*named, *([f"others ({more})"] if more else [])])


class Coverage:
    """How many of the questions that have a value of a metric at all a setting has one for.

    A question without a value for any setting, as one without a reference, says nothing about any of them: it is left
    out. One that some setting has a value for could have been scored: a setting without it has failed there, and the
    mean of the others stands for an easier set of questions.
    """

    def __init__(self, values: Iterable[SettingValues], metric: str, n_questions: int, least: float) -> None:
        """least: share of the questions from which a setting takes part."""
        self._metric = metric
        self._least = least
        self._defined = np.zeros(n_questions, dtype=bool)
        for each in values:
            self._defined[each.rows] |= ~np.isnan(each.metrics[metric])

    def of(self, each: SettingValues, rows: Rows) -> tuple[int, int]:
        """Questions with a value, and those that any setting has one for."""
        known = ~np.isnan(each.on(self._metric, rows))
        return int(known.sum()), int(self._defined[rows].sum())

    def reaches(self, each: SettingValues, rows: Rows) -> bool:
        """Whether a setting takes part."""
        n, total = self.of(each, rows)
        return n > 0 and n >= self._least * total - 1e-9  # 0.95 of 20 is 19, whatever the last bits say

    def uncovered(self, each: SettingValues, label: str, rows: Rows) -> Uncovered:
        n, total = self.of(each, rows)
        reasons = sorted(each.reasons.get(self._metric, {}).items(), key=lambda item: (-item[1], item[0]))
        return Uncovered(label=label, setting=each.setting, n=n, total=total, reasons=dict(reasons))
