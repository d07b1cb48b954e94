"""A measure of agreement, or None with the reason why it cannot be worked out; bare, and with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ragassay.evaluation.estimate import Estimate


class Measure(NamedTuple):
    """value: None where the measure is undefined; ``reason`` then says why. n: items that it rests on."""

    value: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureEstimate(Estimate):
    """A measure over items with its 95 % interval. reason: why it has no value, or none of its bounds."""

    reason: str | None = None


def defined(value: float, n: int) -> Measure:
    return Measure(float(value), n)


def undefined(reason: str, n: int = 0) -> Measure:
    return Measure(None, n, reason)


def without_interval(measure: Measure, total: int, reason: str | None = None) -> MeasureEstimate:
    """Return a measure as it is. reason: why it has no interval, where it has a value."""
    why = measure.reason if measure.value is None else reason
    return MeasureEstimate(value=measure.value, low=None, high=None, n=measure.n, total=total, reason=why)
