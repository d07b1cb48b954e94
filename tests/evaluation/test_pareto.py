"""The front, from points whose front one sees."""

from __future__ import annotations

from ragassay.evaluation.aggregate import pareto_front

Point = tuple[str, float, float]


def front(points: list[Point]) -> str:
    return "".join(name for name, _, _ in pareto_front(points, lambda point: point[1], lambda point: point[2]))


def test_the_front_holds_what_nothing_surpasses_at_the_same_price_or_less() -> None:
    points = [("a", 100.0, 0.5), ("b", 200.0, 0.4), ("c", 300.0, 0.7), ("d", 300.0, 0.6), ("e", 400.0, 0.7)]
    assert front(points) == front(points[::-1]) == "ac"
    assert front([]) == ""


def test_of_equal_points_the_first_is_on_it() -> None:
    assert front([("b", 1.0, 0.3), ("a", 1.0, 0.3)]) == "b"
    assert front([("a", 1.0, 0.1 + 0.2), ("b", 2.0, 0.3), ("c", 0.5, 0.3)]) == "c"  # 0.1 + 0.2 is not above 0.3
