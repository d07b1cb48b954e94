"""A measure of agreement, or None with the reason why it cannot be worked out."""

from __future__ import annotations

from typing import NamedTuple


class Measure(NamedTuple):
    """value: None where the measure is undefined; ``reason`` then says why. n: items that it rests on."""

    value: float | None
    n: int
    reason: str | None = None


def defined(value: float, n: int) -> Measure:
    return Measure(float(value), n)


def undefined(reason: str, n: int = 0) -> Measure:
    return Measure(None, n, reason)
