"""Exact dense search: the cosine of every question with every chunk, in blocks of questions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# float32 dot products of a few hundred terms change by about 1e-7 with the number of questions multiplied at once:
# rounded, equal chunks tie, and a question is served alike alone and in a block.
_DECIMALS = 6


def dense_scores(
    vectors: npt.NDArray[np.float32] | npt.NDArray[np.float16], questions: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Cosines, (n_questions, n_chunks) float32, rounded to 1e-6.

    vectors: (n_chunks, dimension), questions: (n_questions, dimension), rows of unit length.
    """
    if vectors.ndim != 2 or questions.ndim != 2 or vectors.shape[1] != questions.shape[1]:
        raise ValueError(
            f"vectors {vectors.shape} and questions {questions.shape} differ in dimension: encode both with one encoder"
        )
    return np.round(questions @ vectors.astype(np.float32, copy=False).T, _DECIMALS)
