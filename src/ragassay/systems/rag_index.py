"""The chunks of the built-in system: cut, indexed with their prefixes, and searched as its options say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ragassay.corpus.chunkers import Chunking, document_prefix
from ragassay.corpus.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.records import RankedChunk, content_id
from ragassay.retrieval.chunk_table import ChunkTable, Int32Array
from ragassay.retrieval.dense import check_unit_rows, dense_scores
from ragassay.retrieval.dense_vectors import ChunkEncoder, chunk_vectors
from ragassay.retrieval.hybrid import NO_CHUNK, Rankings, Scores, hybrid_scores, top_k
from ragassay.retrieval.lexical import LexicalIndex, build_lexical_index
from ragassay.retrieval.tokens import TokenizedDocuments, Tokenizer, raw_words
from ragassay.systems.options import RagOptions
from ragassay.systems.own_chunks import OwnChunks

_BLOCK_SCORES = 4_000_000
"""Scores held at once: 16 MB an array."""


class Searcher(Protocol):
    """What finds chunks."""

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """The first k chunks of each question, with their texts, without their prefixes.

        vectors: (n_questions, dimension), what is compared with the chunks; None for BM25 alone.
        """
        ...

    def behind_prefix(self, chunk: RankedChunk) -> str:
        """The text of a chunk as it is indexed: with its prefix, if there is one, in front."""
        ...

    def close(self) -> None:
        """Lets go of what it holds."""
        ...


class CutDocuments(NamedTuple):
    """Where the chunks are. prefixes: of each document, or none at all. language: that most of the text is in.

    ids: of chunks that are not named after their places.
    """

    store: DocumentStore
    table: ChunkTable
    prefixes: list[str]
    language: str
    ids: Mapping[tuple[str, int, int], str] = MappingProxyType({})

    def chunk(self, row: int, score: float) -> RankedChunk:
        """A chunk as predictions have it."""
        document = self.store[int(self.table.documents[row])]
        start, end = int(self.table.starts[row]), int(self.table.ends[row])
        return RankedChunk(
            chunk_id=self.ids.get((document.id, start, end)) or chunk_id(document.id, start, end),
            document_id=document.id,
            start=start,
            end=end,
            score=round(score, 6),
            text=document.text[start:end],
        )

    def behind_prefix(self, chunk: RankedChunk) -> str:
        """As ``Searcher.behind_prefix``."""
        prefix = self.prefixes[self.store.ordinal(chunk.document_id)] if self.prefixes else ""
        return f"{prefix}\n{chunk.text}" if prefix else chunk.text or ""


def chunk_id(document_id: str, start: int, end: int) -> str:
    """The id of a chunk, by its place."""
    return content_id("chunk", document_id, str(start), str(end))


@dataclass(frozen=True, slots=True, eq=False)
class RagIndex:
    """All in memory; row i of everything is chunk i of the table.

    lexical, vectors: None where the options need none.
    """

    options: RagOptions
    cut: CutDocuments
    tokens: TokenizedDocuments
    lexical: LexicalIndex | None
    vectors: npt.NDArray[np.float32] | None

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """As ``Searcher.search``."""
        terms = [self.tokens.terms_of(question) for question in questions]
        if vectors is not None:
            check_unit_rows(vectors, "question")
        step = max(1, _BLOCK_SCORES // max(1, len(self.cut.table)))
        found: list[tuple[RankedChunk, ...]] = []
        for begin in range(0, len(questions), step):
            block = slice(begin, begin + step)
            scores = self._scores(terms[block], None if vectors is None else vectors[block])
            found += self._ranked(top_k(scores, k))
        return found

    def behind_prefix(self, chunk: RankedChunk) -> str:
        """As ``Searcher.behind_prefix``."""
        return self.cut.behind_prefix(chunk)

    def close(self) -> None:
        """Nothing is held."""

    def _scores(self, terms: Sequence[Int32Array], vectors: npt.NDArray[np.float32] | None) -> Scores:
        dense = None if vectors is None or self.vectors is None else dense_scores(self.vectors, vectors)
        lexical = None if self.lexical is None else self.lexical.scores(terms)
        if lexical is None or dense is None:
            alone = dense if lexical is None else lexical
            assert alone is not None
            return hybrid_scores(alone, alone, self.options.fusion, 0 if lexical is None else 1)
        return hybrid_scores(lexical, dense, self.options.fusion, self.options.text_weight)

    def _ranked(self, rankings: Rankings) -> list[tuple[RankedChunk, ...]]:
        rows = zip(rankings.chunks.tolist(), rankings.scores.tolist(), strict=True)
        return [
            tuple(self.cut.chunk(row, score) for row, score in zip(chunks, scores, strict=True) if row != NO_CHUNK)
            for chunks, scores in rows
        ]


def build_index(
    store: DocumentStore,
    options: RagOptions,
    encoder: ChunkEncoder,
    folder: Path,
    on_documents: Callable[[int], None] = lambda done: None,
    on_chunks: Callable[[int, int], None] = lambda done, total: None,
    own: OwnChunks | None = None,
) -> RagIndex:
    """Cuts and indexes the documents of a store.

    encoder: for dense and hybrid search. folder: where the vectors lie meanwhile. on_documents: told how many more were
    cut; on_chunks: how many more chunks were embedded, of how many. own: as for ``cut_documents``.
    Raises UsageError for a prefix that no document has, or where nothing is left to be searched.
    """
    tokenizer = Tokenizer()
    cut = cut_documents(store, options, tokenizer, on_documents, own)
    tokens = tokenizer.result(cut.prefixes, cut.language)
    lexical = vectors = None
    if options.retriever != "dense":
        of_chunks = [cut.prefixes[document] for document in cut.table.documents] if cut.prefixes else []
        lexical = build_lexical_index(tokens, cut.table, of_chunks)
    if options.retriever != "lexical":
        (vectors,) = chunk_vectors(
            (document.text for document in store),
            [cut.table],
            encoder,
            prefixes=cut.prefixes,
            vectors=options.vectors,
            folder=folder,
            progress=lambda n: on_chunks(n, len(cut.table)),
        )
    return RagIndex(options, cut, tokens, lexical, vectors)


def cut_documents(
    store: DocumentStore,
    options: RagOptions,
    tokenizer: Tokenizer | None,
    on_documents: Callable[[int], None],
    own: OwnChunks | None = None,
) -> CutDocuments:
    """Cuts all documents; their words go to the tokenizer, if there is one. Raises UsageError as ``build_index``.

    own: the user's own chunks, which are taken as they are.
    """
    chunking = Chunking(chunker=options.chunker, size=options.chunk_size, overlap=options.overlap_used)
    rows: list[npt.NDArray[np.int32]] = []
    prefixes: list[str] = []
    fields = {"title", "source"}
    languages: Counter[str] = Counter()
    for ordinal, document in enumerate(store):
        cut = chunking(document.text) if own is None else own.spans.get(document.id, ())
        spans = np.array(cut, np.int32).reshape(-1, 2)
        rows.append(np.column_stack([np.full(len(spans), ordinal, np.int32), spans]))
        languages[document.language] += len(document.text)
        if tokenizer is not None:
            tokenizer.add(raw_words(document.text))
        if options.prefix:
            fields |= document.metadata.keys()
            prefixes.append(document_prefix(document, options.prefix))
        on_documents(1)
    _check_prefix(options, fields)
    joined = np.concatenate(rows) if rows else np.empty((0, 3), np.int32)
    if not len(joined):
        raise UsageError("--documents: nothing in the documents can be searched; give documents with text")
    table = ChunkTable(*(np.ascontiguousarray(joined[:, column]) for column in range(3)))
    return CutDocuments(store, table, prefixes, languages.most_common(1)[0][0], own.by_place if own is not None else {})


def _check_prefix(options: RagOptions, fields: set[str]) -> None:
    unknown = [name for name in options.prefix if name not in fields]
    if unknown:
        known = ", ".join(sorted(fields)[:20])
        raise UsageError(f"prefix: no document has {unknown[0][:60]!r}; their fields are {known}")
