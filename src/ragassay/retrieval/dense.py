"""Exact dense search: the cosine of every question with every chunk, in blocks of questions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.columns import let_go

# float32 dot products of a few hundred terms change by about 1e-7 with the number of questions multiplied at once:
# rounded, equal chunks tie, and a question is served alike alone and in a block.
_DECIMALS = 6
# Vectors multiplied at once: 25 MB of 384 numbers each, which is what memory holds of a file of any length.
_BLOCK_ROWS = 16_384
_UNIT_TOLERANCE = 0.01  # float16 stays within 0.001


def check_unit_rows(vectors: npt.NDArray[np.float32] | npt.NDArray[np.float16], what: str) -> None:
    """Raise ValueError that names the first row that is not of unit length; NaN would drop out of every ranking."""
    for begin in range(0, len(vectors), _BLOCK_ROWS):
        some = vectors[begin : begin + _BLOCK_ROWS]
        squares = np.einsum("ij,ij->i", some, some, dtype=np.float32)
        let_go(vectors)
        wrong = np.flatnonzero(~(np.abs(squares - 1) < _UNIT_TOLERANCE))
        if len(wrong):
            raise ValueError(
                f"the vector of {what} {begin + wrong[0]} has length {squares[wrong[0]] ** 0.5:.3g}, not 1; "
                "encode again, and normalise what another encoder made"
            )


def dense_scores(
    vectors: npt.NDArray[np.float32] | npt.NDArray[np.float16],
    questions: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]:
    """Cosines, (n_questions, n_chunks) float32, rounded to 1e-6.

    vectors: (n_chunks, dimension), questions: (n_questions, dimension), rows of unit length. out: what they are written
    to; None for a new array.
    """
    if vectors.ndim != 2 or questions.ndim != 2 or vectors.shape[1] != questions.shape[1]:
        raise ValueError(
            f"vectors {vectors.shape} and questions {questions.shape} differ in dimension: encode both with one encoder"
        )
    scores = np.empty((len(questions), len(vectors)), dtype=np.float32) if out is None else out
    for begin in range(0, len(vectors), _BLOCK_ROWS):
        some = vectors[begin : begin + _BLOCK_ROWS]
        found = scores[:, begin : begin + _BLOCK_ROWS]
        np.round(questions @ some.astype(np.float32, copy=False).T, _DECIMALS, out=found)
        let_go(vectors)
        let_go(scores)
    return scores
