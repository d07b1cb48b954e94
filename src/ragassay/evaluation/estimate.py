"""A mean with what one needs to believe it: its interval and how many items it covers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over examples with its 95 % bootstrap interval.

    value, low, high: None when nothing could be scored.
    n: examples scored; total: examples that should have been. n < total means that some have no value, with reasons.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The paired difference (other minus best) between two configurations on the same examples.

    low, high: 95 % bootstrap interval of the mean difference; p_value: two-sided paired randomisation test.
    """

    other: str
    difference: float
    low: float
    high: float
    p_value: float
    n: int
