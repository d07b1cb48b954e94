from __future__ import annotations

import json
from math import log
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.retrieval import index as index_module
from ragassay.retrieval import tokens as tokens_module
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import top_k
from ragassay.retrieval.index import K1, B, LexicalIndex, build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, Tokenizer, raw_words, tokenize_documents


def table(*chunks: tuple[int, int, int]) -> ChunkTable:
    columns = np.array(chunks, dtype=np.int32).reshape(-1, 3)
    return ChunkTable(columns[:, 0], columns[:, 1], columns[:, 2])


def whole(texts: list[str]) -> ChunkTable:
    return table(*((ordinal, 0, len(text)) for ordinal, text in enumerate(texts)))


def test_scores_by_hand() -> None:
    texts = ["cat cat dog", "dog", "fish bird"]
    tokens = tokenize_documents(texts)
    scores = build_lexical_index(tokens, whole(texts)).scores([tokens.terms_of("cats dogs"), tokens.terms_of("horse")])
    # N = 3; df(cat) = 1, df(dog) = 2; lengths 3, 1, 2, mean 2; k1 = 1.2, b = 0.75
    # idf(cat) = ln(1 + 2.5/1.5), idf(dog) = ln(1 + 1.5/2.5)
    # chunk 0: k1 * (0.25 + 0.75 * 3/2) = 1.65; tf(cat) = 2 -> 2/3.65, tf(dog) = 1 -> 1/2.65
    # chunk 1: k1 * (0.25 + 0.75 * 1/2) = 0.75; tf(dog) = 1 -> 1/1.75
    cat, dog = log(1 + 2.5 / 1.5), log(1 + 1.5 / 2.5)
    assert scores[0] == pytest.approx([cat * 2 / 3.65 + dog / 2.65, dog / 1.75, 0], rel=1e-6)
    assert scores[1].tolist() == [0, 0, 0]
    assert scores.dtype == np.float32


def test_a_chunk_holds_the_tokens_that_lie_wholly_inside_it() -> None:
    text = "max_wal_size INSERT INTO"
    tokens = tokenize_documents([text])
    # [0, 7) holds max and wal but not the whole name; [4, 19) begins inside it; [13, 24) holds INSERT
    index = build_lexical_index(tokens, table((0, 0, 7), (0, 4, 19), (0, 13, 24)))

    def holding(term: str) -> list[int]:
        number = tokens.vocabulary[term]
        return index.chunks[index.first[number] : index.first[number + 1]].tolist()

    assert holding("max_wal_size") == []
    assert (holding("max"), holding("wal"), holding("size")) == ([0], [0, 1], [1])
    assert holding("insert") == [1, 2]


def test_agrees_with_bm25s() -> None:
    random = np.random.default_rng(5)
    words = [f"w{number}" for number in range(300)]
    texts = [" ".join(random.choice(words, size=random.integers(1, 60))) for _ in range(400)]
    questions = [" ".join(random.choice(words, size=6)) for _ in range(50)]
    tokens = tokenize_documents(texts, language="eo")
    ours = build_lexical_index(tokens, whole(texts)).scores([tokens.terms_of(question) for question in questions])
    reference = bm25s.BM25(method="lucene", k1=K1, b=B)
    reference.index([text.split() for text in texts], show_progress=False)
    theirs = np.array([reference.get_scores(question.split()) for question in questions])
    assert np.abs(ours - theirs).max() < 1e-5


@pytest.mark.shared_data
@pytest.mark.parametrize(("language", "recall_at_5"), [("en", 0.988), ("zh", 0.9895)])
def test_published_questions_find_their_paragraphs(shared_data: Path, language: str, recall_at_5: float) -> None:
    lines = (shared_data / "xquad" / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    paragraphs = list(dict.fromkeys(question["context"] for question in questions))
    tokens = tokenize_documents(paragraphs, language=language)
    scores = build_lexical_index(tokens, whole(paragraphs)).scores([tokens.terms_of(q["question"]) for q in questions])
    found = top_k(scores, 5).chunks
    hits = [paragraphs.index(q["context"]) in row for q, row in zip(questions, found.tolist(), strict=True)]
    assert np.mean(hits) >= recall_at_5


@given(
    texts=st.lists(st.lists(st.sampled_from(["cat", "CAT", "SQL", "a_b", "dog ", "fishes."]), max_size=9), max_size=6),
    n_words=st.integers(1, 8),
)
def test_a_few_documents_at_a_time_and_on_disk_the_index_is_the_same_bits(
    texts: list[list[str]], n_words: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    joined = [" ".join(words) for words in texts]
    chunks = table(*((row, start, start + 9) for row, text in enumerate(joined) for start in range(0, len(text), 5)))
    prefixes = [f"title {row % 2}" for row in range(len(chunks))]

    def built(on_disk: Path | None) -> tuple[TokenizedDocuments, LexicalIndex]:
        tokenizer = Tokenizer(folder=on_disk)
        for text in joined:
            tokenizer.add(raw_words(text))
        tokens = tokenizer.result(prefixes)
        return tokens, build_lexical_index(tokens, chunks, prefixes, folder=on_disk)

    tokens, index = built(None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens_module, "_BLOCK_WORDS", n_words)
        patch.setattr(index_module, "_BLOCK_TOKENS", n_words)
        own_tokens, own_index = built(folder)
    assert list(tokens.vocabulary) == list(own_tokens.vocabulary)
    for name in ("documents", "terms", "starts", "ends"):
        np.testing.assert_array_equal(getattr(tokens, name), getattr(own_tokens, name))
    for name in ("first", "chunks", "gains"):
        assert getattr(index, name).tobytes() == getattr(own_index, name).tobytes()
