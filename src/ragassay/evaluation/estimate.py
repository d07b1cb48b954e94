"""A mean with what one needs to believe it: its interval, how that was made, and how many items it covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


def method_named(name: Literal["Wilson with t", "t", "bootstrap"], scope: str = "") -> str:
    """How an interval was made, over a scope as ``aggregate.py`` names both: ``t over documents``.

    Wilson with t: Wilson's score interval with Student's t in the place of z, which is always wider.
    """
    return f"{name} {scope}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over examples with its 95 % interval.

    value, low, high: None when nothing could be scored; low, high: also for values without bounds that do not differ.
    n: examples scored; total: examples that should have been. n < total means that some have no value, with reasons.
    method: of the interval, as ``method_named`` has it; None where there is none, and in earlier runs, which may say
    "Wilson" for the same method.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    total: int
    method: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The paired difference (other minus best) between two settings on the same examples.

    low, high: 95 % interval of the mean difference. p_value: two-sided, by the same method: below 0.05 exactly if the
    interval leaves 0 out. p_adjusted: after Holm over the family; None in earlier runs, whose p_value is that one.
    """

    other: str
    difference: float
    low: float
    high: float
    p_value: float
    n: int
    p_adjusted: float | None = None
    method: str | None = None

    @property
    def p_of_family(self) -> float:
        """What decides whether it differs: the p-value after Holm."""
        return self.p_value if self.p_adjusted is None else self.p_adjusted
