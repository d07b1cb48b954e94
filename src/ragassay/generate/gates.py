"""What a search by words says of a candidate before it is judged: whether it is answered once, and how hard to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ragassay.documents.store import DocumentStore
from ragassay.generate.candidates import Candidate
from ragassay.generate.collection import Boilerplate
from ragassay.records import Difficulty
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import top_k
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.retrieval.tokens import TokenizedDocuments

FOUND_AMONG = 3
"""A question is easy whose document has a chunk among so many. None is dropped for being hard: retrieval would then be
compared on the questions that search by words answers."""
_ELSEWHERE_AMONG = 5


class Searched(NamedTuple):
    """What a search says of a candidate. fault: why it should be dropped, or None."""

    fault: str | None
    difficulty: Difficulty | None


class SearchGates:
    """What the lexical index of the whole corpus says of a question, and the lines that many documents share."""

    def __init__(
        self,
        store: DocumentStore,
        tokens: TokenizedDocuments,
        table: ChunkTable,
        index: LexicalIndex,
        boilerplate: Boilerplate | None = None,
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._table = table
        self._index = index
        self._boilerplate = boilerplate or Boilerplate()

    def searched(self, candidates: Sequence[Candidate]) -> list[Searched]:
        """What a search says of each candidate, in their order."""
        found: list[Searched] = []
        ranked = self._ranked([candidate.question for candidate in candidates], max(_ELSEWHERE_AMONG, FOUND_AMONG))
        for candidate, (asked, row) in zip(candidates, ranked, strict=True):
            home = self._store.ordinal(candidate.context.document_id)
            is_found = any(int(self._table.documents[chunk]) == home for chunk in row[:FOUND_AMONG])
            found.append(Searched(self._fault(candidate, asked, row, home), "easy" if is_found else "hard"))
        return found

    def nearest(self, questions: Sequence[str]) -> list[list[str]]:
        """For each question the texts of the chunks of the whole corpus that a search finds first, best first."""
        return [[self._text(chunk) for chunk in row] for _, row in self._ranked(questions, FOUND_AMONG)]

    def _ranked(self, questions: Sequence[str], most: int) -> Iterator[tuple[np.ndarray, list[int]]]:
        """The terms of each question, and the chunks that hold some of them, best first."""
        for begin in range(0, len(questions), 64):
            terms = [self._tokens.terms_of(question) for question in questions[begin : begin + 64]]
            ranked = top_k(self._index.scores(terms), most)
            for asked, chunks, scores in zip(terms, ranked.chunks, ranked.scores, strict=True):
                yield asked, [int(chunk) for chunk, score in zip(chunks, scores, strict=True) if score > 0]

    def _text(self, chunk: int) -> str:
        document = self._store[int(self._table.documents[chunk])]
        return document.text[int(self._table.starts[chunk]) : int(self._table.ends[chunk])]

    def _fault(self, candidate: Candidate, asked: np.ndarray, row: Sequence[int], home: int) -> str | None:
        holds = self._boilerplate.holds
        if candidate.references and all(
            holds(self._store.get(each.document_id), each) for each in candidate.references
        ):
            return "it asks about a line that many documents share"
        if candidate.label in {"fact_single", None} and self._answered_elsewhere(asked, row, home):
            return "another document may answer it"
        return None

    def _answered_elsewhere(self, asked: np.ndarray, row: Sequence[int], home: int) -> bool:
        """Whether a chunk of another document holds every term of the question."""
        terms = set(asked.tolist())
        return any(
            int(self._table.documents[chunk]) != home and all(self._index.holds(term, chunk) for term in terms)
            for chunk in row[:_ELSEWHERE_AMONG]
        )
