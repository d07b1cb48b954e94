"""BM25 over the chunks of a store, built while they stream in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.lexical import LexicalIndex, build_lexical_index
from ragassay.retrieval.stores.base import Hit
from ragassay.retrieval.tokens import TokenizedDocuments, Tokenizer, raw_words


class WordsBuilder:
    """Takes texts as they come; memory holds numbers and every distinct word once."""

    def __init__(self, language: str) -> None:
        self._tokenizer = Tokenizer(language)
        self._lengths: list[int] = []

    def add(self, texts: Sequence[str]) -> None:
        """Takes the next chunks."""
        for text in texts:
            self._tokenizer.add(raw_words(text))
            self._lengths.append(len(text))

    def result(self) -> tuple[TokenizedDocuments, LexicalIndex]:
        """Every chunk is a document of its own."""
        tokens = self._tokenizer.result()
        n = len(self._lengths)
        places = np.arange(n, dtype=np.int32)
        table = ChunkTable(places, np.zeros(n, np.int32), np.array(self._lengths, np.int32))
        return tokens, build_lexical_index(tokens, table)


def best_by_words(
    index: LexicalIndex, order: npt.NDArray[np.int64], ids: Sequence[str], terms: npt.NDArray[np.int32], k: int
) -> list[Hit]:
    """The first k chunks of one question. order: (n_chunks,), the place of each chunk's id among all, sorted."""
    scores = index.scores([terms])[0]
    rows = np.flatnonzero(scores)
    if len(rows) > k:
        border = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= border]
    best = rows[np.lexsort((order[rows], -scores[rows]))][:k]
    return [Hit(ids[row], float(scores[row])) for row in best.tolist()]


def places_of(ids: Sequence[str]) -> npt.NDArray[np.int64]:
    """The place of each id among all, sorted."""
    places = np.empty(len(ids), np.int64)
    places[np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)] = np.arange(len(ids))
    return places
