"""One chunk size of a corpus, ready to be searched lexically, densely and both ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable, Int32Array
from ragassay.retrieval.columns import let_go, zeros
from ragassay.retrieval.hybrid import Fusion, Rankings, ScorePair, hybrid_scores, scaled, top_k
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.workers import usable_cores

# Scores held at once by each thread: four million float32, 16 MB an array, of which about six are alive. Questions are
# compared with a block of chunks many at a time: with few, the processor waits for the vectors to come from memory.
_BLOCK_SCORES = 4_000_000
_LEAST_QUESTIONS = 16
# float32 dot products of a few hundred terms change by about 1e-7 with the number of questions multiplied at once:
# rounded, equal chunks tie, and a question is served alike alone and in a block.
_DECIMALS = 6
# Vectors multiplied at once: 25 MB of 384 numbers each, which is what memory holds of a file of any length.
_BLOCK_ROWS = 16_384
_UNIT_TOLERANCE = 0.01  # float16 stays within 0.001


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The chunks of one size with both kinds of index; row i of everything is chunk i of the table.

    vectors: (n_chunks, dimension), rows of unit length. folder: for scores that are too many for memory.
    """

    table: ChunkTable
    lexical: LexicalIndex
    vectors: npt.NDArray[np.float32] | npt.NDArray[np.float16]
    folder: Path | None = None

    def __post_init__(self) -> None:
        if not len(self.table) == self.lexical.n_chunks == len(self.vectors):
            raise ValueError(
                f"{len(self.table)} chunks, but {self.lexical.n_chunks} in the lexical index and "
                f"{len(self.vectors)} vectors; build all three from the same chunks"
            )
        check_unit_rows(self.vectors, "chunk")

    def blocks(self, n_questions: int) -> list[slice]:
        """Questions that are compared with all vectors together, so that memory is bounded."""
        step = max(_LEAST_QUESTIONS, _BLOCK_SCORES // max(1, len(self.table)))
        return _slices(n_questions, step)

    def scores(self, questions: Sequence[Int32Array], question_vectors: npt.NDArray[np.float32]) -> ScorePair:
        """BM25 scores and cosines of a block of questions."""
        check_unit_rows(question_vectors, "question")
        shape = len(questions), len(self.table)
        folder = self.folder if math.prod(shape) > _BLOCK_SCORES else None
        lexical, dense = (zeros(shape, np.float32, folder) for _ in range(2))
        return ScorePair(self.lexical.scores(questions, lexical), dense_scores(self.vectors, question_vectors, dense))

    def parts(self, scores: ScorePair) -> Iterator[ScorePair]:
        """Yield the scores of a block of questions, as many of them as memory takes at once."""
        for some in _slices(len(scores.lexical), max(1, _BLOCK_SCORES // max(1, len(self.table)))):
            yield ScorePair(scores.lexical[some], scores.dense[some])
            for each in scores:
                let_go(each)

    def search(
        self,
        questions: Sequence[Int32Array],
        question_vectors: npt.NDArray[np.float32],
        fusion: Fusion,
        text_weight: float,
        k: int,
    ) -> Rankings:
        """Return the first k chunks of every question, given as term ids and vectors, (n_questions, dimension)."""
        mix = Mix(fusion, text_weight)
        return rankings_of_mixes([self], [[mix]], questions, question_vectors, k)[0][mix]


def _slices(n: int, step: int) -> list[slice]:
    return [slice(begin, min(begin + step, n)) for begin in range(0, n, step)]


def joined_rankings(blocks: Sequence[Rankings], k: int) -> Rankings:
    """Return the rankings of blocks of questions, one after the other."""
    if not blocks:
        return Rankings(np.empty((0, k), dtype=np.int32), np.empty((0, k), dtype=np.float32))
    return Rankings(np.concatenate([block.chunks for block in blocks]), np.concatenate([b.scores for b in blocks]))


class Mix(NamedTuple):
    """How lexical and dense scores are joined. text_weight: 0 is dense alone, 1 lexical alone."""

    fusion: Fusion
    text_weight: float


def rankings_of_mixes(
    indexes: Sequence[Index],
    mixes: Sequence[Sequence[Mix]],
    questions: Sequence[Int32Array],
    question_vectors: npt.NDArray[np.float32],
    depth: int,
    progress: Callable[[int], None] | None = None,
) -> list[dict[Mix, Rankings]]:
    """For each index the first ``depth`` chunks of every question by each of its mixes.

    question_vectors: (n_questions, dimension) float32. progress: told of rankings just made, each of one mix and block.
    """
    blocks: list[dict[Mix, list[Rankings]]] = [{mix: [] for mix in of_index} for of_index in mixes]
    tasks = [(place, block) for place, index in enumerate(indexes) for block in index.blocks(len(questions))]

    def work(task: tuple[int, slice]) -> dict[Mix, Rankings]:
        place, block = task
        index = indexes[place]
        parts: dict[Mix, list[Rankings]] = {mix: [] for mix in blocks[place]}
        for scores in index.parts(index.scores(questions[block], question_vectors[block])):
            on_scale: dict[Fusion, ScorePair] = {}  # of each fusion once; the ends of the weights need none
            for mix, rankings in parts.items():
                if mix.text_weight in (0, 1):
                    joined = hybrid_scores(*scores, *mix)
                else:
                    if mix.fusion not in on_scale:
                        on_scale[mix.fusion] = scaled(*scores, mix.fusion)
                    joined = on_scale[mix.fusion].joined(mix.text_weight)
                rankings.append(top_k(joined, depth))
        return {mix: joined_rankings(rankings, depth) for mix, rankings in parts.items()}

    with ThreadPoolExecutor(usable_cores()) as threads:  # numpy computes in several threads at once
        for (place, _), found in zip(tasks, threads.map(work, tasks), strict=True):
            for mix, rankings in found.items():
                blocks[place][mix].append(rankings)
            if progress is not None:
                progress(len(found))
    return [{mix: joined_rankings(parts, depth) for mix, parts in of_index.items()} for of_index in blocks]


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
    """Cosines of rows of unit length, (n_questions, n_chunks) float32, to 1e-6. out: what they are written to."""
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
