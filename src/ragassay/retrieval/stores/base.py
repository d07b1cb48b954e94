"""What a store is, and the order that all stores rank in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from ragassay.errors import InputError

Vectors = npt.NDArray[np.float32]

DECIMALS = 6
MARGIN = 2e-6
"""How far a dot product in float32 may be from the exact one, twice over: candidates within it are worked out again."""


class ChunkBatch(NamedTuple):
    """Chunks that are put into a store together.

    ids: one for each, no id twice in a store. texts: what BM25 looks at, prefixes included. vectors: (n, dimension)
    float32, rows of unit length.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    vectors: Vectors


class Hit(NamedTuple):
    """A chunk that was found, with its score."""

    id: str
    score: float


class Store(Protocol):
    """Chunks that can be searched by vector and by word.

    is_exact: whether ``dense`` finds the very best, or nearly the best; ``lexical`` is exact in all stores.
    fingerprint: what ``fill`` was told; empty where nothing was filled in. Stores on disk and on servers keep it.
    """

    @property
    def is_exact(self) -> bool: ...

    @property
    def fingerprint(self) -> str: ...

    def __len__(self) -> int: ...

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Takes all chunks, in the place of what was there. Raises InputError for an id that comes twice."""
        ...

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """The k chunks with the highest cosine for each question, best first.

        questions: (n_questions, dimension), rows of unit length. Cosines are rounded to 1e-6; equal ones stand in the
        order of the ids, so that exact stores agree to the last bit.
        """
        ...

    def lexical(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """The k chunks with the highest BM25 for each question, of those that share a term with it.

        Scores as in ``LexicalIndex``, to the last bit; equal ones stand in the order of the ids.
        """
        ...

    def close(self) -> None:
        """Lets go of files and connections."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


def cosines(vectors: Vectors, question: Vectors) -> npt.NDArray[np.float64]:
    """Exact to 1e-6 however many rows there are, which float32 products are not."""
    found: npt.NDArray[np.float64] = np.round(vectors.astype(np.float64) @ question.astype(np.float64), DECIMALS)
    return found + 0.0  # -0.0 would be another bit pattern


def best_first(ids: Sequence[str], scores: npt.NDArray[np.floating], k: int) -> list[Hit]:
    """The first k by score, then by id."""
    order = sorted(range(len(ids)), key=lambda place: (-scores[place], ids[place]))
    return [Hit(ids[place], float(scores[place])) for place in order[:k]]


def check_new(ids: Iterable[str], seen: set[str]) -> None:
    """Adds the ids to those seen. Raises InputError for one that is there already."""
    for each in ids:
        if each in seen:
            raise InputError(f"two chunks have the id {each}; give every chunk its own id")
        seen.add(each)
