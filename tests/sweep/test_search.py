"""Random search is a matter of its seed."""

from __future__ import annotations

import pytest

from ragassay.errors import UsageError
from ragassay.rag.space import Space
from ragassay.sweep.search import Search, first_settings, tried

LABELS = ["fact_single"] * 90 + ["summary"] * 60 + ["unanswerable"] * 30


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
    for search in (Search(), Search(method="random", n=10**6)):
        with pytest.raises(UsageError, match="grid: has 999,900,000,000 combinations; give fewer values"):
            tried(search, space, seed=1)
    few = Space()  # six text weights with three sizes
    assert tried(Search(), few, seed=0) == (few.settings(), len(few.settings()))
