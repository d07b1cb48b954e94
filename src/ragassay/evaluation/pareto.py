"""What nothing surpasses in quality at a lower price, or the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def pareto_front(points: Iterable[T], price: Callable[[T], float], quality: Callable[[T], float]) -> list[T]:
    """The points that no other one beats in quality at the same price or less; the cheapest first.

    quality: more is better; those that differ in their last bits alone are equal. Of points that are equal in both, the
    one that is given first: hand them over in the order of preference.
    """
    front: list[T] = []
    for point in sorted(points, key=lambda point: (price(point), -round(quality(point), 12))):
        if not front or round(quality(point), 12) > round(quality(front[-1]), 12):
            front.append(point)
    return front
