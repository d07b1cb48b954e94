"""Many tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for being a family of tests, in their order: reject where the adjusted one is below the level.

    The i-th smallest of m is multiplied by m - i + 1, never falls below the ones before it, and is at most 1.
    Source: Holm 1979.
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = highest
    return adjusted
