"""Re-ranking by a cross-encoder, which reads question and chunk together (extra ``sentence-transformers``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ragassay.errors import ModelError, UsageError
from ragassay.models.fetching import hush_hub
from ragassay.retrieval.rerank.base import Candidates, Reranked
from ragassay.retrieval.rerank.names import CROSS_ENCODER


class PairModel(Protocol):
    """What is used of sentence_transformers.CrossEncoder."""

    def predict(self, sentences: list[tuple[str, str]], **options: Any) -> Any: ...


class CrossEncoderReranker:
    """Scores as the model gives them: only their order within a question counts."""

    is_pointwise = True

    def __init__(self, model_name: str, model: PairModel | None = None) -> None:
        """model_name: on the model hub, or a folder. model: in its place, already loaded.

        Raises UsageError where the extra is not installed, ModelError where the model cannot be loaded.
        """
        self.name = f"{CROSS_ENCODER}{model_name}"
        self._model = model or _load(model_name)

    async def score_all(self, asked: Sequence[Candidates]) -> list[Reranked]:
        """One batch of all pairs. Raises ModelError for a model that gives a pair more than one score."""
        pairs = [(each.question, text) for each in asked for text in each.texts]
        scores = np.asarray(self._model.predict(pairs, show_progress_bar=False) if pairs else [], dtype=np.float64)
        if scores.size != len(pairs):
            raise ModelError(
                f"{self.name} gives {scores.size // len(pairs)} scores for a question and a chunk, as a "
                "classifier does; name a model for ranking"
            )
        parts = np.split(scores.reshape(len(pairs)), np.cumsum([len(each.texts) for each in asked])[:-1])
        return [
            Reranked(tuple(part.tolist())) if np.isfinite(part).all() else Reranked(None, "the cross-encoder gave NaN")
            for part in parts[: len(asked)]
        ]


def _load(model_name: str) -> PairModel:
    hush_hub()
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        raise UsageError(
            f"{CROSS_ENCODER}{model_name} needs sentence-transformers; install it with: "
            "pip install 'ragassay[sentence-transformers]'"
        ) from None
    try:
        model: PairModel = CrossEncoder(model_name)
    except (OSError, ValueError) as error:
        raise ModelError(f"{CROSS_ENCODER}{model_name} cannot be loaded: {str(error).splitlines()[0]}") from None
    return model
