from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragassay.retrieval import index as index_module
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.index import Index, build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, tokenize_documents

TEXTS = ["the cat sat", "a dog ran", "cat and dog"]


def table(*chunks: tuple[int, int, int]) -> ChunkTable:
    return ChunkTable(*np.array(chunks, np.int32).T)


def build() -> tuple[TokenizedDocuments, Index]:
    tokens = tokenize_documents(TEXTS)
    chunks = table(*((number, 0, len(text)) for number, text in enumerate(TEXTS)))
    return tokens, Index(chunks, build_lexical_index(tokens, chunks), np.eye(3, dtype=np.float32))


def test_search_with_either_retriever_and_with_both() -> None:
    tokens, index = build()
    terms = [tokens.terms_of("which dog?")]
    vector = np.array([[0.8, 0, 0.6]], dtype=np.float32)
    assert [ordinal for ordinal, _ in index.search(terms, vector, "rrf", 0, 3).of(0)] == [0, 2, 1]
    assert [ordinal for ordinal, _ in index.search(terms, vector, "rrf", 1, 3).of(0)] == [1, 2]
    # ranks lexical -, 1, 1 (both "dog" chunks have two terms) and dense 1, 3, 2: chunk 2 has the best of both
    assert [ordinal for ordinal, _ in index.search(terms, vector, "rrf", 0.5, 3).of(0)] == [2, 1, 0]


@pytest.mark.parametrize("on_disk", [False, True])
def test_blocks_of_questions_change_nothing(on_disk: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, index = build()
    index = replace(index, folder=tmp_path if on_disk else None)
    terms = [tokens.terms_of(text) for text in TEXTS]
    vectors = np.eye(3, dtype=np.float32)
    at_once = index.search(terms, vectors, "min_max", 0.2, 2)
    monkeypatch.setattr(index_module, "_BLOCK_SCORES", 3)
    one_by_one = index.search(terms, vectors, "min_max", 0.2, 2)
    assert at_once.chunks.tolist() == one_by_one.chunks.tolist()
    assert at_once.scores.tolist() == one_by_one.scores.tolist()
    assert index.search([], vectors[:0], "rrf", 0.5, 2).chunks.shape == (0, 2)
    assert list(tmp_path.iterdir()) == []


def test_chunks_in_another_order_are_refused() -> None:
    with pytest.raises(ValueError, match="not sorted"):
        table((0, 5, 9), (0, 0, 7))
    with pytest.raises(ValueError, match="ends before it starts"):
        table((0, 5, 3))
    with pytest.raises(ValueError, match="one per chunk"):
        ChunkTable(np.zeros(2, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32))
