"""The order in which documents are visited."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ragassay.corpus.sampling import length_class, spread_order


@given(st.lists(st.sampled_from("abc"), max_size=60), st.integers(0, 5))
def test_every_prefix_has_its_share_of_each_stratum(keys, seed):
    order = spread_order(keys, seed)
    assert sorted(order) == list(range(len(keys)))
    totals = Counter(keys)
    for size in range(1, len(order) + 1):
        seen = Counter(keys[index] for index in order[:size])
        for key, total in totals.items():
            assert abs(seen[key] - size * total / len(keys)) <= len(totals)


def test_same_seed_same_order_other_seed_another():
    keys = [number % 3 for number in range(50)]
    assert spread_order(keys, 1) == spread_order(keys, 1)
    assert spread_order(keys, 1) != spread_order(keys, 2)
    assert spread_order([], 1) == []


def test_length_class_doubles():
    assert [length_class(size) for size in (0, 1, 2, 3, 4, 1023, 1024)] == [0, 0, 1, 1, 2, 9, 10]
