"""Where right chunks stand, and from which rank on each ground span counts: of one ranking, and of many at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]

ChunkId = TypeVar("ChunkId", str, int)

NOT_FOUND = np.iinfo(np.int32).max
"""Rank of what is not among the retrieved."""


@dataclass(frozen=True, slots=True, eq=False)
class RightChunks:
    """Which chunks are right for which ground span of which question.

    span_question: (n_spans,) int32, the question of each ground span, never falling.
    pair_span, pair_chunk: (n_pairs,) int32, one pair for every right chunk of a span, sorted by span, then chunk.
    """

    n_questions: int
    span_question: Int32Array
    pair_span: Int32Array
    pair_chunk: Int32Array

    @classmethod
    def of(cls, ground: Sequence[Sequence[Set[int]]]) -> RightChunks:
        """From sets of chunk ordinals: per question, one set per ground span."""
        spans = [span for spans in ground for span in spans]
        return cls(
            n_questions=len(ground),
            span_question=np.repeat(np.arange(len(ground), dtype=np.int32), [len(spans) for spans in ground]),
            pair_span=np.repeat(np.arange(len(spans), dtype=np.int32), [len(span) for span in spans]),
            pair_chunk=np.array([chunk for span in spans for chunk in sorted(span)], dtype=np.int32),
        )

    def sets(self) -> list[list[set[int]]]:
        """Per question, one set of chunk ordinals per ground span."""
        spans: list[set[int]] = [set() for _ in self.span_question]
        for span, chunk in zip(self.pair_span.tolist(), self.pair_chunk.tolist(), strict=True):
            spans[span].add(chunk)
        ground: list[list[set[int]]] = [[] for _ in range(self.n_questions)]
        for question, chunks in zip(self.span_question.tolist(), spans, strict=True):
            ground[question].append(chunks)
        return ground


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """right: (n_questions, depth) bool, whether the chunk at each place is right for any ground span.

    Spans stand in the order of their questions and, within one, of their ranks.
    span_question: (n_spans,) int32. span_number: (n_spans,) int64, from 1 in each question.
    span_rank: (n_spans,) int32, place of the first right chunk of each span, from 1; ``NOT_FOUND`` if there is none.
    """

    right: npt.NDArray[np.bool_]
    span_question: Int32Array
    span_number: npt.NDArray[np.int64]
    span_rank: Int32Array

    @property
    def span_count(self) -> npt.NDArray[np.int64]:
        """(n_questions,) int64, ground spans of each question."""
        return np.bincount(self.span_question, minlength=len(self.right))

    @property
    def counts_at(self) -> npt.NDArray[np.int64]:
        """(n_spans,) int64, the rank from which each span counts, as ``counting_ranks`` gives it."""
        return np.maximum(self.span_rank, self.span_number)

    def first(self, k: int) -> npt.NDArray[np.bool_]:
        """``right``, cut at rank k. Raises ValueError if k < 1 or deeper than the rankings."""
        check_depth(k, self.right.shape[1])
        return self.right[:, :k]

    def totals(self, values: npt.NDArray[np.float64], spans: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """(n_questions,) float64, the sum over the chosen spans of each question. values: of the chosen ones."""
        totals = np.bincount(self.span_question[spans], weights=values, minlength=len(self.right))
        return totals.astype(np.float64)  # of no spans at all it is int

    def where_defined(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The values, NaN for questions without a ground span."""
        return np.where(self.span_count > 0, values, np.nan)


def ranks(ranked: Int32Array, right_chunks: RightChunks) -> Ranks:
    """Looks up every right chunk in its question's ranking.

    ranked: (n_questions, depth) int32 chunk ordinals, best first, no repeats, -1 behind the last.
    """
    if len(ranked) != right_chunks.n_questions:
        raise ValueError(f"{len(ranked)} rankings for {right_chunks.n_questions} questions: give one for each")
    questions = right_chunks.span_question
    question = questions[right_chunks.pair_span]
    right = np.zeros(ranked.shape, dtype=np.bool_)
    pairs, places = np.nonzero(ranked[question] == right_chunks.pair_chunk[:, None])
    right[question[pairs], places] = True
    span_rank = np.full(len(questions), NOT_FOUND, dtype=np.int32)
    np.minimum.at(span_rank, right_chunks.pair_span[pairs], (places + 1).astype(np.int32))
    return Ranks(
        right=right,
        span_question=questions,
        span_number=np.arange(1, len(questions) + 1) - np.searchsorted(questions, questions),
        span_rank=span_rank[np.lexsort((span_rank, questions))],
    )


def counting_ranks(ranked: Sequence[ChunkId], ground: Sequence[Set[ChunkId]], k: int) -> list[int]:
    """Ranks up to k from which ground spans count, rising: of their first right chunks, but of the i-th not before i.

    A chunk that holds several spans therefore brings no more than as many chunks with one span each could have brought
    by then, and a chunk whose spans all stand further up brings nothing. With one right chunk for each span, these are
    the ranks of the right chunks. What counts depends on no chunk that was not retrieved.
    """
    places = {chunk: rank for rank, chunk in reversed([*enumerate(ranked[:k], start=1)])}
    firsts = (min((places[chunk] for chunk in right if chunk in places), default=0) for right in ground)
    found = sorted(filter(None, firsts))
    return [rank for number, first in enumerate(found, start=1) if (rank := max(first, number)) <= k]


def total(values: Iterable[float]) -> float:
    """The sum, one value after the other as ``Ranks.totals`` adds them; ``sum`` rounds in another way since 3.12."""
    return reduce(add, values, 0.0)


def check_depth(k: int, depth: int) -> None:
    """Raises ValueError if k < 1, or if the rankings end before k because they were cut there."""
    if k < 1:
        raise ValueError(f"k is {k}; it counts from 1")
    if k > depth:
        raise ValueError(f"k is {k}, but only the first {depth} chunks of each ranking were kept")
