"""Every item has its annotators, and nobody has much more to do than the others."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.errors import UsageError
from ragassay.people.annotation.store import assign, is_swapped


@given(st.integers(0, 60), st.integers(1, 6), st.data())
def test_overlap_and_loads(n_items: int, n_annotators: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(1, n_annotators))
    names = [f"a{number}" for number in range(n_annotators)]
    places = assign(n_items, names, overlap, seed=data.draw(st.integers(0, 5)))
    for item in range(n_items):
        assert sum(item in own for own in places.values()) == overlap
    assert all(len(set(own)) == len(own) for own in places.values())
    loads = [len(own) for own in places.values()]
    assert max(loads) - min(loads) <= 1


def test_the_seed_decides_and_orders_differ() -> None:
    first = assign(30, ["ana", "ben"], 2, seed=1)
    assert first == assign(30, ["ana", "ben"], 2, seed=1)
    assert first != assign(30, ["ana", "ben"], 2, seed=2)
    assert first["ana"] != first["ben"]
    in_order = assign(30, ["ana", "ben"], 1, seed=1, in_order=True)
    assert all(own == sorted(own) for own in in_order.values())
    assert sorted(in_order["ana"] + in_order["ben"]) == list(range(30))


@given(st.integers(0, 20))
def test_people_who_have_done_a_few_have_those_in_common(seed: int) -> None:
    places = assign(6, ["ana", "ben"], 2, seed=seed)
    assert len(set(places["ana"][:3]) & set(places["ben"][:3])) >= 2
    of_three = assign(60, ["ana", "ben", "cy"], 2, seed=seed)
    done = [set(own[:12]) for own in of_three.values()]
    assert all(len(one & other) >= 3 for one, other in combinations(done, 2))


def test_about_half_of_the_pairs_are_swapped() -> None:
    swapped = sum(is_swapped(0, "ana", f"q{number}") for number in range(400))
    assert 160 < swapped < 240
    assert is_swapped(0, "ana", "q1") == is_swapped(0, "ana", "q1")


@pytest.mark.parametrize(
    ("names", "overlap", "said"),
    [
        (["ana", "ana"], 1, "--annotators: must be different names, not ana, ana"),
        ([], 1, "--annotators: must be different names, not none"),
        (["ana"], 2, "--overlap: must be between 1 and the"),
        (["ana"], 0, "--overlap: must be between 1 and the"),
        (["a/b"], 1, "invalid name 'a/b'; use at most 60 letters, digits, spaces and . _ @ -"),
        ([""], 1, "invalid name ''; use at most 60 letters, digits, spaces and . _ @ -"),
    ],
)
def test_what_cannot_be_assigned_is_said(names: list[str], overlap: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        assign(3, names, overlap, seed=0)
