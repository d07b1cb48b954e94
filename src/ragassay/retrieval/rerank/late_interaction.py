"""Re-ranking by late interaction: each word of the question is compared with each word of a chunk."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ragassay.models.embeddings import SpannedText
from ragassay.models.vector_cache import SpanEncoder
from ragassay.retrieval.rerank.base import Candidates, Reranked
from ragassay.retrieval.rerank.names import LATE_INTERACTION

WordVectors: TypeAlias = npt.NDArray[np.float16]

_WORD = re.compile(r"\w+")
_TOGETHER = 32
"""Questions whose chunks are read at once."""
_KEPT_WORDS = 200_000
"""Words whose vectors are kept for the questions to come: 150 MB of 384 numbers each."""


class LateInteractionReranker:
    """MaxSim (Khattab and Zaharia 2020, ColBERT, section 3.2) over the words of question and chunk.

    A word's vector is the mean of its tokens as the built-in encoder reads them in their text. The encoder was not
    trained for this; that it helps all the same was measured (docs/retrieval.md), and comparing whole sentences helps
    less or harms.
    """

    name = LATE_INTERACTION
    is_pointwise = True

    def __init__(self, encoder: SpanEncoder) -> None:
        """encoder: without a cache on disk, which vectors of all words would flood."""
        self._encoder = encoder
        self._kept: OrderedDict[str, WordVectors] = OrderedDict()
        self._n_kept = 0

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """The mean over the question's words of the highest cosine with a word of the chunk, rounded to 1e-6.

        -1 for a chunk without a word; no scores for a question without one.
        """
        scored: list[Reranked] = []
        for begin in range(0, len(asked), _TOGETHER):
            some = asked[begin : begin + _TOGETHER]
            words = self._words([each.question for each in some] + [text for each in some for text in each.texts])
            scored += [_scored(words[each.question], [words[text] for text in each.texts]) for each in some]
        return scored

    def _words(self, texts: Sequence[str]) -> dict[str, WordVectors]:
        """Text to the vectors of its words, (n_words, dimension) float16."""
        found = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        spanned = [SpannedText(text, [(0, len(text))], [m.span() for m in _WORD.finditer(text)]) for text in missing]
        vectors = self._encoder.encode_spans(spanned).astype(np.float16)
        ends = np.cumsum([len(each.spans) for each in spanned])
        for text, own in zip(missing, np.split(vectors, ends[:-1]) if missing else (), strict=True):
            found[text] = own.copy()
            self._keep(text, found[text])
        return found

    def _keep(self, text: str, vectors: WordVectors) -> None:
        self._kept[text] = vectors
        self._n_kept += len(vectors)
        while self._n_kept > _KEPT_WORDS:
            self._n_kept -= len(self._kept.popitem(last=False)[1])


def _scored(question: WordVectors, texts: Sequence[WordVectors]) -> Reranked:
    if not len(question):
        return Reranked(None, "not re-ranked: the question has no word")
    asked = question.astype(np.float32)
    best = [(asked @ text.astype(np.float32).T).max(axis=1, initial=-1).mean() for text in texts]
    return Reranked(tuple(round(float(score), 6) for score in best))
