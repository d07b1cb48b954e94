from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.judging.labelling import MOST_ITEMS, MOST_PARTS, Extent, extent_of, odds_of


@pytest.mark.parametrize(
    ("answer", "parts", "items"),
    [
        ("May.", 0, 0),
        ("Bread and butter.", 0, 0),
        ("Bread, butter and jam.", 0, 1),
        ("Open the door. Lower the ramp.", 1, 0),
        ("Lifts, meals and skis; not the coach.", 1, 1),
        ("First\nsecond\nthird", 2, 0),
        ("a, b, c, d, e, f, g, h and i", 0, MOST_ITEMS),
        ("One. " * 20, MOST_PARTS, 0),
    ],
)
def test_sentences_and_the_items_of_the_longest_list_are_counted(answer: str, parts: int, items: int) -> None:
    assert extent_of(answer) == Extent(1, parts, items, math.log(len(answer.split())))


def test_no_answer_says_nothing() -> None:
    assert extent_of(" \n") == Extent()
    assert odds_of("") == 0


@given(st.text(max_size=200))
def test_any_text_has_an_extent(answer: str) -> None:
    found = extent_of(answer)
    assert 0 <= found.parts <= MOST_PARTS
    assert 0 <= found.items <= MOST_ITEMS
    assert math.isfinite(odds_of(answer))


def test_the_more_an_answer_says_the_likelier_it_sums_up() -> None:
    assert odds_of("Bread, butter, jam, honey and cheese.") > odds_of("Bread on all of the tables.")
    assert odds_of("It was built. It was sold. It sank.") > odds_of("It was built in that very place.")
