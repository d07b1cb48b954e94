"""Which chunks are right for a question: by character offsets, so that it holds for any chunking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.errors import RecordError
from ragassay.records import Example
from ragassay.retrieval.chunk_table import ChunkTable, document_keys, spread

Int64Array = npt.NDArray[np.int64]
RightChunks = list[list[set[int]]]
"""Of each question, for each ground span the ordinals of the chunks that are right for it."""


def right_chunks(examples: Sequence[Example], document_ids: Sequence[str], table: ChunkTable) -> RightChunks:
    """The right chunks of every ground span of every example (``Example.ground_spans``).

    A chunk is right for a span if it covers at least half of it or lies at least half inside it. That depends on no
    other chunk, so it can be told of recorded chunks too, of which the rest is not known (``views.by_chunk``).
    document_ids: in the order in which ``table`` counts documents.
    Raises RecordError where a span names a document that is not there.
    """
    ordinals = {document_id: ordinal for ordinal, document_id in enumerate(document_ids)}
    spans: list[set[int]] = []
    right: RightChunks = []
    places: list[tuple[int, int, int, int]] = []
    for example in examples:
        right.append([])
        for span in example.ground_spans:
            known = [each for each in span.places if each.document_id in ordinals]
            is_gap = not span.document_id or (not span.text and span.end <= span.start)  # no chunk is right for it
            if not known and not is_gap:
                raise RecordError(
                    f"example {example.id} refers to document {span.document_id}, which is not in the "
                    "corpus; add the document or drop the example"
                )
            places += [(len(spans), ordinals[each.document_id], each.start, each.end) for each in known]
            spans.append(set())
            right[-1].append(spans[-1])
    of_span, documents, starts, ends = np.array(places, np.int64).reshape(-1, 4).T
    found, chunks = _right_pairs(table, documents, starts, ends)
    for span, chunk in zip(of_span[found].tolist(), chunks.tolist(), strict=True):
        spans[span].add(chunk)
    return right


def _right_pairs(
    table: ChunkTable, documents: Int64Array, starts: Int64Array, ends: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(span, chunk) of every pair that is right, sorted by span, then chunk."""
    spans, chunks = _touching(table, documents, starts, ends)
    chunk_starts, chunk_ends = table.starts[chunks], table.ends[chunks]
    shared = np.minimum(chunk_ends, ends[spans]) - np.maximum(chunk_starts, starts[spans])
    right = (shared > 0) & (2 * shared >= np.minimum((ends - starts)[spans], chunk_ends - chunk_starts))
    return spans[right], chunks[right]


def _touching(
    table: ChunkTable, documents: Int64Array, starts: Int64Array, ends: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(span, chunk) of every pair that shares a character, sorted by span, then chunk."""
    # Ends may fall where a short chunk follows a long one that it lies in: the furthest end so far never does.
    furthest = np.maximum.accumulate(document_keys(table.documents, table.ends))
    low = np.searchsorted(furthest, document_keys(documents, starts), side="right")
    high = np.searchsorted(document_keys(table.documents, table.starts), document_keys(documents, ends), side="left")
    counts = np.maximum(high - low, 0)
    spans, chunks = np.repeat(np.arange(len(documents)), counts), spread(low, counts)
    touches = (table.documents[chunks] == documents[spans]) & (table.ends[chunks] > starts[spans])
    return spans[touches], chunks[touches]
