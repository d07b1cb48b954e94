"""The encoder over sentence-transformers, with a stand-in for the library's model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ragassay.models.sentence_transformers_encoder import SentenceTransformersEncoder


class Model:
    """Letters counted. It pads, as real ones do: batch mates show in a vector unless they are of one length."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def preprocess(self, inputs: list[str]) -> dict[str, Any]:
        return {"input_ids": np.zeros((len(inputs), 2 + max(len(text.split()) for text in inputs)))}

    def encode(self, sentences: list[str], **options: Any) -> np.ndarray:
        self.batches.append(sentences)
        padding = max(len(text.split()) for text in sentences)
        rows = [[1 + text.count(letter) for letter in "abcdefgh"] + [padding - len(text.split())] for text in sentences]
        return np.array(rows, dtype=np.float64)


def test_vectors_of_unit_length_that_do_not_depend_on_the_batch() -> None:
    texts = ["a bag", "a", "dead beef", "a bad cab fed", "b"]
    encoder = SentenceTransformersEncoder("some/model", Model())
    together = encoder.encode(texts)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0, abs=1e-6)
    for text, row in zip(texts, together, strict=True):
        assert np.array_equal(encoder.encode([text])[0], row)
    assert (encoder.name, encoder.dimension) == ("sentence-transformers:some/model", 9)
    assert encoder.encode([]).shape == (0, 9)
