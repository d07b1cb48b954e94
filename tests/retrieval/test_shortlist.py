"""The shortlist gives exactly what ranking all chunks gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragassay.retrieval import shortlist
from ragassay.retrieval.hybrid import Fusion, hybrid_scores, top_k
from ragassay.retrieval.shortlist import Shortlist

FUSIONS: tuple[Fusion, ...] = ("raw_linear", "min_max", "rrf")


@given(
    seed=st.integers(0, 10_000),
    n_chunks=st.integers(0, 400),
    levels=st.sampled_from([2, 5, 1000]),  # few levels make many equal scores
    matched=st.floats(0, 1),
    k=st.integers(1, 12),
)
@example(seed=0, n_chunks=385, levels=2, matched=0.0, k=1)  # nothing is above the border
@settings(max_examples=60, deadline=None)
def test_same_rankings_as_from_all_chunks(seed: int, n_chunks: int, levels: int, matched: float, k: int) -> None:
    chance = np.random.default_rng(seed)
    lexical = (chance.integers(1, levels, (3, n_chunks)) * (chance.random((3, n_chunks)) < matched)).astype(np.float32)
    dense = (chance.integers(-levels, levels, (3, n_chunks)) / levels).astype(np.float32)
    short = Shortlist(lexical, dense)
    for fusion in FUSIONS:
        for weight in (0.0, 0.05, 0.5, 1.0):
            found = short.first(fusion, weight, k)
            expected = top_k(hybrid_scores(lexical, dense, fusion, weight), k)
            np.testing.assert_array_equal(found.chunks, expected.chunks)
            np.testing.assert_array_equal(found.scores, expected.scores)


def test_most_rankings_need_no_look_at_all_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(0)
    lexical = (chance.gamma(2, 3, (50, 5000)) * (chance.random((50, 5000)) < 0.1)).astype(np.float32)
    dense = chance.normal(0.2, 0.15, (50, 5000)).astype(np.float32)
    from_all: list[int] = []

    def counted(scores: np.ndarray, k: int) -> object:
        if scores.shape[1] == 5000:
            from_all.append(len(scores))
        return top_k(scores, k)

    monkeypatch.setattr(shortlist, "top_k", counted)
    short = Shortlist(lexical, dense)
    for fusion in FUSIONS:
        for weight in (0.05, 0.5):
            short.first(fusion, weight, 10)
    assert sum(from_all) <= 0.1 * 50 * 6
