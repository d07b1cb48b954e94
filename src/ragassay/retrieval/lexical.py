"""Exact BM25 over chunks, built from tokens that all chunk sizes share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable, Int32Array, document_keys, spread
from ragassay.retrieval.columns import Column, let_go, zeros
from ragassay.retrieval.tokens import TokenizedDocuments

# Defaults of Lucene and Elasticsearch, inside the ranges of Robertson and Zaragoza 2009, section 3.3.
K1 = 1.2
B = 0.75

_BLOCK_TOKENS = 500_000
"""Tokens that are sorted together, as many more as the last document has: some 40 MB meanwhile."""
_NO_MORE = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class LexicalIndex:
    """What every term adds to the score of every chunk that holds it, worked out when the index is built.

    score(chunk, question) = sum over the question's terms t of
        ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5)) * tf / (tf + k1 * (1 - b + b * length / mean length)),
    N chunks, df of them with t, length in tokens; a term that the question repeats counts each time.
    Source: Robertson and Zaragoza 2009, in the variant of Lucene (Kamphuis et al. 2020), whose weights are never
    negative and which leaves out the constant factor k1 + 1.

    first: (n_terms + 1,) int64; the postings of term t are chunks[first[t]:first[t + 1]], ascending, with
    gains, float32, beside them.
    """

    n_chunks: int
    first: npt.NDArray[np.int64]
    chunks: Int32Array
    gains: npt.NDArray[np.float32]

    def holds(self, term: int, chunk: int) -> bool:
        """Return whether a chunk holds a term."""
        low, high = int(self.first[term]), int(self.first[term + 1])
        place = low + int(np.searchsorted(self.chunks[low:high], chunk))
        return place < high and int(self.chunks[place]) == chunk

    def scores(
        self, questions: Sequence[Int32Array], out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return (n_questions, n_chunks) float32; above 0 exactly where a chunk holds a term. out: zeros to add to."""
        scores = np.zeros((len(questions), self.n_chunks), dtype=np.float32) if out is None else out
        for row, terms in zip(scores, questions, strict=True):
            for term in terms:
                low, high = self.first[term], self.first[term + 1]
                row[self.chunks[low:high]] += self.gains[low:high]
            let_go(scores)
        let_go(self.chunks)
        let_go(self.gains)
        return scores


def build_lexical_index(
    tokens: TokenizedDocuments,
    table: ChunkTable,
    prefixes: Sequence[str] = (),
    folder: Path | None = None,
) -> LexicalIndex:
    """Index one chunk size. A chunk holds the tokens that lie wholly inside it.

    prefixes: one for each chunk, or none at all; their terms, of ``tokenize_documents`` too, count as if they stood
    there. folder: where the postings lie, in files without a name; None for memory.
    """
    if prefixes and len(prefixes) != len(table):
        raise ValueError(f"{len(prefixes)} prefixes for {len(table)} chunks: give one for each chunk, or none")
    n_chunks, n_terms = len(table), len(tokens.vocabulary)
    lengths, holding = np.zeros(n_chunks, np.int64), np.zeros(n_terms, np.int64)
    columns = [Column(np.int32, folder) for _ in range(3)]
    borders = [0]
    for block in _blocks(tokens, table):
        found = _postings(tokens, table, prefixes, block)
        lengths[block.chunks] = np.bincount(
            found.chunks - block.chunks.start, found.frequencies, block.chunks.stop - block.chunks.start
        )
        holding += np.bincount(found.terms, minlength=n_terms)
        borders.append(borders[-1] + len(found.terms))
        for column, rows in zip(columns, found, strict=True):
            column.append(rows)
    # by blocks of chunks until here, by terms from here on: each block's go behind those of the blocks before
    by_block = _Postings(*(column.result() for column in columns))
    idf = np.log1p((n_chunks - holding + 0.5) / (holding + 0.5))
    norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9)) if n_chunks else np.empty(0)
    first = np.append(0, np.cumsum(holding))
    chunks, gains = (zeros((borders[-1],), kind, folder) for kind in (np.int32, np.float32))
    filled = first[:-1].copy()
    for low, high in pairwise(borders):
        terms, of_chunks, frequencies = (column[low:high] for column in by_block)
        counts = np.bincount(terms, minlength=n_terms)
        places = np.repeat(filled - (np.cumsum(counts) - counts), counts) + np.arange(high - low)
        chunks[places] = of_chunks
        gains[places] = idf[terms] * frequencies / (frequencies + norms[of_chunks])
        filled += counts
        for array in (*by_block, chunks, gains):
            let_go(array)
    return LexicalIndex(n_chunks=n_chunks, first=first, chunks=chunks, gains=gains)


class _Postings(NamedTuple):
    """Sorted by term, then chunk, each pair once, (n,) int32 each."""

    terms: Int32Array
    chunks: Int32Array
    frequencies: Int32Array


class _Block(NamedTuple):
    """Chunks of some documents, and the tokens of these."""

    chunks: slice
    tokens: slice


def _blocks(tokens: TokenizedDocuments, table: ChunkTable) -> Iterator[_Block]:
    first = begin = start = 0
    while begin < len(table):
        further = start + _BLOCK_TOKENS
        next_document = int(tokens.documents[further]) if further < len(tokens.documents) else _NO_MORE
        first = max(first + 1, next_document)
        # as int32, or the whole column would be copied as int64
        end, stop = (int(np.searchsorted(column, np.int32(first))) for column in (table.documents, tokens.documents))
        if end > begin:
            yield _Block(slice(begin, end), slice(start, stop))
        begin, start = end, stop


def _postings(tokens: TokenizedDocuments, table: ChunkTable, prefixes: Sequence[str], block: _Block) -> _Postings:
    terms, chunks = _tokens_of_chunks(tokens, table, block)
    if prefixes:
        prefix_terms, prefix_chunks = _tokens_of_prefixes(tokens, prefixes[block.chunks])
        terms, chunks = np.concatenate((terms, prefix_terms)), np.concatenate((chunks, prefix_chunks))
    n_chunks = block.chunks.stop - block.chunks.start
    pairs = np.sort(terms.astype(np.int64) * n_chunks + chunks)
    is_new = np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    places = np.flatnonzero(is_new)
    frequencies = np.diff(np.append(places, len(pairs)))
    pair_terms, pair_chunks = np.divmod(pairs[places], n_chunks)
    return _Postings(
        pair_terms.astype(np.int32), (pair_chunks + block.chunks.start).astype(np.int32), frequencies.astype(np.int32)
    )


def _tokens_of_chunks(tokens: TokenizedDocuments, table: ChunkTable, block: _Block) -> tuple[Int32Array, Int32Array]:
    """Return (terms, chunk ordinals from the block's first) of every token in every chunk that holds it."""
    columns = (tokens.documents, tokens.terms, tokens.starts, tokens.ends)
    documents, terms, starts, ends = (np.array(column[block.tokens]) for column in columns)
    for column in columns:
        let_go(column)
    in_table = (table.documents, table.starts, table.ends)
    of_chunks, chunk_starts, chunk_ends = (column[block.chunks] for column in in_table)
    keys = document_keys(documents, starts)
    low = np.searchsorted(keys, document_keys(of_chunks, chunk_starts))
    high = np.searchsorted(keys, document_keys(of_chunks, chunk_ends))
    places = spread(low, high - low)
    chunks = np.repeat(np.arange(len(of_chunks), dtype=np.int32), high - low)
    whole = ends[places] <= chunk_ends[chunks]
    return terms[places[whole]], chunks[whole]


def _tokens_of_prefixes(tokens: TokenizedDocuments, prefixes: Sequence[str]) -> tuple[Int32Array, Int32Array]:
    distinct = {prefix: tokens.terms_of(prefix) for prefix in dict.fromkeys(prefixes)}
    counts = [len(distinct[prefix]) for prefix in prefixes]
    chunks = np.repeat(np.arange(len(prefixes), dtype=np.int32), counts)
    return np.concatenate([distinct[prefix] for prefix in prefixes]), chunks
