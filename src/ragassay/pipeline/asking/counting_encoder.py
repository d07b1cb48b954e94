"""What an embedding model on a server would be sent, counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ragassay.models.embeddings import SentenceEncoder, SpannedText, Vectors
from ragassay.models.endpoint_encoder import BATCH_CHARS, BATCH_TEXTS
from ragassay.models.estimating import Estimates
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.models.vector_cache import CachedEncoder

EMBEDDING_TASK = "embedding"


class CountingEncoder(CachedEncoder):
    """Counts what an embedding model on a server would be sent, and gives the vectors of the embedded encoder."""

    def __init__(self, name: str, estimates: Estimates) -> None:
        super().__init__(SentenceEncoder())
        self._endpoint_name = name
        self._estimates = estimates

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count(texts)
        return super().encode(texts, progress)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        self._count([piece for text in texts for piece in text.alone()])
        return super().encode_spans(texts, progress)

    def _count(self, texts: Sequence[str]) -> None:
        new = [text for text in texts if self._estimates.is_new(self._endpoint_name, EMBEDDING_TASK, text)]
        tokens = sum(estimate_tokens(text) for text in new)
        calls = math.ceil(max(len(new) / BATCH_TEXTS, sum(map(len, new)) / BATCH_CHARS))
        self._estimates.add(EMBEDDING_TASK, self._endpoint_name, tokens, 0, calls)
