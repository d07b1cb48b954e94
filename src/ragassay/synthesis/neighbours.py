"""The document that is nearest to another in words: a second context for questions that need two."""

from __future__ import annotations

import numpy as np

from ragassay.corpus.store import DocumentStore
from ragassay.records import Document
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import top_k
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.retrieval.tokens import TokenizedDocuments

_LOOKED_AT = 40
"""Chunks that are looked at for one of another document: a long document has many near its own words."""
_OPENING_CHARS = 600


class Neighbours:
    """Finds neighbours by BM25 over the chunks of the whole corpus."""

    def __init__(
        self, store: DocumentStore, tokens: TokenizedDocuments, table: ChunkTable, index: LexicalIndex
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._table = table
        self._index = index

    def of(self, document: Document, most: int = 1) -> list[Document]:
        """The nearest other documents by title and opening, nearest first; none where no other shares a word."""
        home = self._store.ordinal(document.id)
        terms = np.unique(self._tokens.terms_of(f"{document.title} {document.text[:_OPENING_CHARS]}"))
        ranked = top_k(self._index.scores([terms.astype(np.int32)]), _LOOKED_AT)
        found: dict[int, None] = {}
        for chunk, score in zip(ranked.chunks[0], ranked.scores[0], strict=True):
            if chunk < 0 or score <= 0:
                break
            owner = int(self._table.documents[chunk])
            if owner != home:
                found[owner] = None
        return [self._store[owner] for owner in list(found)[:most]]
