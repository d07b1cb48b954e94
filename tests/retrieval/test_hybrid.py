from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ragassay.retrieval.hybrid import NO_CHUNK, Fusion, hybrid_scores, top_k
from ragassay.retrieval.index import dense_scores

FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
Scores = npt.NDArray[np.float32]


def row(*values: float) -> Scores:
    return np.array([values], dtype=np.float32)


LEXICAL = row(0, 4, 2, 0)
DENSE = row(0.9, 0.1, 0.5, 0.5)


def test_raw_linear_by_hand() -> None:
    # 0.1 * bm25 + 0.9 * cosine: 0.81, 0.4 + 0.09, 0.2 + 0.45, 0.45
    assert hybrid_scores(LEXICAL, DENSE, "raw_linear", 0.1)[0] == pytest.approx([0.81, 0.49, 0.65, 0.45])


def test_min_max_by_hand() -> None:
    # bm25 0, 1, 0.5, 0; cosines 1, 0, 0.5, 0.5; weight 0.2: 0.8, 0.2, 0.1 + 0.4, 0.4
    assert hybrid_scores(LEXICAL, DENSE, "min_max", 0.2)[0] == pytest.approx([0.8, 0.2, 0.5, 0.4])
    assert hybrid_scores(row(3, 3), row(0.5, 0.5), "min_max", 0.5)[0].tolist() == [0, 0]


def test_reciprocal_rank_fusion_by_hand() -> None:
    # lexical ranks -, 1, 2, - (no term: not in the list); dense ranks 1, 4, 2, 2 (a tie shares the better rank)
    expected = [0.5 / 61, 0.5 / 61 + 0.5 / 64, 0.5 / 62 + 0.5 / 62, 0.5 / 62]
    assert hybrid_scores(LEXICAL, DENSE, "rrf", 0.5)[0] == pytest.approx(expected)


def test_ties_go_to_the_smaller_ordinal_and_gaps_are_filled() -> None:
    found = top_k(row(1, 2, 1, 2, 1), 4)
    assert found.chunks.tolist() == [[1, 3, 0, 2]]
    found = top_k(row(1, 2), 3)
    assert found.chunks.tolist() == [[1, 0, NO_CHUNK]]
    assert np.isnan(found.scores[0, 2])
    assert found.of(0) == [(1, 2.0), (0, 1.0)]
    assert top_k(np.empty((2, 0), dtype=np.float32), 2).chunks.tolist() == [[NO_CHUNK] * 2] * 2


few_values = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0, 3.0])  # many ties
blocks = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[hnp.arrays(np.float32, (3, n), elements=few_values | st.floats(0, 9, width=32))] * 2)
)
weights = st.sampled_from([0.0, 0.05, 0.1, 0.5, 0.95, 1.0])


@given(blocks, st.sampled_from(FUSIONS), weights, st.integers(1, 12))
def test_top_k_is_the_head_of_sorting_everything(
    scores: tuple[Scores, Scores], fusion: Fusion, weight: float, k: int
) -> None:
    joined = hybrid_scores(*scores, fusion, weight)
    found = top_k(joined, k)
    for question, values in enumerate(joined.tolist()):
        by_score = sorted((-value, ordinal) for ordinal, value in enumerate(values) if value > -np.inf)
        assert [(-score, chunk) for chunk, score in found.of(question)] == by_score[:k]


def test_dense_scores_are_cosines_and_the_same_alone_and_in_a_block() -> None:
    random = np.random.default_rng(0)
    vectors = random.standard_normal((500, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    questions = vectors[:40]
    scores = dense_scores(vectors, questions)
    assert np.abs(scores - questions.astype(np.float64) @ vectors.T.astype(np.float64)).max() < 1e-6
    assert (scores.argmax(axis=1) == np.arange(40)).all()
    alone = np.concatenate([dense_scores(vectors, question[None]) for question in questions])
    assert np.abs(alone - scores).max() <= 1.1e-6
    assert np.abs(dense_scores(vectors.astype(np.float16), questions) - scores).max() < 1e-3
    with pytest.raises(ValueError, match="one encoder"):
        dense_scores(vectors, questions[:, :3])
