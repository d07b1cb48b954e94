"""The first figures of a page: none of too few questions, none of few without its interval."""

from __future__ import annotations

import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.report.tiles import headline_figure, problems_tile, score_tile, worst_tile


def mean(value: float | None, n: int) -> Estimate:
    return Estimate(value=value, low=0.1, high=0.9, n=n, total=n)


@pytest.mark.parametrize(
    ("n", "value", "note"),
    [(4, "too few to tell", "0.500, n\u00a0=\u00a04"), (5, "0.500", "0.10–0.90, n\u00a0=\u00a05")],
)
def test_a_score_has_its_interval_or_is_of_too_few(n: int, value: str, note: str) -> None:
    tile = score_tile("Recall", mean(0.5, n))
    assert tile.value == value
    assert tile.note.endswith(note)


def test_the_worst_group_is_one_of_those_with_enough_questions() -> None:
    groups = {"a": mean(0.1, 4), "b": mean(0.7, 5), "c": mean(0.4, 9), "d": mean(None, 9), "e": None}
    assert [tile.value for sign in (1, -1) for tile in worst_tile(groups, sign)] == ["c 0.400", "b 0.700"]
    (few,) = worst_tile({"a": mean(0.1, 4), "b": mean(0.7, 5)}, 1)
    assert few.value == "too few to tell"
    assert not [*worst_tile({"a": mean(1, 9), "b": mean(1, 5)}, 1)]  # none is worse than another


def test_a_headline_of_few_has_its_interval() -> None:
    assert headline_figure(mean(0.5, 20)) == "0.500"
    assert headline_figure(mean(0.5, 19)).startswith("0.500 (0.10–0.90")


def test_the_gravest_problem_comes_first() -> None:
    assert problems_tile([(0, "a", ""), (1, "b", ""), (2, "c", "")])[1:] == ("1 b", "2 cs")
    assert problems_tile([(0, "a", "")]).value == "none"
