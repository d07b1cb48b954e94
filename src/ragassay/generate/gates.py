"""What a search by words says of a candidate before it is judged: whether it is answered once, and how hard to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.documents.store import DocumentStore
from ragassay.generate.candidates import Candidate
from ragassay.generate.collection import Boilerplate
from ragassay.models.base import Encoder
from ragassay.records import Difficulty, Span
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import RRF_K, top_k
from ragassay.retrieval.index import LexicalIndex
from ragassay.retrieval.tokens import TokenizedDocuments

FOUND_AMONG = 3
"""A question is easy whose document has a chunk among so many. None is dropped for being hard: retrieval would then be
compared on the questions that search by words answers."""
_ELSEWHERE_AMONG = 5
_LOOKED_AT = 12
_MOST_COMPARED = 5_000
"""Chunks whose vectors are made for this alone; a larger corpus is searched by words."""


class Searched(NamedTuple):
    """What a search says of a candidate. fault: why it should be dropped, or None."""

    fault: str | None
    difficulty: Difficulty | None


class Passage(NamedTuple):
    """A chunk that a search found. head: the title of its document, on a line; empty where the chunk begins with it."""

    span: Span
    head: str


@dataclass(eq=False)
class SearchGates:
    """What the lexical index of the whole corpus says of a question, and the lines that many documents share."""

    store: DocumentStore
    tokens: TokenizedDocuments
    table: ChunkTable
    index: LexicalIndex
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    _vectors: npt.NDArray[np.float32] | None = field(default=None, init=False)

    def searched(self, candidates: Sequence[Candidate]) -> list[Searched]:
        """What a search says of each candidate, in their order."""
        found: list[Searched] = []
        ranked = self._ranked([candidate.question for candidate in candidates], max(_ELSEWHERE_AMONG, FOUND_AMONG))
        for candidate, (asked, row) in zip(candidates, ranked, strict=True):
            home = self.store.ordinal(candidate.context.document_id)
            is_found = any(int(self.table.documents[chunk]) == home for chunk in row[:FOUND_AMONG])
            found.append(Searched(self._fault(candidate, asked, row, home), "easy" if is_found else "hard"))
        return found

    def nearest(self, questions: Sequence[str]) -> list[list[str]]:
        """For each question the texts of the chunks of the whole corpus that a search finds first, best first."""
        return [[self._text(chunk) for chunk in row] for _, row in self._ranked(questions, FOUND_AMONG)]

    def nearest_passages(
        self, questions: Sequence[str], most: int, encoder: Encoder, own: Sequence[Sequence[Span]] = ()
    ) -> list[list[Passage]]:
        """For each question the passages of the corpus that come nearest, by words and vectors, best first.

        own: the texts that each question was made from, which are left out. Vectors are compared where the corpus is
        small enough to have them at once (``_MOST_COMPARED`` chunks).
        """
        by_words = [row for _, row in self._ranked(questions, _LOOKED_AT)]
        by_vectors = self._by_vectors(questions, encoder)
        found = []
        for spans, *rankings in zip(own or [()] * len(questions), by_words, by_vectors, strict=True):
            worth: dict[int, float] = {}
            for ranking in rankings:
                for rank, chunk in enumerate(ranking):
                    worth[chunk] = worth.get(chunk, 0.0) + 1 / (RRF_K + rank)
            outside = [
                chunk for chunk in sorted(worth, key=lambda chunk: -worth[chunk]) if not self._is_in(chunk, spans)
            ]
            found.append([self._passage(chunk) for chunk in outside[:most]])
        return found

    def _span(self, chunk: int) -> Span:
        document = self.store[int(self.table.documents[chunk])]
        return document.span(int(self.table.starts[chunk]), int(self.table.ends[chunk]))

    def _passage(self, chunk: int) -> Passage:
        span, title = self._span(chunk), self.store[int(self.table.documents[chunk])].title
        return Passage(span, "" if span.text.startswith(title) else f"[{title}]\n")

    def _by_vectors(self, questions: Sequence[str], encoder: Encoder) -> list[list[int]]:
        if len(self.table) > _MOST_COMPARED or not questions:
            return [[] for _ in questions]
        if self._vectors is None:
            self._vectors = encoder.encode([self._text(chunk) for chunk in range(len(self.table))])
        ranked = top_k(encoder.encode(questions) @ self._vectors.T, _LOOKED_AT)
        return [[chunk for chunk in row.tolist() if chunk >= 0] for row in ranked.chunks]

    def _is_in(self, chunk: int, spans: Sequence[Span]) -> bool:
        """Whether at least half of a chunk lies in one of the spans."""
        start, end = int(self.table.starts[chunk]), int(self.table.ends[chunk])
        return any(
            self.store.ordinal(span.document_id) == int(self.table.documents[chunk])
            and 2 * (min(end, span.end) - max(start, span.start)) >= end - start
            for span in spans
        )

    def _ranked(self, questions: Sequence[str], most: int) -> Iterator[tuple[np.ndarray, list[int]]]:
        """The terms of each question, and the chunks that hold some of them, best first."""
        for begin in range(0, len(questions), 64):
            terms = [self.tokens.terms_of(question) for question in questions[begin : begin + 64]]
            ranked = top_k(self.index.scores(terms), most)
            for asked, chunks, scores in zip(terms, ranked.chunks, ranked.scores, strict=True):
                yield asked, [int(chunk) for chunk, score in zip(chunks, scores, strict=True) if score > 0]

    def _text(self, chunk: int) -> str:
        return self._span(chunk).text

    def _fault(self, candidate: Candidate, asked: np.ndarray, row: Sequence[int], home: int) -> str | None:
        holds = self.boilerplate.holds
        if candidate.references and all(holds(self.store.get(each.document_id), each) for each in candidate.references):
            return "it asks about a line that many documents share"
        if candidate.label in {"fact_single", None} and self._answered_elsewhere(asked, row, home):
            return "another document may answer it"
        return None

    def _answered_elsewhere(self, asked: np.ndarray, row: Sequence[int], home: int) -> bool:
        """Whether a chunk of another document holds every term of the question."""
        terms = set(asked.tolist())
        return any(
            int(self.table.documents[chunk]) != home and all(self.index.holds(term, chunk) for term in terms)
            for chunk in row[:_ELSEWHERE_AMONG]
        )
