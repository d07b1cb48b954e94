"""Sentence vectors of any model that sentence-transformers can load (extra ``sentence-transformers``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from ragassay.errors import ModelError, UsageError
from ragassay.models.embeddings import SpannedText, Vectors, unit_rows
from ragassay.models.published import hush_hub

PREFIX = "sentence-transformers:"
BATCH_TEXTS = 64


class SentenceTransformersEncoder:
    """Texts of one batch have the same number of tokens, so that no padding shows in a vector."""

    def __init__(self, model_name: str, model: Any = None) -> None:
        """model_name: on the model hub, or a folder. model: a SentenceTransformer in its place.

        Raises UsageError where the extra is not installed, ModelError where the model cannot be loaded.
        """
        self.name = f"{PREFIX}{model_name}"
        self._model = model or _load(model_name)
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self._dimension = int(np.asarray(self._model.encode(["."], show_progress_bar=False)).shape[1])
        return self._dimension

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the texts' vectors: (n_texts, dimension) float32 of length 1. progress: told of those finished."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        places: dict[int, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            places[int(np.shape(self._model.preprocess([text])["input_ids"])[-1])].append(place)
        for of_length in places.values():
            for begin in range(0, len(of_length), BATCH_TEXTS):
                batch = of_length[begin : begin + BATCH_TEXTS]
                found = self._model.encode([texts[place] for place in batch], show_progress_bar=False)
                vectors[batch] = np.asarray(found, dtype=np.float32)
                if progress is not None:
                    progress(len(batch))
        return unit_rows(vectors)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the vectors of all spans, each read as a text by itself: models differ in how they pool tokens."""
        return self.encode([piece for text in texts for piece in text.alone()], progress)


def check_installed(name: str, option: str) -> None:
    """Raise UsageError for an encoder without a name behind its prefix, or without the extra; loads nothing."""
    if not name.removeprefix(PREFIX).strip():
        raise UsageError(f"{option}: {PREFIX} needs the name of a model on the hub, or a folder")
    if find_spec("sentence_transformers") is None:
        raise UsageError(
            f"{option}: {name} needs sentence-transformers; install it with: "
            "pip install 'ragassay[sentence-transformers]'"
        )


def _load(model_name: str) -> Any:
    check_installed(f"{PREFIX}{model_name}", "encoder")
    hush_hub()
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(model_name)
    except (OSError, ValueError) as error:
        raise ModelError(f"sentence-transformers:{model_name} cannot be loaded: {str(error).splitlines()[0]}") from None
