"""The order in which documents are visited."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ragassay.corpus.store import spread_order


@given(st.lists(st.sampled_from("abc"), max_size=60), st.integers(0, 5))
def test_every_prefix_has_its_share_of_each_stratum(keys, seed):
    order = spread_order(keys, seed)
    assert sorted(order) == list(range(len(keys)))
    totals = Counter(keys)
    for size in range(1, len(order) + 1):
        seen = Counter(keys[index] for index in order[:size])
        for key, total in totals.items():
            assert abs(seen[key] - size * total / len(keys)) <= len(totals)
