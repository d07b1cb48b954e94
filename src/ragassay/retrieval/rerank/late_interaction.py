"""Re-ranking by late interaction: the question is compared with each sentence of a chunk, and the best one counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragassay.models.base import Encoder
from ragassay.retrieval.rerank.base import Candidates, Reranked
from ragassay.retrieval.rerank.names import LATE_INTERACTION
from ragassay.text import sentences


class LateInteractionReranker:
    """MaxSim (Khattab and Zaharia 2020, ColBERT, section 3.2) over vectors of sentences in place of tokens.

    The built-in encoder was trained for sentences; see docs/retrieval.md for what tokens give.
    """

    name = LATE_INTERACTION

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """The highest cosine of the question with a sentence of the chunk, rounded to 1e-6; -1 for an empty chunk."""
        split = {text: sentences(text) for each in asked for text in each.texts}
        place_of = {
            sentence: place for place, sentence in enumerate(dict.fromkeys(s for some in split.values() for s in some))
        }
        questions = self._encoder.encode([each.question for each in asked])
        vectors = self._encoder.encode(list(place_of))
        rows = {text: [place_of[sentence] for sentence in some] for text, some in split.items()}
        return [
            Reranked(tuple(_best(question, vectors[rows[text]]) for text in each.texts))
            for question, each in zip(questions, asked, strict=True)
        ]


def _best(question: np.ndarray, found: np.ndarray) -> float:
    return float(np.round((found @ question).max(initial=-1), 6))
