"""The vectors of the chunks of several sizes, cut from the same documents, made and kept a few documents at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from ragassay.documents.chunkers import recursive_chunks
from ragassay.models.embeddings import SpannedText, Vectors
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.columns import Column

if TYPE_CHECKING:
    from ragassay.models.vector_cache import SpanEncoder

ChunkVectors: TypeAlias = Literal["late", "plain"]
"""late: documents are read once, in windows, for all chunk sizes. plain: every chunk is read by itself."""

# The window with the best recall at 256, 512 and 1024 characters alike (docs/decisions/embeddings.md).
WINDOW_CHARS = 512
# Read at once: enough for full batches of texts of one length, few enough that their vectors take some 50 MB.
TOGETHER_CHARS = 2_000_000


class Batch(NamedTuple):
    """Documents that follow each other, and the parts of tables with their chunks. prefixes: of each document."""

    texts: list[str]
    tables: list[ChunkTable]
    prefixes: list[str]


def chunk_vectors(
    texts: Iterable[str],
    tables: Sequence[ChunkTable],
    encoder: SpanEncoder,
    *,
    prefixes: Sequence[str] = (),
    vectors: ChunkVectors = "late",
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Vectors]:
    """Return for each table the vectors of its chunks: (n_chunks, dimension) float32, rows of unit length.

    texts: of documents, as the tables count them. prefixes: of each document, or none at all. A plain vector is that of
    prefix and chunk as one text; for late ones each window is read behind the prefix. folder: where the vectors lie;
    None for memory. progress: told of chunks just finished, of all tables.
    """
    if not tables:
        return []
    read = _late if vectors == "late" else _plain
    rows: list[Column] = []
    for batch in batches_of(texts, tables, prefixes):
        found = read(batch, encoder, progress)
        rows = rows or [Column(np.float32, folder, width=encoder.dimension) for _ in tables]
        for of_table, some in zip(rows, found, strict=True):
            of_table.append(some)
    return [of_table.result() for of_table in rows] or [np.empty((0, encoder.dimension), np.float32) for _ in tables]


def batches_of(texts: Iterable[str], tables: Sequence[ChunkTable], prefixes: Sequence[str]) -> Iterator[Batch]:
    """Yield as many documents at a time as are read at once, with their chunks."""
    first, some, n_chars = 0, list[str](), 0

    def batch() -> Batch:
        last = first + len(some)
        own = list(prefixes[first:last]) if prefixes else [""] * len(some)
        return Batch(some, [table.part(first, last) for table in tables], own)

    for text in texts:
        some.append(text)
        n_chars += len(text)
        if n_chars >= TOGETHER_CHARS:
            yield batch()
            first, some, n_chars = first + len(some), [], 0
    if some:
        yield batch()


def _plain(batch: Batch, encoder: SpanEncoder, progress: Callable[[int], None] | None) -> list[Vectors]:
    pieces = [
        SpannedText(batch.texts[document], [], [(start, end)], batch.prefixes[document]).alone()[0]
        for table in batch.tables
        for document, start, end in table.rows()
    ]
    return np.split(encoder.encode(pieces, progress), _borders(batch.tables))


def _late(batch: Batch, encoder: SpanEncoder, progress: Callable[[int], None] | None) -> list[Vectors]:
    spans: list[list[tuple[int, int]]] = [[] for _ in batch.texts]
    for table in batch.tables:
        for document, start, end in table.rows():
            spans[document].append((start, end))
    windowed = [
        SpannedText(text, recursive_chunks(text, WINDOW_CHARS, overlap_chars=0) if of_text else [], of_text, prefix)
        for text, of_text, prefix in zip(batch.texts, spans, batch.prefixes, strict=True)
    ]
    found = encoder.encode_spans(windowed, progress)
    # found has document after document, in each table after table; the tables want it the other way round.
    documents = [table.documents for table in batch.tables]
    of_table = [np.full(len(table), number, np.int32) for number, table in enumerate(batch.tables)]
    order = np.lexsort((np.concatenate(of_table), np.concatenate(documents)))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return np.split(found[place], _borders(batch.tables))


def _borders(tables: Sequence[ChunkTable]) -> list[int]:
    return list(np.cumsum([len(table) for table in tables])[:-1])
