from __future__ import annotations

import numpy as np
import pytest

from ragassay.metrics.retrieval.ndcg import ndcg_at_k
from ragassay.metrics.retrieval.ranks import RightChunks
from ragassay.metrics.retrieval.recall import recall_at_k
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.index import Index
from ragassay.retrieval.lexical import build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, tokenize_documents
from ragassay.sweep.configuration import Configuration
from ragassay.sweep.grid import grid
from ragassay.sweep.retrieval_sweep import DEPTH, sweep_retrieval

WORDS = "pump valve gauge motor filter sensor panel cable switch relay tank pipe".split()


def corpus(sizes: tuple[int, ...]) -> tuple[TokenizedDocuments, list[Index], np.random.Generator]:
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice(WORDS, size=80)) for _ in range(12)]
    tokens = tokenize_documents(texts)
    indexes = []
    for size in sizes:
        places = [
            (number, start, min(start + size, len(text)))
            for number, text in enumerate(texts)
            for start in range(0, len(text), size)
        ]
        columns = np.array(places, dtype=np.int32)
        table = ChunkTable(columns[:, 0], columns[:, 1], columns[:, 2])
        vectors = random.standard_normal((len(table), 8)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        indexes.append(Index(size, table, build_lexical_index(tokens, table), vectors))
    return tokens, indexes, random


def test_every_configuration_equals_searching_for_it_alone() -> None:
    tokens, indexes, random = corpus((64, 128))
    questions = [tokens.terms_of(" ".join(random.choice(WORDS, size=3))) for _ in range(9)]
    vectors = indexes[0].vectors[:9].astype(np.float32)
    ground = {
        index.chunk_size: [[{int(c) for c in random.integers(0, len(index.table), size=2)}] for _ in questions]
        for index in indexes
    }
    right = {size: RightChunks.of(sets) for size, sets in ground.items()}
    configurations = grid((64, 128))
    results = sweep_retrieval(indexes, questions, vectors, right, configurations)
    assert [result.configuration for result in results] == list(configurations)
    by_size = {index.chunk_size: index for index in indexes}
    for result in results:
        configuration = result.configuration
        alone = by_size[configuration.chunk_size].search(
            questions, vectors, configuration.fusion, configuration.text_weight, DEPTH
        )
        assert result.rankings.chunks.tolist() == alone.chunks.tolist()
        for question, spans in enumerate(ground[configuration.chunk_size]):
            ranked = [chunk for chunk, _ in alone.of(question)]
            assert result.metrics["recall@5"][question] == recall_at_k(ranked, spans, 5)
            assert result.metrics["ndcg@10"][question] == pytest.approx(ndcg_at_k(ranked, spans, 10))


def test_a_question_without_ground_spans_has_no_value() -> None:
    tokens, indexes, _ = corpus((64,))
    right = {64: RightChunks.of([[{0}], []])}
    (result,) = sweep_retrieval(
        indexes,
        [tokens.terms_of("pump")] * 2,
        indexes[0].vectors[:2].astype(np.float32),
        right,
        [Configuration(chunk_size=64, fusion="rrf", text_weight=0.0)],
    )
    assert result.metrics["recall@5"][0] == 1  # the question's vector is that of chunk 0
    assert all(np.isnan(values[1]) for values in result.metrics.values())


def test_what_does_not_fit_is_refused() -> None:
    tokens, indexes, _ = corpus((64,))
    terms, vectors = [tokens.terms_of("pump")], indexes[0].vectors[:1].astype(np.float32)
    with pytest.raises(ValueError, match=r"chunk sizes \[256\]"):
        sweep_retrieval(indexes, terms, vectors, {64: RightChunks.of([[{0}]])}, grid((256,)))
    with pytest.raises(ValueError, match="1 questions but 2 question vectors"):
        sweep_retrieval(indexes, terms, np.repeat(vectors, 2, axis=0), {64: RightChunks.of([[{0}]])}, grid((64,)))
