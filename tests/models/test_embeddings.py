"""The sentence encoder: what a vector may depend on, how close int8 is to fp32, what is said of missing weights."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from ragassay.errors import ModelError
from ragassay.models.embeddings import GRAPH_FILE, SentenceEncoder, SpannedText
from ragassay.models.encoder_graph import (
    Precision,
    encoder_graph,
    find_encoder_files,
)

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


def test_vectors_have_unit_length_and_the_stated_shape(int8: SentenceEncoder) -> None:
    vectors = int8.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("precision", ["int8", "int7", "fp32"])
def test_a_vector_does_not_depend_on_the_batch(precision: str, request: pytest.FixtureRequest) -> None:
    encoder: SentenceEncoder = request.getfixturevalue(precision)
    together = encoder.encode(TEXTS)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-6


@pytest.mark.parametrize("precision", ["int8", "int7"])
def test_integers_are_close_to_fp32(precision: Precision, fp32: SentenceEncoder) -> None:
    cosines = (SentenceEncoder(precision=precision).encode(TEXTS) * fp32.encode(TEXTS)).sum(axis=1)
    assert cosines.mean() > 0.995
    assert cosines.min() > 0.98


def test_similarities_are_those_of_the_original_model(fp32: SentenceEncoder) -> None:
    # The example published with the model for the hosted sentence-similarity service.
    texts = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    vectors = fp32.encode(texts)
    assert vectors[1:] @ vectors[0] == pytest.approx([0.6945773, 0.9429150, 0.2568757], abs=1e-4)


def test_a_span_that_is_a_window_has_the_vector_of_its_text(int8: SentenceEncoder) -> None:
    text = TEXTS[3]
    (span,) = int8.encode_spans([SpannedText(f"{text}\n{TEXTS[2]}", [(0, len(text))], [(0, len(text))])])
    assert np.abs(span - int8.encode([text])[0]).max() < 1e-6


def test_spans_see_their_neighbours_in_the_window(int8: SentenceEncoder) -> None:
    span = (0, 4)
    river, money = (
        int8.encode_spans([SpannedText(text, [(0, len(text))], [span])])[0]
        for text in ("bank of the river Rhine", "bank that lends me money")
    )
    assert 0.2 < river @ money < 0.95


def test_the_graph_is_written_once_and_its_bytes_are_always_the_same(
    ragassay_cache: Path, int8: SentenceEncoder
) -> None:
    int8.encode(["load"])
    (graph,) = ragassay_cache.glob(f"all-MiniLM-*-int8-*/{GRAPH_FILE}")
    assert graph.read_bytes() == encoder_graph(find_encoder_files().weights, "int8")
    assert int8.graph_sha256() == hashlib.sha256(graph.read_bytes()).hexdigest()


def find_tokenizer() -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAGASSAY_ENCODER_DIR", raising=False)
        return find_encoder_files().tokenizer


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAGASSAY_ENCODER_DIR", str(tmp_path))
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    (tmp_path / "tokenizer.json").write_bytes(find_tokenizer().read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(
        ModelError, match="its sha256 is d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
    ):
        SentenceEncoder().encode(["text"])


def test_a_head_counts_as_if_it_stood_in_front_of_every_window(int8: SentenceEncoder) -> None:
    head, text = "Harbour of Elm", "Dogs travel free of charge. Bicycles need a ticket of their own."
    windows = [(0, 27), (28, len(text))]
    texts = [SpannedText(text, windows, [*windows, (5, 20)], head), SpannedText(text, windows, [(5, 20)])]
    first, second, part, without = int8.encode_spans(texts)
    # a span that is a window has the vector of head and window as one text
    whole = int8.encode([f"{head}\n{text[:27]}", f"{head}\n{text[28:]}"])
    assert np.allclose([first, second], whole, atol=1e-6)
    harbour = int8.encode([head])[0]
    assert part @ harbour > without @ harbour + 0.2
    assert texts[0].alone()[0] == "Harbour of Elm\nDogs travel free of charge."
