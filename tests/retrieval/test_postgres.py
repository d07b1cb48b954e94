"""The store in PostgreSQL: rankings worked out by hand, what stays, and what is refused."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ragassay.errors import InputError, UsageError
from ragassay.retrieval.postgres import PostgresStore

DIMENSION = 24

Make = Callable[[], PostgresStore]


@pytest.fixture(params=["", ":hnsw"])
def make(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[Make]:
    """Opens the store; again, it is what is left of the first one."""
    opened: list[PostgresStore] = []

    def new() -> PostgresStore:
        opened.append(PostgresStore(postgres_url + request.param))
        return opened[-1]

    yield new
    new().drop()
    for store in opened:
        store.close()


def unit(n: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((n, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("make", [""], indirect=True)
def test_dense_search_is_the_one_worked_out_by_hand(make: Make) -> None:
    vectors, asked = unit(150, 0), unit(8, 1)
    vectors[2::3] = vectors[0::3]
    asked[0] = vectors[0]  # its nearest are alike: the first place comes first
    store = make()
    store.fill((vectors[begin : begin + 40] for begin in range(0, 150, 40)), "x")
    for question in asked:
        scores = [
            round(math.fsum(float(a) * float(b) for a, b in zip(vector, question, strict=True)), 6)
            for vector in vectors
        ]
        ranked = sorted(enumerate(scores), key=lambda pair: (-pair[1], pair[0]))
        for k in (1, 5, 400):
            found = store.nearest(question, k)
            assert [place for place, _ in found] == [place for place, _ in ranked[:k]]
            assert [score for _, score in found] == pytest.approx([score for _, score in ranked[:k]], abs=1.1e-6)


@pytest.mark.parametrize("make", [":hnsw"], indirect=True)
def test_approximate_search_finds_nearly_all(make: Make) -> None:
    """Recall@10 against exact search, on vectors in clusters, as those of texts are."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((40, DIMENSION))
    both = centres[random.integers(0, 40, 3100)] + 0.7 * random.standard_normal((3100, DIMENSION))
    both = (both / np.linalg.norm(both, axis=1, keepdims=True)).astype(np.float32)
    vectors, asked = both[:3000], both[3000:]
    store = make()
    store.fill([vectors], "x")
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :10].tolist()
    found = [{place for place, _ in store.nearest(question, 10)} for question in asked]
    assert np.mean([len(each & set(rows)) / 10 for each, rows in zip(found, exact, strict=True)]) >= 0.97


def test_what_was_filled_in_stays_until_it_is_filled_anew(make: Make) -> None:
    (question,) = unit(1, 1)
    store = make()
    assert store.fingerprint == ""
    store.fill([unit(13, 0), unit(17, 2)], "first")
    again = make()
    assert again.fingerprint == "first"
    assert again.nearest(question, 6) == store.nearest(question, 6)

    def torn() -> Iterator[np.ndarray]:
        yield unit(10, 8)
        raise RuntimeError("the documents end here")

    with pytest.raises(RuntimeError):
        again.fill(torn(), "torn")
    with pytest.raises(ValueError, match="the vector of chunk 0 has length 2, not 1"):
        again.fill([2 * unit(3, 0)], "long")
    assert make().fingerprint == "first"
    again.fill([unit(12, 7)], "second")
    assert make().fingerprint == "second"
    assert {place for place, _ in again.nearest(question, 50)} == set(range(12))


def test_a_server_that_is_not_there_and_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as raised:
        PostgresStore("postgresql://me:secret@127.0.0.1:1/none")
    assert "no connection to postgresql://127.0.0.1/none" in str(raised.value)
    assert "secret" not in str(raised.value)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'ragassay\[pgvector\]'"):
        PostgresStore("postgresql://localhost/x")
