"""Keeps sentence vectors between runs, in one SQLite file that several processes may share."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ragassay.models.base import Encoder
from ragassay.models.cache import KeptValues, cache_folder, key_of
from ragassay.models.embeddings import SpannedText, Vectors, unit_rows

T = TypeVar("T")

FILE_NAME = "vectors.sqlite"
# Characters encoded between two commits, some seconds of work: a killed run loses at most that.
COMMIT_CHARS = 400_000
LENGTH_TOLERANCE = 0.01
"""Rounding to float16 moves the length of a vector by less than a thousandth (its fraction has 10 bits)."""


class SpanEncoder(Encoder, Protocol):
    """An encoder that also gives vectors of spans within their texts, see SentenceEncoder.encode_spans."""

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors: ...

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors: ...


class CachedEncoder:
    """An encoder that computes no vector twice. computed, reused: distinct vectors of the calls so far, to count both.

    A vector is always given back from its stored form, float16, also when it has just been computed: the first run and
    the second give the same bits. One that is not of length 1 (a damaged file) is computed anew. Trouble with the file
    never stops a run: one warning says why.
    """

    def __init__(self, encoder: SpanEncoder, folder: Path | None = None) -> None:
        """folder: where the file lies; None takes the user's cache folder."""
        self._encoder = encoder
        self._store = KeptValues((folder or cache_folder()) / FILE_NAME, "sentence vectors")
        self._lock = threading.Lock()
        self.computed = 0
        self.reused = 0

    @property
    def name(self) -> str:
        return self._encoder.name

    @property
    def dimension(self) -> int:
        return self._encoder.dimension

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the texts' vectors: (n_texts, dimension) float32 of length 1. progress: as the encoder tells it."""
        jobs = [_Job(key_of(self._maker, [text]), 1, len(text), text) for text in texts]
        return self._gather(jobs, self._encoder.encode, progress)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the vectors of all spans: (n_spans, dimension) float32. progress: as in encode, in spans."""
        jobs = [_Job(self._key_of_spans(text), len(text.spans), len(text.text), text) for text in texts if text.spans]
        return self._gather(jobs, self._encoder.encode_spans, progress)

    def close(self) -> None:
        self._store.close()

    def _gather(
        self,
        jobs: Sequence[_Job[T]],
        encode: Callable[[list[T], Callable[[int], None] | None], Vectors],
        progress: Callable[[int], None] | None,
    ) -> Vectors:
        """Return the vectors of the jobs in their order, those that are not stored encoded first."""
        repeats = Counter(job.key for job in jobs)
        # Shortest first, because texts of equal length share a batch.
        distinct = sorted({job.key: job for job in jobs}.values(), key=lambda job: job.n_chars)
        found = self._store.read(list(repeats))
        stored = {job.key: found[job.key] for job in distinct if self._is_whole(found.get(job.key, b""), job)}
        missing = [job for job in distinct if job.key not in stored]
        reused = [job for job in distinct if job.key in stored]
        self.count(0, sum(job.count for job in reused))
        if progress is not None:
            progress(sum(job.count * repeats[job.key] for job in reused))
        for part in _parts(missing):
            vectors = encode([job.text for job in part], progress).astype(np.float16)
            ends = np.cumsum([job.count for job in part])[:-1]
            fresh = {job.key: rows.tobytes() for job, rows in zip(part, np.split(vectors, ends), strict=True)}
            self._store.write(fresh)
            stored.update(fresh)
            self.count(len(vectors), 0)
            if progress is not None:
                progress(sum(job.count * (repeats[job.key] - 1) for job in part))
        # rows of length 1, which rounding to float16 had taken from them
        return unit_rows(_rows(b"".join(stored[job.key] for job in jobs), self.dimension))

    def _is_whole(self, stored: object, job: _Job[Any]) -> bool:
        """Return whether these are so many vectors of length 1, as far as float16 goes. SQLite may hold any type."""
        if not isinstance(stored, bytes) or len(stored) != 2 * self.dimension * job.count:
            return False
        lengths = np.linalg.norm(_rows(stored, self.dimension), axis=1)
        return bool((np.abs(lengths - 1) < LENGTH_TOLERANCE).all())

    @cached_property
    def _maker(self) -> str:
        """What a vector depends on beside its text: where a graph makes it that is a file here, the hash of that."""
        graph_sha256 = getattr(self._encoder, "graph_sha256", None)
        return f"{self.name}-{graph_sha256()}" if graph_sha256 else self.name

    def _key_of_spans(self, text: SpannedText) -> bytes:
        offsets = (",".join(f"{start}:{end}" for start, end in pairs) for pairs in (text.windows, text.spans))
        return key_of(self._maker, ["spans", *offsets, text.text, *([text.head] if text.head else [])])

    def count(self, computed: int, reused: int) -> None:
        """Add to the account, also for encoders of other processes on the same store."""
        with self._lock:
            self.computed += computed
            self.reused += reused


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    """What is encoded in one piece. key: of its vectors, of which there are ``count``."""

    key: bytes
    count: int
    n_chars: int
    text: T


def _parts(jobs: Sequence[_Job[T]]) -> Iterator[list[_Job[T]]]:
    """Return the jobs to encode and commit at once."""
    part: list[_Job[T]] = []
    n_chars = 0
    for job in jobs:
        part.append(job)
        n_chars += job.n_chars
        if n_chars >= COMMIT_CHARS:
            yield part
            part, n_chars = [], 0
    if part:
        yield part


def _rows(stored: bytes, dimension: int) -> Vectors:
    return np.frombuffer(stored, np.float16).reshape(-1, dimension).astype(np.float32)
