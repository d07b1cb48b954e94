"""The vectors of the chunks of several sizes, cut from the same documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import numpy as np

from ragassay.corpus.chunkers import recursive_chunks
from ragassay.models.embeddings import SpannedText, Vectors
from ragassay.retrieval.chunk_table import ChunkTable

ChunkVectors: TypeAlias = Literal["late", "plain"]
"""late: documents are read once, in windows, for all chunk sizes. plain: every chunk is read by itself."""

# The window with the best recall at 256, 512 and 1024 characters alike (docs/decisions/embeddings.md).
WINDOW_CHARS = 512


class ChunkEncoder(Protocol):
    """What SentenceEncoder and CachedEncoder have in common."""

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors: ...

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors: ...


def chunk_vectors(
    texts: Sequence[str],
    tables: Sequence[ChunkTable],
    encoder: ChunkEncoder,
    *,
    vectors: ChunkVectors = "late",
    progress: Callable[[int], None] | None = None,
) -> list[Vectors]:
    """For each table the vectors of its chunks: (n_chunks, dimension) float32, rows of unit length.

    texts: the documents' texts, in the order that the tables count them.
    progress is called with the number of chunks just finished, of those of all tables.
    """
    if not tables:
        return []
    read = _late if vectors == "late" else _plain
    return read(texts, tables, encoder, progress)


def _plain(
    texts: Sequence[str],
    tables: Sequence[ChunkTable],
    encoder: ChunkEncoder,
    progress: Callable[[int], None] | None,
) -> list[Vectors]:
    pieces = [texts[document][start:end] for table in tables for document, start, end in _rows(table)]
    return np.split(encoder.encode(pieces, progress), np.cumsum([len(table) for table in tables])[:-1])


def _late(
    texts: Sequence[str],
    tables: Sequence[ChunkTable],
    encoder: ChunkEncoder,
    progress: Callable[[int], None] | None,
) -> list[Vectors]:
    spans: list[list[tuple[int, int]]] = [[] for _ in texts]
    for table in tables:
        for document, start, end in _rows(table):
            spans[document].append((start, end))
    windowed = [
        SpannedText(text, recursive_chunks(text, WINDOW_CHARS, overlap_chars=0) if of_text else [], of_text)
        for text, of_text in zip(texts, spans, strict=True)
    ]
    found = encoder.encode_spans(windowed, progress)
    # found has document after document, in each table after table; the tables want it the other way round.
    documents = [table.documents for table in tables]
    of_table = [np.full(len(table), number, np.int32) for number, table in enumerate(tables)]
    order = np.lexsort((np.concatenate(of_table), np.concatenate(documents)))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return np.split(found[place], np.cumsum([len(table) for table in tables])[:-1])


def _rows(table: ChunkTable) -> list[tuple[int, int, int]]:
    return list(zip(table.documents.tolist(), table.starts.tolist(), table.ends.tolist(), strict=True))
