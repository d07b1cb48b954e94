"""The store in PostgreSQL: rankings worked out by hand, what stays, and what is refused."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ragassay.errors import InputError, UsageError
from ragassay.retrieval.postgres import ChunkBatch, Hit, PostgresStore
from ragassay.retrieval.tokens import Analyzer, question_terms

WORDS = "pump valve gauge motor filter sensor panel cable switch relay tank pipe ferry pier lamp rope".split()
DIMENSION = 24

Make = Callable[[], PostgresStore]


@pytest.fixture(params=["", ":hnsw"])
def make(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[Make]:
    """Opens the store, exact or approximate; again, it is what is left of the first one."""
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
    """Chunks of which some are alike in text and vector, with ids in no order."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, size=random.integers(3, 12))) for _ in range(n)]
    vectors = unit(random.standard_normal((n, DIMENSION)))
    for place in range(0, n - 3, 3):
        texts[place + 2], vectors[place + 2] = texts[place], vectors[place]
    return ChunkBatch([f"chunk-{number:05}" for number in random.permutation(n)], texts, vectors)


def parts(batch: ChunkBatch, size: int) -> Iterator[ChunkBatch]:
    for begin in range(0, len(batch.ids), size):
        yield ChunkBatch(*(column[begin : begin + size] for column in batch))


def questions(n: int, seed: int = 1) -> tuple[list[str], np.ndarray]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size=3)) for _ in range(n)], unit(random.standard_normal((n, DIMENSION)))


def dense_by_hand(batch: ChunkBatch, question: np.ndarray, k: int) -> list[Hit]:
    """Sums of float64 products, one after the other, rounded; by score, then id."""
    scores = [
        round(math.fsum(float(a) * float(b) for a, b in zip(vector, question, strict=True)), 6)
        for vector in batch.vectors
    ]
    ranked = sorted(zip(batch.ids, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return [Hit(*pair) for pair in ranked[:k]]


def lexical_by_hand(batch: ChunkBatch, question: str, k: int) -> list[tuple[str, float]]:
    """BM25 as the formula says it, in float64."""
    analyzer = Analyzer("en")
    terms = [Counter(question_terms(analyzer, text)) for text in batch.texts]
    n, mean = len(terms), sum(sum(of_chunk.values()) for of_chunk in terms) / len(terms)
    scores = []
    for chunk_id, of_chunk in zip(batch.ids, terms, strict=True):
        score = 0.0
        for term in question_terms(analyzer, question):
            holding, tf = sum(term in others for others in terms), of_chunk[term]
            if tf:
                idf = math.log1p((n - holding + 0.5) / (holding + 0.5))
                score += idf * tf / (tf + 1.2 * (0.25 + 0.75 * sum(of_chunk.values()) / mean))
        if score:
            scores.append((chunk_id, score))
    return sorted(scores, key=lambda pair: (-round(pair[1], 9), pair[0]))[:k]


@pytest.mark.parametrize("make", [""], indirect=True)
def test_dense_search_is_the_one_worked_out_by_hand_to_the_last_bit(make: Make) -> None:
    batch = chunks(150)
    store = make()
    store.fill(parts(batch, 40))
    assert len(store) == 150
    _, vectors = questions(8)
    vectors[0] = batch.vectors[0]  # its nearest are alike: ties go by id
    for k in (1, 5, 150, 400):
        assert store.dense(vectors, k) == [dense_by_hand(batch, vector, k) for vector in vectors]


@pytest.mark.parametrize("make", [""], indirect=True)
def test_more_ties_than_are_looked_at_first(make: Make) -> None:
    one = unit(np.ones((1, DIMENSION)))
    ids = [f"c{number:03}" for number in np.random.default_rng(0).permutation(100)]
    store = make()
    store.fill([ChunkBatch(ids, ["pump"] * 100, np.repeat(one, 100, axis=0))])
    assert [hit.id for hit in store.dense(one, 5)[0]] == ["c000", "c001", "c002", "c003", "c004"]
    assert [hit.id for hit in store.lexical(["pump"], 3)[0]] == ["c000", "c001", "c002"]


@pytest.mark.parametrize("make", [":hnsw"], indirect=True)
def test_approximate_search_finds_nearly_all(make: Make) -> None:
    """Recall@10 against exact search, on vectors in clusters, as those of texts are."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((40, DIMENSION))
    vectors = unit(centres[random.integers(0, 40, 3000)] + 0.7 * random.standard_normal((3000, DIMENSION)))
    asked = unit(centres[random.integers(0, 40, 100)] + 0.7 * random.standard_normal((100, DIMENSION)))
    store = make()
    store.fill([ChunkBatch([f"c{number}" for number in range(3000)], ["pump"] * 3000, vectors)])
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :10]
    pairs = zip(store.dense(asked, 10), exact.tolist(), strict=True)
    shares = [len({hit.id for hit in found} & {f"c{row}" for row in rows}) / 10 for found, rows in pairs]
    assert np.mean(shares) >= 0.97, f"recall@10 {np.mean(shares):.3f}"


def test_lexical_search_is_bm25(make: Make) -> None:
    batch = chunks(60)
    store = make()
    store.fill([batch])
    asked, _ = questions(12)
    asked += ["pump pump pump", "the of", "", "unheard words", "PUMP-VALVE ferry's"]
    for question, found in zip(asked, store.lexical(asked, 7), strict=True):
        expected = lexical_by_hand(batch, question, 7)
        assert [hit.id for hit in found] == [chunk_id for chunk_id, _ in expected]
        assert [hit.score for hit in found] == pytest.approx([score for _, score in expected], abs=1e-5)


def test_what_was_filled_in_stays_until_it_is_filled_anew(make: Make) -> None:
    asked, vectors = questions(2)
    store = make()
    assert (len(store), store.fingerprint) == (0, "")
    assert store.dense(vectors, 3) == store.lexical(asked, 3) == [[], []]
    store.fill(parts(chunks(30), 13), "first")
    again = make()
    assert (len(again), again.fingerprint) == (30, "first")
    assert (again.dense(vectors, 6), again.lexical(asked, 6)) == (store.dense(vectors, 6), store.lexical(asked, 6))

    def torn() -> Iterator[ChunkBatch]:
        yield chunks(10, seed=8)
        raise RuntimeError("the documents end here")

    with pytest.raises(RuntimeError):
        again.fill(torn(), "torn")
    assert make().fingerprint == "first"
    again.fill([chunks(12, seed=7)], "second")
    assert (len(again), again.fingerprint) == (12, "second")
    assert {hit.id for hit in again.dense(vectors, 50)[0]} == set(chunks(12, seed=7).ids)


def test_what_does_not_fit_is_refused_and_hostile_text_is_text(make: Make) -> None:
    store, batch = make(), chunks(4)
    with pytest.raises(InputError, match="two chunks have the id"):
        store.fill([batch, batch])
    with pytest.raises(ValueError, match="the vector of chunk 0 has length 2, not 1"):
        store.fill([batch._replace(vectors=2 * batch.vectors)])
    hostile = ["'; DROP TABLE ragassay_chunks; --", "a\tb\nc\\N \\", "nul \0 pump", "half \ud800 pump"]
    ids = ["'; DROP TABLE x; --", "a\tb\n\\.", "%s {name}", "ü"]
    store.fill([ChunkBatch(ids, hostile, batch.vectors)])
    assert {hit.id for hit in store.dense(batch.vectors[:1], 9)[0]} == set(ids)
    assert {hit.id for hit in store.lexical(["pump"], 9)[0]} == {"%s {name}", "ü"}
    assert store.lexical(["drop table 'x'; --"], 9)[0][0].id == "'; DROP TABLE x; --"


def test_a_server_that_is_not_there_and_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as raised:
        PostgresStore("postgresql://me:secret@127.0.0.1:1/none")
    assert "no connection to postgresql://127.0.0.1/none" in str(raised.value)
    assert "secret" not in str(raised.value)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'ragassay\[pgvector\]'"):
        PostgresStore("postgresql://localhost/x")
