"""Exact search in vectors that need not fit into memory: a block of them at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.columns import let_go
from ragassay.retrieval.stores.base import MARGIN, Hit, Vectors, best_first, cosines

BLOCK_ROWS = 16_384
BLOCK_QUESTIONS = 256
"""Questions compared with a block at once: their scores take 16 MB, and the vectors are read so much less often."""


def nearest(vectors: Vectors, ids: Sequence[str], questions: Vectors, k: int) -> list[list[Hit]]:
    """The k nearest of each question. vectors: (n, dimension), in memory or a mapped file, of which 25 MB are held."""
    found: list[list[Hit]] = []
    for begin in range(0, len(questions), BLOCK_QUESTIONS):
        some = questions[begin : begin + BLOCK_QUESTIONS]
        candidates = _candidates(vectors, some, k)
        for question, rows in zip(some, candidates, strict=True):
            found.append(best_first([ids[row] for row in rows.tolist()], cosines(vectors[rows], question), k))
            let_go(vectors)  # a row brings many of its neighbours with it
    return found


def _candidates(vectors: Vectors, questions: Vectors, k: int) -> list[npt.NDArray[np.int64]]:
    """For each question the rows that may be among the k nearest: all that come within the margin of the k-th."""
    rows = [np.empty(0, np.int64) for _ in questions]
    scores = [np.empty(0, np.float32) for _ in questions]
    floors = np.full(len(questions), -np.inf, np.float32)
    for begin in range(0, len(vectors), BLOCK_ROWS):
        block = vectors[begin : begin + BLOCK_ROWS]
        products = questions @ block.T
        let_go(vectors)
        if products.shape[1] > k:
            best = np.partition(products, products.shape[1] - k, axis=1)[:, products.shape[1] - k]
            np.maximum(floors, best - np.float32(MARGIN), out=floors)
        for place in np.flatnonzero((products >= floors[:, None]).any(axis=1)).tolist():
            new = np.flatnonzero(products[place] >= floors[place])
            rows[place] = np.concatenate([rows[place], new + begin])
            scores[place] = np.concatenate([scores[place], products[place, new]])
            if len(rows[place]) > k:
                border = np.partition(scores[place], len(scores[place]) - k)[len(scores[place]) - k]
                floors[place] = max(floors[place], border - np.float32(MARGIN))
                kept = scores[place] >= floors[place]
                rows[place], scores[place] = rows[place][kept], scores[place][kept]
    return rows
