"""The store of sentence vectors: nothing is computed twice, the same bits come back, and a bad file stops nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from ragassay.models import cache, vector_cache
from ragassay.models.embeddings import SpannedText, Vectors
from ragassay.models.vector_cache import FILE_NAME, CachedEncoder


class CountingEncoder:
    """Two-dimensional vectors from a text's length. seen: what it was given; interrupt_after: texts until it stops."""

    dimension = 2

    def __init__(self, name: str = "counting", interrupt_after: int | None = None) -> None:
        self.name = name
        self.seen: list[str] = []
        self._interrupt_after = interrupt_after

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        if self._interrupt_after is not None and len(self.seen) + len(texts) > self._interrupt_after:
            raise KeyboardInterrupt
        self.seen.extend(texts)
        if progress is not None:
            progress(len(texts))
        angles = np.array([len(text) / 7 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        return self.encode([text.text[start:end] for text in texts for start, end in text.spans], progress)


def test_what_is_stored_is_not_computed_again(tmp_path: Path) -> None:
    first = CachedEncoder(CountingEncoder(), tmp_path)
    first.encode(["a", "bb", "a"])
    assert (first.computed, first.reused) == (2, 0)
    first.encode(["bb", "ccc"])
    assert (first.computed, first.reused) == (3, 1)
    encoder = CountingEncoder()
    second = CachedEncoder(encoder, tmp_path)
    second.encode(["ccc", "a", "bb"])
    assert (second.computed, second.reused) == (0, 3)
    assert encoder.seen == []


def test_fresh_and_stored_vectors_have_the_same_bits_and_unit_length(tmp_path: Path) -> None:
    texts = ["x" * n for n in range(40)]
    fresh = CachedEncoder(CountingEncoder(), tmp_path).encode(texts)
    stored = CachedEncoder(CountingEncoder(), tmp_path).encode(texts)
    assert np.array_equal(fresh, stored)
    assert stored.dtype == np.float32
    assert np.linalg.norm(stored, axis=1) == pytest.approx(1.0, abs=1e-6)
    # float16 has a 10-bit fraction: an element in [0.5, 1) is off by at most 2**-12.
    assert np.abs(stored - CountingEncoder().encode(texts)).max() < 2**-11


def test_an_interrupted_run_keeps_what_was_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "COMMIT_CHARS", 10)
    texts = ["x" * n for n in (1, 2, 3, 4, 5, 6, 7)]
    # Shortest first, committed at ten characters or more: 1+2+3+4, then 5+6, then 7. The third share is interrupted.
    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(CountingEncoder(interrupt_after=6), tmp_path).encode(texts)
    resumed = CachedEncoder(CountingEncoder(), tmp_path)
    vectors = resumed.encode(texts)
    assert (resumed.computed, resumed.reused) == (1, 6)
    undisturbed = CachedEncoder(CountingEncoder(), tmp_path / "other").encode(texts)
    assert np.array_equal(vectors, undisturbed)


def test_spans_are_computed_once_for_a_text_and_its_windows(tmp_path: Path) -> None:
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    one = SpannedText("abcdef", windows=[(0, 6)], spans=[(0, 2), (1, 5)])
    first = cached.encode_spans([one, one])
    assert (cached.computed, cached.reused) == (2, 0)
    assert np.array_equal(first[:2], first[2:])
    again = cached.encode_spans([one])
    assert (cached.computed, cached.reused) == (2, 2)
    assert np.array_equal(again, first[:2])
    # Read in other windows, the same span means something else.
    cached.encode_spans([one._replace(windows=[(0, 3), (3, 6)])])
    assert (cached.computed, cached.reused) == (4, 2)
    # So it does behind a head.
    cached.encode_spans([one._replace(head="title")])
    assert (cached.computed, cached.reused) == (6, 2)


@pytest.mark.parametrize("change", ["zeroblob(length(vector))", "substr(vector, 2)", "'text'", "7"])
def test_a_stored_value_that_is_no_unit_vector_is_computed_again(tmp_path: Path, change: str) -> None:
    first = CachedEncoder(CountingEncoder(), tmp_path).encode(["a", "b"])
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute(f"UPDATE vectors SET vector = {change}")
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    assert np.array_equal(cached.encode(["a", "b"]), first)
    assert (cached.computed, cached.reused) == (2, 0)


def test_a_corrupt_file_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database " * 100)
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    with pytest.warns(RuntimeWarning, match="are not kept in .* or is removed"):
        cached.encode(["a"])
    cached.encode(["a"])
    assert (cached.computed, cached.reused) == (2, 0)


def test_a_full_disk_costs_one_warning_and_leaves_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    CachedEncoder(CountingEncoder(), tmp_path).encode(["a"])
    open_store = cache._open

    def open_full(path: Path) -> sqlite3.Connection:
        connection = open_store(path)
        # SQLite then reports what it reports on a full disk.
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(cache, "_open", open_full)
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    texts = [f"text {n}" for n in range(3000)]
    cached.encode(texts)
    cached.encode(texts)
    assert ["full" in str(warning.message) for warning in recwarn] == [True]
    cached.encode(["a"])
    assert cached.reused == 1
