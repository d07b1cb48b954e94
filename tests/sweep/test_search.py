"""Random search is a matter of its seed."""

from __future__ import annotations

import pytest

from ragassay.errors import UsageError
from ragassay.rag.space import Search, Space, tried


def test_random_search_is_a_matter_of_its_seed() -> None:
    space, search = Space(), Search(method="random", n=5)
    drawn, total = tried(search, space, 1)
    assert len(set(drawn)) == 5
    assert (set(drawn) < set(space.settings()), total) == (True, len(space.settings()))
    assert drawn != tried(search, space, 2)[0]
    assert tried(Search(method="random", n=500), space, 1)[0] == space.settings()


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
