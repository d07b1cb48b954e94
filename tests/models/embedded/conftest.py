"""An encoder for the tests of the rules: vectors of hashed words, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest


class WordHashEncoder:
    """Texts that share words are near each other; nothing else is known of meaning. calls: texts of each call."""

    name = "word hashes"
    dimension = 64

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(n_texts, 64) float32, each row of unit length."""
        self.calls.append(list(texts))
        vectors = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                digest = hashlib.blake2b(word.strip(".,?!").encode(), digest_size=2).digest()
                vectors[row, int.from_bytes(digest) % self.dimension] += 1.0
        unit: npt.NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@pytest.fixture
def encoder() -> WordHashEncoder:
    return WordHashEncoder()
