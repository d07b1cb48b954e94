"""Lexical and dense scores joined by a text weight, and the exact first k of the result."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import Int32Array

Scores = npt.NDArray[np.float32]

Fusion = Literal["raw_linear", "min_max", "rrf"]

RRF_K = 60  # Cormack et al. 2009

NO_CHUNK = -1
"""Fills rankings where fewer than k chunks were retrieved."""


class Rankings(NamedTuple):
    """The first chunks of every question, best first: (n_questions, k), ``NO_CHUNK`` and NaN behind the last."""

    chunks: Int32Array
    scores: Scores

    def of(self, question: int) -> list[tuple[int, float]]:
        """Return (chunk ordinal, score) of one question, best first, without the filling."""
        found = self.chunks[question] != NO_CHUNK
        return list(zip(self.chunks[question][found].tolist(), self.scores[question][found].tolist(), strict=True))


class ScorePair(NamedTuple):
    """Both retrievers' scores on the scale of one fusion, ready to be weighted: (n_questions, n_chunks) float32."""

    lexical: Scores
    dense: Scores

    def joined(self, text_weight: float) -> Scores:
        return np.float32(text_weight) * self.lexical + np.float32(1 - text_weight) * self.dense


def scaled(lexical: Scores, dense: Scores, fusion: Fusion) -> ScorePair:
    """Put both retrievers' scores on the scale of a fusion.

    raw_linear: as they are (Know Your RAG (COLING 2025), retrieval per label: BM25 and similarity un-normalised,
        which is why small text weights already matter).
    min_max: (score - min) / (max - min) over all chunks of a question; 0 for all where they are all equal.
    rrf: 1 / (60 + rank) (Cormack et al. 2009). Equal scores share the better rank, so that the order of the chunks
        plays no part; a chunk without any term of the question is not in the lexical list and gets 0 from it.
    """
    if fusion == "raw_linear":
        return ScorePair(lexical, dense)
    if fusion == "min_max":
        return ScorePair(_min_max(lexical), _min_max(dense))
    lexical_ranks = np.where(lexical > 0, _reciprocal_ranks(lexical), np.float32(0))
    return ScorePair(lexical_ranks, _reciprocal_ranks(dense))


_BLOCKS_PER_RANK, _NARROWEST_BLOCK, _MOST_ABOVE = 8, 8, 8


def hybrid_scores(lexical: Scores, dense: Scores, fusion: Fusion, text_weight: float) -> Scores:
    """Return the scores of one setting, (n_questions, n_chunks) float32; -inf where a chunk is not retrieved.

    text_weight: in [0, 1]; at 0 the cosines and at 1 the BM25 scores themselves, of chunks that share a term.
    """
    if not 0 <= text_weight <= 1:
        raise ValueError(f"text weight {text_weight} is outside [0, 1]")
    if text_weight == 0:
        return dense
    if text_weight == 1:
        return np.where(lexical > 0, lexical, np.float32(-np.inf))
    return scaled(lexical, dense, fusion).joined(text_weight)


def top_k(scores: Scores, k: int) -> Rankings:
    """Return the first k chunks of every question, as from sorting all by score, then ordinal; chunks at -inf never."""
    if k < 1:
        raise ValueError(f"k is {k}; ask for at least one chunk")
    n_questions, n_chunks = scores.shape
    chunks = np.full((n_questions, k), NO_CHUNK, dtype=np.int32)
    best = np.full((n_questions, k), np.nan, dtype=np.float32)
    floor = np.full((n_questions, 1), np.finfo(np.float32).min, dtype=np.float32)
    if n_chunks > k:
        np.maximum(floor, _borders(scores, k), out=floor)
    # Everything at or above the k-th score: ties at the border are decided by the sort, not by the partition.
    flat = np.flatnonzero(scores >= floor)
    rows, columns = np.divmod(flat, max(1, n_chunks))
    values = scores[rows, columns]
    order = np.lexsort((columns, -values, rows))
    per_row = np.bincount(rows, minlength=n_questions)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(per_row) - per_row, per_row)
    kept = order[places < k]
    chunks[rows[kept], places[places < k]] = columns[kept]
    best[rows[kept], places[places < k]] = values[kept]
    return Rankings(chunks, best)


def _borders(scores: Scores, k: int) -> Scores:
    """Return for each question a score that at least k chunks reach, and mostly few more: (n_questions, 1).

    The k-th best maximum of blocks of chunks, found in a fiftieth of the time of the k-th best score itself, which is
    taken where too many chunks reach it: those that share no term with a question are all at 0.
    """
    n_questions, n_chunks = scores.shape
    width = n_chunks // (_BLOCKS_PER_RANK * k)
    if width < _NARROWEST_BLOCK:
        return _exact_borders(scores, k)
    whole = n_chunks // width * width
    maxima = scores[:, :whole].reshape(n_questions, -1, width).max(axis=2)
    borders = _exact_borders(maxima, k)
    loose = np.flatnonzero((scores >= borders).sum(axis=1) > _MOST_ABOVE * k)
    if len(loose):
        borders[loose] = _exact_borders(scores[loose], k)
    return borders


def _exact_borders(scores: Scores, k: int) -> Scores:
    place = scores.shape[1] - k
    border: Scores = np.partition(scores, place, axis=1)[:, place, None]
    return border


def _min_max(scores: Scores) -> Scores:
    if scores.shape[1] == 0:
        return scores
    low = scores.min(axis=1, keepdims=True)
    width = scores.max(axis=1, keepdims=True) - low
    scaled: Scores = (scores - low) / np.where(width > 0, width, np.float32(1))
    return scaled


def _reciprocal_ranks(scores: Scores) -> Scores:
    """1 / (RRF_K + rank), rank = 1 + number of chunks with a higher score."""
    order = np.argsort(-scores, axis=1)
    ordered = np.take_along_axis(scores, order, axis=1)
    places = np.broadcast_to(np.arange(scores.shape[1], dtype=np.int32), scores.shape).copy()
    places[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = 0
    np.maximum.accumulate(places, axis=1, out=places)
    gains = np.float32(1) / (np.float32(RRF_K + 1) + places)
    reciprocal = np.empty_like(scores)
    np.put_along_axis(reciprocal, order, gains.astype(np.float32), axis=1)
    return reciprocal
