"""One chunk size of a corpus, ready to be searched lexically, densely and both ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable, Int32Array, document_keys, spread
from ragassay.retrieval.columns import Column, let_go, zeros
from ragassay.retrieval.hybrid import Fusion, Rankings, ScorePair, hybrid_scores, scaled, top_k
from ragassay.retrieval.tokens import TokenizedDocuments
from ragassay.workers import usable_cores

# Defaults of Lucene and Elasticsearch, inside the ranges of Robertson and Zaragoza 2009, section 3.3.
K1 = 1.2
B = 0.75

_BLOCK_TOKENS = 500_000
"""Tokens that are sorted together, as many more as the last document has: some 40 MB meanwhile."""
_NO_MORE = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class LexicalIndex:
    """What every term adds to the score of every chunk that holds it, worked out when the index is built.

    score(chunk, question) = sum over the question's terms t of
        ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5)) * tf / (tf + k1 * (1 - b + b * length / mean length)),
    N chunks, df of them with t, length in tokens; a term that the question repeats counts each time.
    Source: Robertson and Zaragoza 2009, in the variant of Lucene (Kamphuis et al. 2020), whose weights are never
    negative and which leaves out the constant factor k1 + 1.

    first: (n_terms + 1,) int64; the postings of term t are chunks[first[t]:first[t + 1]], ascending, with
    gains, float32, beside them.
    """

    n_chunks: int
    first: npt.NDArray[np.int64]
    chunks: Int32Array
    gains: npt.NDArray[np.float32]

    def holds(self, term: int, chunk: int) -> bool:
        """Return whether a chunk holds a term."""
        low, high = int(self.first[term]), int(self.first[term + 1])
        place = low + int(np.searchsorted(self.chunks[low:high], chunk))
        return place < high and int(self.chunks[place]) == chunk

    def scores(
        self, questions: Sequence[Int32Array], out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return (n_questions, n_chunks) float32; above 0 exactly where a chunk holds a term. out: zeros to add to."""
        scores = np.zeros((len(questions), self.n_chunks), dtype=np.float32) if out is None else out
        for row, terms in zip(scores, questions, strict=True):
            for term in terms:
                low, high = self.first[term], self.first[term + 1]
                row[self.chunks[low:high]] += self.gains[low:high]
            let_go(scores)
        let_go(self.chunks)
        let_go(self.gains)
        return scores


def build_lexical_index(
    tokens: TokenizedDocuments,
    table: ChunkTable,
    prefixes: Sequence[str] = (),
    folder: Path | None = None,
) -> LexicalIndex:
    """Index one chunk size. A chunk holds the tokens that lie wholly inside it.

    prefixes: one for each chunk, or none at all; their terms, of ``tokenize_documents`` too, count as if they stood
    there. folder: where the postings lie, in files without a name; None for memory.
    """
    if prefixes and len(prefixes) != len(table):
        raise ValueError(f"{len(prefixes)} prefixes for {len(table)} chunks: give one for each chunk, or none")
    n_chunks, n_terms = len(table), len(tokens.vocabulary)
    lengths, holding = np.zeros(n_chunks, np.int64), np.zeros(n_terms, np.int64)
    columns = [Column(np.int32, folder) for _ in range(3)]
    borders = [0]
    for block in _blocks(tokens, table):
        found = _postings(tokens, table, prefixes, block)
        lengths[block.chunks] = np.bincount(
            found.chunks - block.chunks.start, found.frequencies, block.chunks.stop - block.chunks.start
        )
        holding += np.bincount(found.terms, minlength=n_terms)
        borders.append(borders[-1] + len(found.terms))
        for column, rows in zip(columns, found, strict=True):
            column.append(rows)
    # by blocks of chunks until here, by terms from here on: each block's go behind those of the blocks before
    by_block = _Postings(*(column.result() for column in columns))
    idf = np.log1p((n_chunks - holding + 0.5) / (holding + 0.5))
    norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9)) if n_chunks else np.empty(0)
    first = np.append(0, np.cumsum(holding))
    chunks, gains = (zeros((borders[-1],), kind, folder) for kind in (np.int32, np.float32))
    filled = first[:-1].copy()
    for low, high in pairwise(borders):
        terms, of_chunks, frequencies = (column[low:high] for column in by_block)
        counts = np.bincount(terms, minlength=n_terms)
        places = np.repeat(filled - (np.cumsum(counts) - counts), counts) + np.arange(high - low)
        chunks[places] = of_chunks
        gains[places] = idf[terms] * frequencies / (frequencies + norms[of_chunks])
        filled += counts
        for array in (*by_block, chunks, gains):
            let_go(array)
    return LexicalIndex(n_chunks=n_chunks, first=first, chunks=chunks, gains=gains)


class _Postings(NamedTuple):
    """Sorted by term, then chunk, each pair once, (n,) int32 each."""

    terms: Int32Array
    chunks: Int32Array
    frequencies: Int32Array


class _Block(NamedTuple):
    """Chunks of some documents, and the tokens of these."""

    chunks: slice
    tokens: slice


def _blocks(tokens: TokenizedDocuments, table: ChunkTable) -> Iterator[_Block]:
    first = begin = start = 0
    while begin < len(table):
        further = start + _BLOCK_TOKENS
        next_document = int(tokens.documents[further]) if further < len(tokens.documents) else _NO_MORE
        first = max(first + 1, next_document)
        # as int32, or the whole column would be copied as int64
        end, stop = (int(np.searchsorted(column, np.int32(first))) for column in (table.documents, tokens.documents))
        if end > begin:
            yield _Block(slice(begin, end), slice(start, stop))
        begin, start = end, stop


def _postings(tokens: TokenizedDocuments, table: ChunkTable, prefixes: Sequence[str], block: _Block) -> _Postings:
    terms, chunks = _tokens_of_chunks(tokens, table, block)
    if prefixes:
        prefix_terms, prefix_chunks = _tokens_of_prefixes(tokens, prefixes[block.chunks])
        terms, chunks = np.concatenate((terms, prefix_terms)), np.concatenate((chunks, prefix_chunks))
    n_chunks = block.chunks.stop - block.chunks.start
    pairs = np.sort(terms.astype(np.int64) * n_chunks + chunks)
    is_new = np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    places = np.flatnonzero(is_new)
    frequencies = np.diff(np.append(places, len(pairs)))
    pair_terms, pair_chunks = np.divmod(pairs[places], n_chunks)
    return _Postings(
        pair_terms.astype(np.int32), (pair_chunks + block.chunks.start).astype(np.int32), frequencies.astype(np.int32)
    )


def _tokens_of_chunks(tokens: TokenizedDocuments, table: ChunkTable, block: _Block) -> tuple[Int32Array, Int32Array]:
    """Return (terms, chunk ordinals from the block's first) of every token in every chunk that holds it."""
    columns = (tokens.documents, tokens.terms, tokens.starts, tokens.ends)
    documents, terms, starts, ends = (np.array(column[block.tokens]) for column in columns)
    for column in columns:
        let_go(column)
    in_table = (table.documents, table.starts, table.ends)
    of_chunks, chunk_starts, chunk_ends = (column[block.chunks] for column in in_table)
    keys = document_keys(documents, starts)
    low = np.searchsorted(keys, document_keys(of_chunks, chunk_starts))
    high = np.searchsorted(keys, document_keys(of_chunks, chunk_ends))
    places = spread(low, high - low)
    chunks = np.repeat(np.arange(len(of_chunks), dtype=np.int32), high - low)
    whole = ends[places] <= chunk_ends[chunks]
    return terms[places[whole]], chunks[whole]


def _tokens_of_prefixes(tokens: TokenizedDocuments, prefixes: Sequence[str]) -> tuple[Int32Array, Int32Array]:
    distinct = {prefix: tokens.terms_of(prefix) for prefix in dict.fromkeys(prefixes)}
    counts = [len(distinct[prefix]) for prefix in prefixes]
    chunks = np.repeat(np.arange(len(prefixes), dtype=np.int32), counts)
    return np.concatenate([distinct[prefix] for prefix in prefixes]), chunks


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
