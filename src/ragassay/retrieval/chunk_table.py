"""Where the chunks of one chunk size lie: three arrays instead of one record per chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """Chunks in the order of documents and of their place in them; a chunk's ordinal is its row.

    documents: (n_chunks,) int32, ordinal of the document, never falling.
    starts, ends: (n_chunks,) int32 character offsets into the document's text, starts never falling within a document.
    Raises ValueError where the order is another one.
    """

    documents: Int32Array
    starts: Int32Array
    ends: Int32Array

    def __post_init__(self) -> None:
        if not len(self.documents) == len(self.starts) == len(self.ends):
            raise ValueError(
                f"{len(self.documents)} documents, {len(self.starts)} starts, {len(self.ends)} ends: one per chunk"
            )
        if (self.starts < 0).any() or (self.ends < self.starts).any():
            raise ValueError("a chunk starts before its document or ends before it starts")
        if (np.diff(document_keys(self.documents, self.starts)) < 0).any():
            raise ValueError("chunks are not sorted by document and start")

    def __len__(self) -> int:
        return len(self.documents)

    def rows(self) -> list[tuple[int, int, int]]:
        """Return (document, start, end) of each chunk."""
        return list(zip(self.documents.tolist(), self.starts.tolist(), self.ends.tolist(), strict=True))

    def part(self, first: int, last: int) -> ChunkTable:
        """Return the chunks of documents first to last - 1, which count from 0 there."""
        begin, end = np.searchsorted(self.documents, (first, last))
        return ChunkTable(self.documents[begin:end] - np.int32(first), self.starts[begin:end], self.ends[begin:end])


def document_keys(documents: npt.NDArray[np.integer], offsets: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Return one sortable number per place in the corpus: document first, then offset (offsets are below 2**31)."""
    return (documents.astype(np.int64) << 31) + offsets


def spread(firsts: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Return first, first + 1, ... of every range, one range after the other: (sum of lengths,) int64."""
    before = np.cumsum(lengths, dtype=np.int64) - lengths
    return np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(firsts.astype(np.int64) - before, lengths)
