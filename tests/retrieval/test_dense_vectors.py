"""Vectors of chunks of several sizes: which row is whose, and that both ways of reading give comparable vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ragassay.documents.chunkers import recursive_chunks
from ragassay.models.embeddings import SentenceEncoder
from ragassay.retrieval import dense_vectors
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.dense_vectors import ChunkVectors, chunk_vectors

TEXTS = [
    "The ferry leaves at nine. Dogs travel free of charge. Bicycles need a ticket of their own.",
    "",
    "Nitrogen makes up most of the air. Oxygen follows. Argon is a noble gas. " * 12,
]


@pytest.fixture(scope="module")
def encoder(ragassay_cache: Path) -> SentenceEncoder:
    return SentenceEncoder(precision="int8")


def table(chunk_chars: int) -> ChunkTable:
    offsets = [(d, *span) for d, text in enumerate(TEXTS) for span in recursive_chunks(text, chunk_chars, 10)]
    return ChunkTable(*(np.array(column, np.int32) for column in zip(*offsets, strict=True)))


@pytest.mark.parametrize("vectors", ["late", "plain"])
def test_a_few_documents_at_a_time_and_on_disk_the_vectors_are_the_same_bits(
    encoder: SentenceEncoder, vectors: ChunkVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [table(40), table(100)]
    prefixes = ["Ferries", "", "Air"]
    at_once = chunk_vectors(TEXTS, tables, encoder, vectors=vectors, prefixes=prefixes)
    monkeypatch.setattr(dense_vectors, "TOGETHER_CHARS", 1)
    streamed = chunk_vectors(iter(TEXTS), tables, encoder, vectors=vectors, prefixes=prefixes, folder=tmp_path)
    for one, other in zip(at_once, streamed, strict=True):
        assert isinstance(other, np.memmap)
        assert one.tobytes() == other.tobytes()
    assert list(tmp_path.iterdir()) == []  # the files have no name, so nothing is left behind by a killed run


@pytest.mark.parametrize("vectors", ["late", "plain"])
def test_a_prefix_enters_the_vectors_of_its_own_document_alone(encoder: SentenceEncoder, vectors: ChunkVectors) -> None:
    small = table(40)
    (without,) = chunk_vectors(TEXTS, [small], encoder, vectors=vectors)
    (with_one,) = chunk_vectors(TEXTS, [small], encoder, vectors=vectors, prefixes=["Harbour of Elm", "", ""])
    first = small.documents == 0
    assert np.array_equal(with_one[~first], without[~first])
    harbour = encoder.encode(["Harbour of Elm"])[0]
    assert (with_one[first] @ harbour > without[first] @ harbour + 0.1).all()
    assert np.linalg.norm(with_one, axis=1) == pytest.approx(1.0, abs=1e-6)
