"""The exact first chunks of many fusions and text weights from the best few of either retriever.

A chunk that is among the best of neither list has, in any fusion, at most the score that the worst of both lists
would have together, because every fusion rises with both scores (the threshold argument of Fagin, Lotem and Naor 2003).
Where the k-th score found is higher than that, no other chunk needs to be looked at.
"""

from __future__ import annotations

import numpy as np

from ragassay.retrieval.hybrid import NO_CHUNK, RRF_K, Fusion, Rankings, ScorePair, Scores, hybrid_scores, top_k

BEST_OF_EACH = 100
ONE_IN = 100
"""Chunks taken from each list, at least and as a share: with these, few rankings have to be made from all chunks."""

_SAMPLED = 32  # scores above the border in a sample of all, so that about as many chunks are listed as are wanted
_LONGEST_STEP = 16


class Shortlist:
    """The best chunks of both lists for a block of questions, and what stands for all others.

    lexical, dense: (n_questions, n_chunks) float32.
    """

    def __init__(self, lexical: Scores, dense: Scores) -> None:
        self._full = ScorePair(lexical, dense)
        wanted = max(BEST_OF_EACH, lexical.shape[1] // ONE_IN)
        if lexical.shape[1] > wanted:
            borders = ScorePair(*(_border(scores, wanted) for scores in self._full))
        else:  # so few that all are on the list, and nothing stands for others
            nothing = np.full((len(lexical), 1), -np.inf, dtype=np.float32)
            borders = ScorePair(nothing, nothing)
        # flat and then divided: four times as fast as np.nonzero of two dimensions
        listed = np.flatnonzero((lexical > borders.lexical) | (dense > borders.dense))
        rows, columns = np.divmod(listed, max(1, lexical.shape[1]))
        per_row = np.bincount(rows, minlength=len(lexical))
        self._chunks = np.full((len(lexical), per_row.max(initial=0)), NO_CHUNK, dtype=np.int32)
        self._chunks[rows, np.arange(len(rows)) - np.repeat(np.cumsum(per_row) - per_row, per_row)] = columns
        at = np.maximum(self._chunks, 0)
        # the last column is what all others are at most as good as
        self._raw = ScorePair(
            *(
                np.concatenate([np.take_along_axis(scores, at, axis=1), border], axis=1)
                for scores, border in zip(self._full, borders, strict=True)
            )
        )
        self._scaled: dict[Fusion, ScorePair] = {}

    def first(self, fusion: Fusion, text_weight: float, k: int) -> Rankings:
        """The first k chunks of every question; the same as ``top_k`` of ``hybrid_scores``."""
        if not self._full.lexical.shape[1]:
            return top_k(self._full.lexical, k)
        if not self._chunks.size:  # so many chunks have the highest scores that none is above the border
            return top_k(hybrid_scores(*self._full, fusion, text_weight), k)
        scores = self._joined(fusion, text_weight)
        found = top_k(np.where(self._chunks == NO_CHUNK, np.float32(-np.inf), scores[:, :-1]), k)
        chunks = np.where(
            found.chunks == NO_CHUNK, NO_CHUNK, np.take_along_axis(self._chunks, np.maximum(found.chunks, 0), axis=1)
        )
        rankings = Rankings(chunks.astype(np.int32), found.scores)
        # where fewer than k were found the last is NaN, and no NaN is above anything; at -inf no other is retrieved
        unsure = np.flatnonzero(~(found.scores[:, -1] > scores[:, -1]) & (scores[:, -1] > -np.inf))
        if len(unsure):
            lexical, dense = self._full.lexical[unsure], self._full.dense[unsure]
            full = top_k(hybrid_scores(lexical, dense, fusion, text_weight), k)
            rankings.chunks[unsure], rankings.scores[unsure] = full
        return rankings

    def _joined(self, fusion: Fusion, text_weight: float) -> Scores:
        """As ``hybrid_scores`` for the chunks of the list and for what stands for the others."""
        if text_weight in (0, 1):
            return hybrid_scores(*self._raw, fusion, text_weight)
        if fusion not in self._scaled:
            self._scaled[fusion] = self._on_scale(fusion)
        return self._scaled[fusion].joined(text_weight)

    def _on_scale(self, fusion: Fusion) -> ScorePair:
        """As ``hybrid.scaled``; ranks and extremes are those among all chunks."""
        if fusion == "raw_linear":
            return self._raw
        pairs = zip(self._raw, self._full, strict=True)
        if fusion == "min_max":
            return ScorePair(*(_min_max(some, scores) for some, scores in pairs))
        lexical, dense = (_reciprocal_ranks(some, scores) for some, scores in pairs)
        return ScorePair(np.where(self._raw.lexical > 0, lexical, np.float32(0)), dense)


def _border(scores: Scores, wanted: int) -> Scores:
    """A score that about so many chunks of each question are above, (n_questions, 1).

    Any border would do, since what is below it stands for all others; so a sample of evenly spaced chunks will.
    """
    step = max(1, min(_LONGEST_STEP, wanted // _SAMPLED))
    sample = scores[:, ::step]
    place = sample.shape[1] - wanted // step
    return np.partition(sample, place, axis=1)[:, place, None]


def _min_max(some: Scores, scores: Scores) -> Scores:
    low = scores.min(axis=1, keepdims=True)
    width = scores.max(axis=1, keepdims=True) - low
    scaled: Scores = (some - low) / np.where(width > 0, width, np.float32(1))
    return scaled


def _reciprocal_ranks(some: Scores, scores: Scores) -> Scores:
    """1 / (RRF_K + rank), rank = 1 + number of chunks among all with a higher score."""
    rows = zip(np.sort(scores, axis=1), some, strict=True)
    higher = np.stack([len(row) - np.searchsorted(row, wanted, side="right") for row, wanted in rows])
    gains = 1 / (higher + float(RRF_K + 1))
    return gains.astype(np.float32)
