from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ragassay.retrieval.dense import dense_scores
from ragassay.retrieval.hybrid import NO_CHUNK, Fusion, hybrid_scores, scaled, top_k

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


@pytest.mark.parametrize("fusion", FUSIONS)
def test_the_ends_are_a_single_list_whatever_the_fusion(fusion: Fusion) -> None:
    assert hybrid_scores(LEXICAL, DENSE, fusion, 0).tolist() == DENSE.tolist()
    assert top_k(hybrid_scores(LEXICAL, DENSE, fusion, 1), 3).chunks.tolist() == [[1, 2, NO_CHUNK]]


def test_ties_go_to_the_smaller_ordinal_and_gaps_are_filled() -> None:
    found = top_k(row(1, 2, 1, 2, 1), 4)
    assert found.chunks.tolist() == [[1, 3, 0, 2]]
    found = top_k(row(1, 2), 3)
    assert found.chunks.tolist() == [[1, 0, NO_CHUNK]]
    assert np.isnan(found.scores[0, 2])
    assert found.of(0) == [(1, 2.0), (0, 1.0)]
    assert top_k(np.empty((2, 0), dtype=np.float32), 2).chunks.tolist() == [[NO_CHUNK] * 2] * 2


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_weights_outside_the_range_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="text weight"):
        hybrid_scores(LEXICAL, DENSE, "rrf", weight)


def test_k_counts_from_one() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        top_k(DENSE, 0)


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


@given(blocks, st.sampled_from(FUSIONS), st.sampled_from([0.1, 0.5]), st.randoms())
def test_scores_move_with_their_chunks(
    scores: tuple[Scores, Scores], fusion: Fusion, weight: float, random: np.random.Generator
) -> None:
    order = list(range(scores[0].shape[1]))
    random.shuffle(order)
    moved = hybrid_scores(scores[0][:, order], scores[1][:, order], fusion, weight)
    assert moved.tolist() == hybrid_scores(*scores, fusion, weight)[:, order].tolist()


@given(blocks)
def test_scales_are_bounded(scores: tuple[Scores, Scores]) -> None:
    for side in scaled(*scores, "min_max"):
        assert side.min() >= 0
        assert side.max() <= 1
    for side in scaled(*scores, "rrf"):
        assert side.min() >= 0
        assert side.max() <= np.float32(1 / 61)


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


@pytest.mark.parametrize("share", [0.0005, 0.05, 1.0])
@pytest.mark.parametrize("k", [1, 5, 20])
def test_among_many_chunks_the_first_are_those_of_a_sort(share: float, k: int) -> None:
    """So many that borders are found by blocks; ties, chunks that share no term, and chunks that are never returned."""
    random = np.random.default_rng(3)
    values = np.round(random.random((5, 4_001)), 2)
    scores = np.where(random.random(values.shape) < share, values, 0).astype(np.float32)
    scores[2, random.random(4_001) < 0.999] = -np.inf
    scores[3] = -np.inf
    found = top_k(scores, k)
    for row, chunks, best in zip(scores, found.chunks.tolist(), found.scores.tolist(), strict=True):
        ordered = sorted(np.flatnonzero(row > -np.inf).tolist(), key=lambda chunk: (-row[chunk], chunk))[:k]
        assert chunks == ordered + [-1] * (k - len(ordered))
        assert best[: len(ordered)] == row[ordered].tolist()
