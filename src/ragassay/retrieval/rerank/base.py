"""What a reranker is, and how its scores change a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ragassay.models.base import Effort
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.hybrid import NO_CHUNK


class Candidates(NamedTuple):
    """A question and the texts of the chunks found for it, best first."""

    question: str
    texts: tuple[str, ...]


class Reranked(NamedTuple):
    """One score for each text, higher is better; None with the reason where there are none.

    effort: tokens of the model that was asked for this question; None where none was.
    """

    scores: tuple[float, ...] | None
    reason: str | None = None
    effort: Effort | None = None


class Reranker(Protocol):
    """name: what settings and reports call it. is_pointwise: a chunk's score does not depend on the other chunks."""

    @property
    def name(self) -> str: ...

    @property
    def is_pointwise(self) -> bool: ...

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """Scores of the candidates of many questions, in their order. A failure is a reason, never an error raised."""
        ...


def reordered(ranked: Int32Array, scores: Sequence[float]) -> Int32Array:
    """A ranking whose first chunks stand in the order of their new scores, those with equal ones as before.

    ranked: (k,) chunk ordinals, best first, -1 behind the last. scores: of the first ones; the others stay behind.
    """
    found = int((ranked != NO_CHUNK).sum())
    first = min(len(scores), found)
    order = np.argsort(-np.asarray(scores[:first], dtype=np.float64), kind="stable")
    changed = ranked.copy()
    changed[:first] = ranked[:first][order]
    return changed
