"""Where the right chunks stand in many rankings at once: what the vectorised metrics share."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]

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

    span_rank: (n_spans,) int32, place of the first right chunk of each span, from 1; ``NOT_FOUND`` if there is none.
    span_question: (n_spans,) int32. right_count: (n_questions,) int64, different right chunks in the corpus.
    pair_place: (n_hits, 2) int64, question and place from 0 of every right chunk of every span that is found, once for
    each span. pair_key: (n_pairs,) int64, question and chunk of every right chunk of every span, in one number.
    """

    right: npt.NDArray[np.bool_]
    span_rank: Int32Array
    span_question: Int32Array
    right_count: npt.NDArray[np.int64]
    pair_place: npt.NDArray[np.int64]
    pair_key: npt.NDArray[np.int64]

    @property
    def span_count(self) -> npt.NDArray[np.int64]:
        """(n_questions,) int64, ground spans of each question."""
        return np.bincount(self.span_question, minlength=len(self.right))

    def first(self, k: int) -> npt.NDArray[np.bool_]:
        """``right``, cut at rank k. Raises ValueError if k < 1 or deeper than the rankings."""
        check_depth(k, self.right.shape[1])
        return self.right[:, :k]

    def grade_at(self) -> npt.NDArray[np.int64]:
        """(n_questions, depth) int64, for how many ground spans the chunk at each place is right."""
        depth = self.right.shape[1]
        places = self.pair_place[:, 0] * depth + self.pair_place[:, 1]
        return np.bincount(places, minlength=self.right.size).reshape(self.right.shape)

    def grades(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Question and grade of every right chunk, both (n_right,) int64: for how many ground spans it is right."""
        distinct, grades = np.unique(self.pair_key, return_counts=True)
        return distinct >> 32, grades

    def where_defined(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The values, NaN for questions without a ground span."""
        return np.where(self.span_count > 0, values, np.nan)


def ranks(ranked: Int32Array, right_chunks: RightChunks) -> Ranks:
    """Looks up every right chunk in its question's ranking.

    ranked: (n_questions, depth) int32 chunk ordinals, best first, no repeats, -1 behind the last.
    """
    if len(ranked) != right_chunks.n_questions:
        raise ValueError(f"{len(ranked)} rankings for {right_chunks.n_questions} questions: give one for each")
    question = right_chunks.span_question[right_chunks.pair_span]
    hit = ranked[question] == right_chunks.pair_chunk[:, None]
    right = np.zeros(ranked.shape, dtype=np.bool_)
    pairs, places = np.nonzero(hit)
    right[question[pairs], places] = True
    span_rank = np.full(len(right_chunks.span_question), NOT_FOUND, dtype=np.int32)
    np.minimum.at(span_rank, right_chunks.pair_span[pairs], (places + 1).astype(np.int32))
    keys = (question.astype(np.int64) << 32) + right_chunks.pair_chunk
    return Ranks(
        right=right,
        span_rank=span_rank,
        span_question=right_chunks.span_question,
        right_count=np.bincount(np.unique(keys) >> 32, minlength=len(ranked)),
        pair_place=np.column_stack((question[pairs], places)).astype(np.int64),
        pair_key=keys,
    )


def check_depth(k: int, depth: int) -> None:
    """Raises ValueError if k < 1, or if the rankings end before k because they were cut there."""
    if k < 1:
        raise ValueError(f"k is {k}; it counts from 1")
    if k > depth:
        raise ValueError(f"k is {k}, but only the first {depth} chunks of each ranking were kept")
