"""The sentence encoder: what a vector may depend on, how close int8 is to fp32, what is said of missing weights."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from ragassay.models.embeddings import GRAPH_FILE, SentenceEncoder, SpannedText
from ragassay.models.encoder_graph import encoder_graph

TEXTS = [
    "",
    "Who may read the archive?",
    "The archive opens at nine.",
    "The archive is open to members from nine in the morning until five in the afternoon, except on public holidays.",
    "SELECT name, price FROM articles WHERE price > 10 ORDER BY price DESC;",
    "Die Ausleihe ist kostenlos. 图书馆九点开门。",
    "A reader may borrow six books for four weeks. " * 9,
]


@pytest.fixture(scope="module")
def int8(ragassay_cache: Path) -> SentenceEncoder:
    return SentenceEncoder(precision="int8")


@pytest.fixture(scope="module")
def int7(ragassay_cache: Path) -> SentenceEncoder:
    return SentenceEncoder(precision="int7")


@pytest.fixture(scope="module")
def fp32(ragassay_cache: Path) -> SentenceEncoder:
    return SentenceEncoder(precision="fp32")


@pytest.mark.parametrize("precision", ["int8", "int7", "fp32"])
def test_a_vector_does_not_depend_on_the_batch(precision: str, request: pytest.FixtureRequest) -> None:
    encoder: SentenceEncoder = request.getfixturevalue(precision)
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-6


def test_similarities_are_those_of_the_original_model(fp32: SentenceEncoder) -> None:
    # The example published with the model for the hosted sentence-similarity service.
    texts = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    vectors = fp32.encode(texts)
    assert vectors[1:] @ vectors[0] == pytest.approx([0.6945773, 0.9429150, 0.2568757], abs=1e-4)


def test_a_span_that_is_a_window_has_the_vector_of_its_text(int8: SentenceEncoder) -> None:
    text = TEXTS[3]
    (span,) = int8.encode_spans([SpannedText(f"{text}\n{TEXTS[2]}", [(0, len(text))], [(0, len(text))])])
    assert np.abs(span - int8.encode([text])[0]).max() < 1e-6


def test_the_graph_is_written_once_and_its_bytes_are_always_the_same(
    ragassay_cache: Path, int8: SentenceEncoder
) -> None:
    int8.encode(["load"])
    (graph,) = ragassay_cache.glob(f"all-MiniLM-*-int8-*/{GRAPH_FILE}")
    assert graph.read_bytes() == encoder_graph("int8")
    assert int8.graph_sha256() == hashlib.sha256(graph.read_bytes()).hexdigest()
