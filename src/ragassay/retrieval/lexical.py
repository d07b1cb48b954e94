"""Exact BM25 over chunks, built from tokens that all chunk sizes share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable, Int32Array, document_keys, spread
from ragassay.retrieval.tokens import TokenizedDocuments

# Defaults of Lucene and Elasticsearch, inside the ranges of Robertson and Zaragoza 2009, section 3.3.
K1 = 1.2
B = 0.75


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
        """Whether a chunk holds a term."""
        low, high = int(self.first[term]), int(self.first[term + 1])
        place = low + int(np.searchsorted(self.chunks[low:high], chunk))
        return place < high and int(self.chunks[place]) == chunk

    def scores(self, questions: Sequence[Int32Array]) -> npt.NDArray[np.float32]:
        """(n_questions, n_chunks) float32; above 0 exactly where a chunk holds a term of the question.

        questions: term ids of each, from ``TokenizedDocuments.terms_of``.
        """
        scores = np.zeros((len(questions), self.n_chunks), dtype=np.float32)
        for row, terms in zip(scores, questions, strict=True):
            for term in terms:
                low, high = self.first[term], self.first[term + 1]
                row[self.chunks[low:high]] += self.gains[low:high]
        return scores


def build_lexical_index(
    tokens: TokenizedDocuments, table: ChunkTable, prefixes: Sequence[str] = (), *, k1: float = K1, b: float = B
) -> LexicalIndex:
    """The index of one chunk size. A chunk holds the tokens that lie wholly inside it.

    prefixes: one for each chunk, or none at all; their terms count as if they stood in the chunk. Give the same
        ones to ``tokenize_documents``.
    """
    if prefixes and len(prefixes) != len(table):
        raise ValueError(f"{len(prefixes)} prefixes for {len(table)} chunks: give one for each chunk, or none")
    n_chunks, n_terms = len(table), len(tokens.vocabulary)
    terms, chunks = _tokens_of_chunks(tokens, table)
    if prefixes:
        prefix_terms, prefix_chunks = _tokens_of_prefixes(tokens, prefixes)
        terms, chunks = np.concatenate((terms, prefix_terms)), np.concatenate((chunks, prefix_chunks))
    lengths = np.bincount(chunks, minlength=n_chunks)
    pairs = np.sort(terms.astype(np.int64) * max(1, n_chunks) + chunks)
    is_new = np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    places = np.flatnonzero(is_new)
    frequencies = np.diff(np.append(places, len(pairs)))
    pair_terms, pair_chunks = np.divmod(pairs[places], max(1, n_chunks))
    holding = np.bincount(pair_terms, minlength=n_terms)
    idf = np.log1p((n_chunks - holding + 0.5) / (holding + 0.5))
    norms = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-9)) if n_chunks else np.empty(0)
    gains = idf[pair_terms] * frequencies / (frequencies + norms[pair_chunks])
    return LexicalIndex(
        n_chunks=n_chunks,
        first=np.append(0, np.cumsum(holding)),
        chunks=pair_chunks.astype(np.int32),
        gains=gains.astype(np.float32),
    )


def _tokens_of_chunks(tokens: TokenizedDocuments, table: ChunkTable) -> tuple[Int32Array, Int32Array]:
    """(terms, chunk ordinals) of every token in every chunk that holds it."""
    keys = document_keys(tokens.documents, tokens.starts)
    low = np.searchsorted(keys, document_keys(table.documents, table.starts))
    high = np.searchsorted(keys, document_keys(table.documents, table.ends))
    places = spread(low, high - low)
    chunks = np.repeat(np.arange(len(table), dtype=np.int32), high - low)
    whole = tokens.ends[places] <= table.ends[chunks]
    return tokens.terms[places[whole]], chunks[whole]


def _tokens_of_prefixes(tokens: TokenizedDocuments, prefixes: Sequence[str]) -> tuple[Int32Array, Int32Array]:
    distinct = {prefix: tokens.terms_of(prefix) for prefix in dict.fromkeys(prefixes)}
    counts = [len(distinct[prefix]) for prefix in prefixes]
    chunks = np.repeat(np.arange(len(prefixes), dtype=np.int32), counts)
    return np.concatenate([distinct[prefix] for prefix in prefixes]), chunks
