"""One suite for all stores: the same rankings on the same data, exact ones to the last bit, approximate ones nearly."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from ragassay.errors import InputError, UsageError
from ragassay.retrieval.stores import nearest as nearest_module
from ragassay.retrieval.stores.base import ChunkBatch, Hit, Store
from ragassay.retrieval.stores.mapped import MappedStore
from ragassay.retrieval.stores.memory import MemoryStore
from ragassay.retrieval.stores.opening import open_store
from ragassay.retrieval.tokens import Analyzer, question_terms

WORDS = "pump valve gauge motor filter sensor panel cable switch relay tank pipe ferry pier lamp rope".split()
DIMENSION = 24
EXACT = ["memory", "mapped", "faiss", "postgres"]
APPROXIMATE = ["faiss:hnsw", "postgres:hnsw"]

Make = Callable[[], Store]


@pytest.fixture
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Opens the store of a kind; again, it is what is left of the first one where that stays."""
    kind = request.param
    opened: list[Store] = []
    if kind.startswith("faiss"):
        pytest.importorskip("faiss", reason="faiss is not installed")
    name = {"mapped": f"mapped:{tmp_path / 'store'}"}.get(kind, kind)
    if kind.startswith("postgres"):
        name = request.getfixturevalue("postgres_url") + kind.removeprefix("postgres")

    def new() -> Store:
        opened.append(open_store(name))
        return opened[-1]

    yield new
    if kind.startswith("postgres"):
        with open_store(name) as last:
            last.drop()  # type: ignore[attr-defined]
    for store in opened:
        store.close()


every_exact_store = pytest.mark.parametrize("make", EXACT, indirect=True)
every_store = pytest.mark.parametrize("make", EXACT + APPROXIMATE, indirect=True)
every_approximate_store = pytest.mark.parametrize("make", APPROXIMATE, indirect=True)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def chunks(n: int, seed: int = 0, *, repeats: bool = True) -> ChunkBatch:
    """Chunks of which some are alike in text and vector, with ids in no order."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, size=random.integers(3, 12))) for _ in range(n)]
    vectors = unit(random.standard_normal((n, DIMENSION)))
    if repeats:
        for place in range(0, n - 3, 3):
            texts[place + 2], vectors[place + 2] = texts[place], vectors[place]
    ids = [f"chunk-{number:05}" for number in random.permutation(n)]
    return ChunkBatch(ids, texts, vectors)


def parts(batch: ChunkBatch, size: int) -> Iterator[ChunkBatch]:
    for begin in range(0, len(batch.ids), size):
        end = begin + size
        yield ChunkBatch(batch.ids[begin:end], batch.texts[begin:end], batch.vectors[begin:end])


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
    n, mean = len(terms), sum(sum(each.values()) for each in terms) / len(terms)
    scores = []
    for chunk_id, of_chunk in zip(batch.ids, terms, strict=True):
        score = 0.0
        for term in question_terms(analyzer, question):
            holding = sum(term in each for each in terms)
            tf = of_chunk[term]
            length = sum(of_chunk.values())
            if tf:
                idf = math.log1p((n - holding + 0.5) / (holding + 0.5))
                score += idf * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean))
        if score:
            scores.append((chunk_id, score))
    return sorted(scores, key=lambda pair: (-round(pair[1], 9), pair[0]))[:k]


@every_exact_store
def test_dense_search_is_the_one_worked_out_by_hand_to_the_last_bit(make: Make) -> None:
    batch = chunks(150)
    store = make()
    assert store.is_exact
    store.fill(parts(batch, 40))
    assert len(store) == 150
    _, vectors = questions(8)
    vectors[0] = batch.vectors[0]  # its nearest are alike: ties go by id
    for k in (1, 5, 150, 400):
        found = store.dense(vectors, k)
        assert found == [dense_by_hand(batch, vector, k) for vector in vectors]
    tied = store.dense(vectors[:1], 3)[0]
    assert tied[0].score == tied[1].score == 1.0
    assert tied[0].id < tied[1].id


@every_store
def test_lexical_search_is_bm25(make: Make) -> None:
    batch = chunks(60)
    store = make()
    store.fill([batch])
    asked, _ = questions(12)
    for question, found in zip(asked, store.lexical(asked, 7), strict=True):
        expected = lexical_by_hand(batch, question, 7)
        assert [hit.id for hit in found] == [chunk_id for chunk_id, _ in expected]
        assert [hit.score for hit in found] == pytest.approx([score for _, score in expected], abs=1e-5)


@every_store
def test_lexical_search_is_the_same_in_all_stores_to_the_last_bit(make: Make) -> None:
    batch = chunks(300, seed=4)
    asked, _ = questions(40, seed=5)
    asked += ["pump pump pump", "the of", "", "unheard words", "PUMP-VALVE ferry's"]
    store, reference = make(), MemoryStore()
    store.fill(parts(batch, 100))
    reference.fill([batch])
    assert store.lexical(asked, 20) == reference.lexical(asked, 20)
    assert store.lexical(asked, 1) == reference.lexical(asked, 1)
    assert store.lexical(["the of", "", "unheard words"], 5) == [[], [], []]


@every_exact_store
def test_more_ties_than_are_looked_at_first(make: Make) -> None:
    """A hundred chunks with one and the same vector: the first by id, though any may be found first."""
    one = unit(np.ones((1, DIMENSION)))
    random = np.random.default_rng(0)
    ids = [f"c{number:03}" for number in random.permutation(100)]
    store = make()
    store.fill([ChunkBatch(ids, ["pump"] * 100, np.repeat(one, 100, axis=0))])
    assert [hit.id for hit in store.dense(one, 5)[0]] == ["c000", "c001", "c002", "c003", "c004"]
    assert [hit.id for hit in store.lexical(["pump"], 3)[0]] == ["c000", "c001", "c002"]


@every_approximate_store
def test_approximate_search_finds_nearly_all(make: Make) -> None:
    """Recall@10 against exact search, on vectors in clusters, as those of texts are."""
    random = np.random.default_rng(3)
    centres = random.standard_normal((40, DIMENSION))
    vectors = unit(centres[random.integers(0, 40, 3000)] + 0.7 * random.standard_normal((3000, DIMENSION)))
    batch = ChunkBatch([f"c{number}" for number in range(3000)], ["pump"] * 3000, vectors)
    asked = unit(centres[random.integers(0, 40, 100)] + 0.7 * random.standard_normal((100, DIMENSION)))
    store, reference = make(), MemoryStore()
    assert not store.is_exact
    store.fill([batch])
    reference.fill([batch])
    pairs = zip(store.dense(asked, 10), reference.dense(asked, 10), strict=True)
    shares = [len({hit.id for hit in found} & {hit.id for hit in exact}) / 10 for found, exact in pairs]
    assert np.mean(shares) >= 0.97, f"recall@10 {np.mean(shares):.3f}"
    for found in store.dense(asked[:3], 10):  # scores are the exact ones, in order
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@every_store
def test_an_empty_store_and_one_filled_anew(make: Make) -> None:
    store = make()
    asked, vectors = questions(2)
    assert len(store) == 0
    assert store.fingerprint == ""
    assert store.dense(vectors, 3) == store.lexical(asked, 3) == [[], []]
    store.fill([chunks(30)], "first")
    store.fill([chunks(12, seed=7)], "second")
    assert (len(store), store.fingerprint) == (12, "second")
    assert {hit.id for hit in store.dense(vectors, 50)[0]} == set(chunks(12, seed=7).ids)
    store.fill([], "nothing")
    assert len(store) == 0
    assert store.dense(vectors, 3) == store.lexical(asked, 3) == [[], []]


@every_store
def test_what_does_not_fit_is_refused_and_hostile_text_is_text(make: Make) -> None:
    store = make()
    batch = chunks(4)
    with pytest.raises(InputError, match="two chunks have the id"):
        store.fill([batch, batch])
    doubled = batch.vectors.copy()
    doubled[1] *= 2
    with pytest.raises(ValueError, match="the vector of chunk 1 has length 2, not 1"):
        store.fill([batch._replace(vectors=doubled)])
    hostile = ["'; DROP TABLE ragassay_chunks; --", "a\tb\nc\\N \\", "nul \0 pump", "half \ud800 pump"]
    ids = ["'; DROP TABLE x; --", "a\tb\n\\.", "%s {name}", "ü"]
    store.fill([ChunkBatch(ids, hostile, batch.vectors)])
    assert {hit.id for hit in store.dense(batch.vectors[:1], 9)[0]} == set(ids)
    assert {hit.id for hit in store.lexical(["pump"], 9)[0]} == {"%s {name}", "ü"}
    assert store.lexical(["drop table 'x'; --"], 9)[0][0].id == "'; DROP TABLE x; --"
    with pytest.raises(ValueError, match="the vector of question 0 has length"):
        store.dense(np.zeros((1, DIMENSION), np.float32), 1)


@pytest.mark.parametrize("make", ["mapped", "postgres", "postgres:hnsw"], indirect=True)
def test_what_was_filled_in_is_there_when_the_store_is_opened_again(make: Make) -> None:
    batch = chunks(80)
    asked, vectors = questions(5)
    with make() as store:
        store.fill(parts(batch, 30), "one")
        before = store.dense(vectors, 6), store.lexical(asked, 6)
    again = make()
    assert (len(again), again.fingerprint) == (80, "one")
    assert (again.dense(vectors, 6), again.lexical(asked, 6)) == before


def test_a_fill_that_fails_leaves_postgresql_as_it_was(postgres_url: str) -> None:
    def torn() -> Iterator[ChunkBatch]:
        yield chunks(10, seed=8)
        raise RuntimeError("the documents end here")

    with open_store(postgres_url) as store:
        store.fill([chunks(30)], "first")
        with pytest.raises(RuntimeError):
            store.fill(torn(), "second")
        _, vectors = questions(1)
        assert (len(store), store.fingerprint) == (30, "first")
        assert len(store.dense(vectors, 40)[0]) == 30
        store.drop()  # type: ignore[attr-defined]


def test_blocks_of_vectors_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = chunks(500)
    _, vectors = questions(20)
    whole = MemoryStore()
    whole.fill([batch])
    expected = whole.dense(vectors, 9)
    monkeypatch.setattr(nearest_module, "BLOCK_ROWS", 7)
    monkeypatch.setattr(nearest_module, "BLOCK_QUESTIONS", 3)
    mapped = MappedStore(tmp_path / "store")
    mapped.fill(parts(batch, 64))
    assert mapped.dense(vectors, 9) == whole.dense(vectors, 9) == expected


def test_a_folder_that_is_no_store_and_one_whose_files_are_torn(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        MappedStore(tmp_path)
    store = MappedStore(tmp_path / "store")
    store.fill([chunks(20)])
    store.close()
    vectors = tmp_path / "store" / "vectors.f32"
    vectors.write_bytes(vectors.read_bytes()[:-4])
    with pytest.raises(InputError, match="do not belong together"):
        MappedStore(tmp_path / "store")
    (tmp_path / "store" / "store.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        MappedStore(tmp_path / "store")


def test_a_fill_that_was_torn_leaves_no_store_on_disk(tmp_path: Path) -> None:
    def torn() -> Iterator[ChunkBatch]:
        yield chunks(10)
        raise RuntimeError

    store = MappedStore(tmp_path / "store")
    store.fill([chunks(5)], "first")
    with pytest.raises(RuntimeError):
        store.fill(torn())
    assert not (tmp_path / "store" / "store.json").exists()


@pytest.mark.parametrize("name", ["", "mapped:", "oracle", "faiss:ivf", "postgresql:nowhere"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(UsageError, match="choose one of memory, mapped:FOLDER, faiss"):
        open_store(name)


def test_a_server_that_is_not_there_and_extras_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as raised:
        open_store("postgresql://me:secret@127.0.0.1:1/none")
    assert "no connection to postgresql://127.0.0.1/none" in str(raised.value)
    assert "secret" not in str(raised.value)
    names: Sequence[tuple[str, str, str]] = (
        ("psycopg", "postgresql://localhost/x", "pgvector"),
        ("faiss", "faiss", "faiss"),
    )
    for module, name, extra in names:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(UsageError, match=rf"pip install 'ragassay\[{extra}\]'"):
            open_store(name)
