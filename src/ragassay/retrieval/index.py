"""One chunk size of a corpus, ready to be searched lexically, densely and both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable, Int32Array
from ragassay.retrieval.dense import check_unit_rows, dense_scores
from ragassay.retrieval.hybrid import Fusion, Rankings, Scores, hybrid_scores, top_k
from ragassay.retrieval.lexical import LexicalIndex

# Scores held at once: a million float32, 4 MB an array, of which about ten are alive.
_BLOCK_SCORES = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The chunks of one size with both kinds of index; row i of everything is chunk i of the table.

    vectors: (n_chunks, dimension) float32 or float16, rows of unit length.
    """

    chunk_size: int
    table: ChunkTable
    lexical: LexicalIndex
    vectors: npt.NDArray[np.float32] | npt.NDArray[np.float16]

    def __post_init__(self) -> None:
        if not len(self.table) == self.lexical.n_chunks == len(self.vectors):
            raise ValueError(
                f"chunk size {self.chunk_size}: {len(self.table)} chunks, but {self.lexical.n_chunks} in the lexical "
                f"index and {len(self.vectors)} vectors; build all three from the same chunks"
            )
        check_unit_rows(self.vectors, "chunk")

    def score_blocks(
        self, questions: Sequence[Int32Array], question_vectors: npt.NDArray[np.float32]
    ) -> Iterator[tuple[slice, Scores, Scores]]:
        """(which questions, BM25 scores, cosines) for a block of questions at a time, so that memory is bounded."""
        check_unit_rows(question_vectors, "question")
        step = max(1, _BLOCK_SCORES // max(1, len(self.table)))
        vectors = self.vectors.astype(np.float32, copy=False)
        for begin in range(0, len(questions), step):
            block = slice(begin, min(begin + step, len(questions)))
            yield block, self.lexical.scores(questions[block]), dense_scores(vectors, question_vectors[block])

    def search(
        self,
        questions: Sequence[Int32Array],
        question_vectors: npt.NDArray[np.float32],
        fusion: Fusion,
        text_weight: float,
        k: int,
    ) -> Rankings:
        """The first k chunks of every question.

        questions: term ids from ``TokenizedDocuments.terms_of``; question_vectors: (n_questions, dimension).
        """
        found = [
            top_k(hybrid_scores(lexical, dense, fusion, text_weight), k)
            for _, lexical, dense in self.score_blocks(questions, question_vectors)
        ]
        return joined_rankings(found, k)


def joined_rankings(blocks: Sequence[Rankings], k: int) -> Rankings:
    """The rankings of blocks of questions, one after the other."""
    if not blocks:
        return Rankings(np.empty((0, k), dtype=np.int32), np.empty((0, k), dtype=np.float32))
    return Rankings(np.concatenate([block.chunks for block in blocks]), np.concatenate([b.scores for b in blocks]))
