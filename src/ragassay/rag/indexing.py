"""Index cut documents: what runs, sweeps and the built-in system search in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ragassay.corpus.chunkers import Chunking
from ragassay.corpus.store import DocumentStore
from ragassay.rag.cutting import Cut, Fields
from ragassay.retrieval.dense_vectors import ChunkEncoder, ChunkVectors, chunk_vectors
from ragassay.retrieval.index import Index
from ragassay.retrieval.lexical import LexicalIndex


def build_indexes(
    store: DocumentStore,
    cut: Cut,
    chunkings: Sequence[Chunking],
    encoder: ChunkEncoder | None,
    *,
    prefix: Fields = (),
    vectors: ChunkVectors = "late",
    folder: Path,
    lexical: Mapping[Chunking, LexicalIndex] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Index]:
    """Return one index for each chunking; the vectors of all of them are made together.

    encoder: None where BM25 alone is searched. folder: where the vectors lie. lexical: indexes by words that are there
    already. progress: told how many more chunks have vectors.
    """
    tables = [cut.tables[chunking] for chunking in chunkings]
    if encoder is None:  # BM25 alone looks at no vector
        rows = [np.ones((len(table), 1), np.float32) for table in tables]
    else:
        prefixes = cut.prefixes.get(prefix, [])
        texts = (document.text for document in store)
        rows = chunk_vectors(
            texts, tables, encoder, prefixes=prefixes, vectors=vectors, folder=folder, progress=progress
        )
    known = lexical or {}
    return [
        Index(chunking.size, table, known.get(chunking) or cut.lexical(chunking, prefix), of_table, folder)
        for chunking, table, of_table in zip(chunkings, tables, rows, strict=True)
    ]
