"""Random search and successive halving: seeded, nested, even over the labels."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ragassay.errors import UsageError
from ragassay.rag.space import Space
from ragassay.sweep.search import Search, first_settings, rounds, tried

LABELS = ["fact_single"] * 90 + ["summary"] * 60 + ["unanswerable"] * 30


def test_a_grid_is_one_round_over_everything() -> None:
    assert first_settings(Search(), list(range(9)), seed=0) == list(range(9))
    (only,) = rounds(Search(), 9, LABELS, seed=0)
    assert only.settings == 9
    assert only.questions.tolist() == list(range(180))


def test_random_search_is_a_matter_of_its_seed() -> None:
    search = Search(method="random", n=5)
    drawn = first_settings(search, list(range(100)), seed=1)
    assert len(set(drawn)) == 5
    assert drawn == sorted(drawn) == first_settings(search, list(range(100)), seed=1)
    assert drawn != first_settings(search, list(range(100)), seed=2)
    assert first_settings(Search(method="random", n=500), [1, 2], seed=1) == [1, 2]


def test_a_space_of_any_size_is_drawn_from_without_a_list_of_it() -> None:
    weights = tuple(number / 10_000 for number in range(1, 10_000))
    space = Space(text_weight=weights, top_k=tuple(range(1, 10_001)), chunk_size=tuple(range(100, 10_100)))
    assert space.combinations == 9_999 * 10_000 * 10_000
    drawn, total = tried(Search(method="random", n=20), space, seed=1)
    assert (len(set(drawn)), total) == (20, space.combinations)
    assert (drawn, total) == tried.__wrapped__(Search(method="random", n=20), space, seed=1)
    assert drawn != tried(Search(method="random", n=20), space, seed=2)[0]
    for search in (Search(), Search(method="halving"), Search(method="random", n=10**6)):
        with pytest.raises(UsageError, match="grid: has 999,900,000,000 combinations; give fewer values"):
            tried(search, space, seed=1)
    few = Space()  # six text weights with three sizes
    assert tried(Search(), few, seed=0) == (few.settings(), len(few.settings()))


def test_halving_asks_ever_fewer_settings_ever_more_questions() -> None:
    found = rounds(Search(method="halving", keep_one_in=3, least_questions=20), 27, LABELS, seed=0)
    # 180 questions: 180 / 9 = 20 is the least; 27, 9, 3 settings
    assert [(each.settings, len(each.questions)) for each in found] == [(27, 20), (9, 60), (3, 180)]
    for before, after in pairwise(found):
        assert set(before.questions.tolist()) <= set(after.questions.tolist())
    for each in found:
        counts = Counter(LABELS[row] for row in each.questions.tolist())
        for label in set(LABELS):  # as often as in all questions, up to one
            assert abs(counts[label] - LABELS.count(label) * len(each.questions) / 180) <= 1
    again = rounds(Search(method="halving", keep_one_in=3, least_questions=20), 27, LABELS, seed=0)
    assert all(np.array_equal(one.questions, other.questions) for one, other in zip(found, again, strict=True))
