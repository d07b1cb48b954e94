"""The chunks of the built-in system: cut, indexed with their prefixes, and searched as its options say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

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

_BLOCK_SCORES = 4_000_000
"""Scores held at once: 16 MB an array."""


@dataclass(frozen=True, slots=True, eq=False)
class RagIndex:
    """Row i of everything is chunk i of the table. lexical, vectors: None where the options need none."""

    options: RagOptions
    store: DocumentStore
    table: ChunkTable
    tokens: TokenizedDocuments
    lexical: LexicalIndex | None
    vectors: npt.NDArray[np.float32] | None

    @property
    def text_weight(self) -> float:
        """Of BM25: 1 alone, 0 not at all."""
        return {"lexical": 1.0, "dense": 0.0, "hybrid": self.options.text_weight}[self.options.retriever]

    def search(
        self, questions: Sequence[str], vectors: npt.NDArray[np.float32] | None, k: int
    ) -> list[tuple[RankedChunk, ...]]:
        """The first k chunks of each question, with their texts, without their prefixes.

        vectors: (n_questions, dimension), what is compared with the chunks; None for BM25 alone.
        """
        terms = [self.tokens.terms_of(question) for question in questions]
        if vectors is not None:
            check_unit_rows(vectors, "question")
        step = max(1, _BLOCK_SCORES // max(1, len(self.table)))
        found: list[tuple[RankedChunk, ...]] = []
        for begin in range(0, len(questions), step):
            block = slice(begin, begin + step)
            scores = self._scores(terms[block], None if vectors is None else vectors[block])
            found += self._ranked(top_k(scores, k))
        return found

    def _scores(self, terms: Sequence[Int32Array], vectors: npt.NDArray[np.float32] | None) -> Scores:
        dense = None if vectors is None or self.vectors is None else dense_scores(self.vectors, vectors)
        lexical = None if self.lexical is None else self.lexical.scores(terms)
        if lexical is None or dense is None:
            alone = dense if lexical is None else lexical
            assert alone is not None
            return hybrid_scores(alone, alone, self.options.fusion, 0 if lexical is None else 1)
        return hybrid_scores(lexical, dense, self.options.fusion, self.text_weight)

    def _ranked(self, rankings: Rankings) -> list[tuple[RankedChunk, ...]]:
        rows = zip(rankings.chunks.tolist(), rankings.scores.tolist(), strict=True)
        return [
            tuple(self._chunk(chunk, score) for chunk, score in zip(chunks, scores, strict=True) if chunk != NO_CHUNK)
            for chunks, scores in rows
        ]

    def _chunk(self, chunk: int, score: float) -> RankedChunk:
        document = self.store[int(self.table.documents[chunk])]
        start, end = int(self.table.starts[chunk]), int(self.table.ends[chunk])
        return RankedChunk(
            chunk_id=content_id("chunk", document.id, str(start), str(end)),
            document_id=document.id,
            start=start,
            end=end,
            score=round(score, 6),
            text=document.text[start:end],
        )


def build_index(
    store: DocumentStore,
    options: RagOptions,
    encoder: ChunkEncoder | None,
    folder: Path,
    on_documents: Callable[[int], None] = lambda done: None,
    on_chunks: Callable[[int, int], None] = lambda done, total: None,
) -> RagIndex:
    """Cuts and indexes the documents of a store.

    encoder: for dense and hybrid search. folder: where the vectors lie meanwhile. on_documents: told how many more were
    cut; on_chunks: how many more chunks were embedded, of how many.
    Raises UsageError for a prefix that no document has, or where nothing is left to be searched.
    """
    cut = Chunking(chunker=options.chunker, size=options.chunk_size, overlap=options.overlap_used)
    tokenizer = Tokenizer()
    rows: list[npt.NDArray[np.int32]] = []
    prefixes: list[str] = []
    fields = {"title", "source"}
    for ordinal, document in enumerate(store):
        spans = np.array(cut(document.text), np.int32).reshape(-1, 2)
        rows.append(np.column_stack([np.full(len(spans), ordinal, np.int32), spans]))
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
    tokens = tokenizer.result(prefixes)
    lexical = vectors = None
    if options.retriever != "dense":
        of_chunks = [prefixes[document] for document in table.documents] if prefixes else []
        lexical = build_lexical_index(tokens, table, of_chunks)
    if options.retriever != "lexical":
        if encoder is None:
            raise ValueError("dense and hybrid search need an encoder")
        texts = (document.text for document in store)
        (vectors,) = chunk_vectors(
            texts,
            [table],
            encoder,
            prefixes=prefixes,
            vectors=options.vectors,
            folder=folder,
            progress=lambda n: on_chunks(n, len(table)),
        )
    return RagIndex(options, store, table, tokens, lexical, vectors)


def _check_prefix(options: RagOptions, fields: set[str]) -> None:
    unknown = [name for name in options.prefix if name not in fields]
    if unknown:
        known = ", ".join(sorted(fields)[:20])
        raise UsageError(f"prefix: no document has {unknown[0][:60]!r}; their fields are {known}")
