"""The store in PostgreSQL: rankings worked out by hand, what stays, and what is refused."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ragassay.errors import InputError, UsageError
from ragassay.retrieval.postgres import ChunkBatch, Hit, PostgresStore

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


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def chunks(n: int, seed: int = 0) -> ChunkBatch:
    """Chunks of which some are alike, with ids in no order."""
    random = np.random.default_rng(seed)
    vectors = unit(random.standard_normal((n, DIMENSION)))
    for place in range(0, n - 3, 3):
        vectors[place + 2] = vectors[place]
    return ChunkBatch([f"chunk-{number:05}" for number in random.permutation(n)], vectors)


def parts(batch: ChunkBatch, size: int) -> Iterator[ChunkBatch]:
    for begin in range(0, len(batch.ids), size):
        yield ChunkBatch(*(column[begin : begin + size] for column in batch))


def questions(n: int, seed: int = 1) -> np.ndarray:
    return unit(np.random.default_rng(seed).standard_normal((n, DIMENSION)))


def dense_by_hand(batch: ChunkBatch, question: np.ndarray, k: int) -> list[Hit]:
    """Sums of float64 products, one after the other, rounded; by score, then id."""
    scores = [
        round(math.fsum(float(a) * float(b) for a, b in zip(vector, question, strict=True)), 6)
        for vector in batch.vectors
    ]
    ranked = sorted(zip(batch.ids, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return [Hit(*pair) for pair in ranked[:k]]


@pytest.mark.parametrize("make", [""], indirect=True)
def test_dense_search_is_the_one_worked_out_by_hand(make: Make) -> None:
    batch = chunks(150)
    store = make()
    store.fill(parts(batch, 40))
    assert len(store) == 150
    vectors = questions(8)
    vectors[0] = batch.vectors[0]  # its nearest are alike: ties go by id
    for k in (1, 5, 150, 400):
        for found, vector in zip(store.dense(vectors, k), vectors, strict=True):
            by_hand = dense_by_hand(batch, vector, k)
            assert [hit.id for hit in found] == [hit.id for hit in by_hand]
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in by_hand], abs=1.1e-6)


@pytest.mark.parametrize("make", [""], indirect=True)
def test_ties_go_by_id(make: Make) -> None:
    one = unit(np.ones((1, DIMENSION)))
    ids = [f"c{number:03}" for number in np.random.default_rng(0).permutation(100)]
    store = make()
    store.fill([ChunkBatch(ids, np.repeat(one, 100, axis=0))])
    assert [hit.id for hit in store.dense(one, 5)[0]] == ["c000", "c001", "c002", "c003", "c004"]


@pytest.mark.parametrize("make", [":hnsw"], indirect=True)
def test_approximate_search_finds_nearly_all(make: Make) -> None:
    """Recall@10 against exact search, on vectors in clusters, as those of texts are."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((40, DIMENSION))
    vectors = unit(centres[random.integers(0, 40, 3000)] + 0.7 * random.standard_normal((3000, DIMENSION)))
    asked = unit(centres[random.integers(0, 40, 100)] + 0.7 * random.standard_normal((100, DIMENSION)))
    store = make()
    store.fill([ChunkBatch([f"c{number}" for number in range(3000)], vectors)])
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :10]
    pairs = zip(store.dense(asked, 10), exact.tolist(), strict=True)
    shares = [len({hit.id for hit in found} & {f"c{row}" for row in rows}) / 10 for found, rows in pairs]
    assert np.mean(shares) >= 0.97, f"recall@10 {np.mean(shares):.3f}"


def test_what_was_filled_in_stays_until_it_is_filled_anew(make: Make) -> None:
    vectors = questions(2)
    store = make()
    assert (len(store), store.fingerprint) == (0, "")
    assert store.dense(vectors, 3) == [[], []]
    store.fill(parts(chunks(30), 13), "first")
    again = make()
    assert (len(again), again.fingerprint) == (30, "first")
    assert again.dense(vectors, 6) == store.dense(vectors, 6)

    def torn() -> Iterator[ChunkBatch]:
        yield chunks(10, seed=8)
        raise RuntimeError("the documents end here")

    with pytest.raises(RuntimeError):
        again.fill(torn(), "torn")
    assert make().fingerprint == "first"
    again.fill([chunks(12, seed=7)], "second")
    assert (len(again), again.fingerprint) == (12, "second")
    assert {hit.id for hit in again.dense(vectors, 50)[0]} == set(chunks(12, seed=7).ids)


def test_what_does_not_fit_is_refused_and_hostile_ids_are_ids(make: Make) -> None:
    store, batch = make(), chunks(4)
    with pytest.raises(InputError, match="two chunks have the id"):
        store.fill([batch, batch])
    with pytest.raises(ValueError, match="the vector of chunk 0 has length 2, not 1"):
        store.fill([batch._replace(vectors=2 * batch.vectors)])
    ids = ["'; DROP TABLE x; --", "a\tb\n\\.", "%s {name}", "ü"]
    store.fill([ChunkBatch(ids, batch.vectors)])
    assert {hit.id for hit in store.dense(batch.vectors[:1], 9)[0]} == set(ids)


def test_a_server_that_is_not_there_and_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as raised:
        PostgresStore("postgresql://me:secret@127.0.0.1:1/none")
    assert "no connection to postgresql://127.0.0.1/none" in str(raised.value)
    assert "secret" not in str(raised.value)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'ragassay\[pgvector\]'"):
        PostgresStore("postgresql://localhost/x")
