"""Chunks: exact offsets, within bounds, nothing lost, no more overlap than asked."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.documents.chunkers import Chunking, recursive_chunks

TEXTS = st.text(alphabet=st.sampled_from("abcde  .\n\n。，公!"), max_size=300)


def covered(text: str, chunks: list[tuple[int, int]]) -> set[int]:
    return {at for start, end in chunks for at in range(start, end)}


@given(TEXTS, st.integers(1, 60), st.integers(0, 59))
def test_recursive_chunks_keep_their_laws(text, size, overlap):
    overlap = min(overlap, size - 1)
    chunks = recursive_chunks(text, size, overlap)
    for start, end in chunks:
        assert 0 < end - start <= size
        assert text[start:end] == text[start:end].strip()
    for (first_start, first_end), (start, end) in pairwise(chunks):
        assert first_start < start
        assert first_end < end
        assert first_end - start <= overlap
    assert {at for at, sign in enumerate(text) if not sign.isspace()} <= covered(text, chunks)


def test_recursive_chunks_prefer_paragraphs_then_lines_then_sentences_then_words():
    text = "Aaa bbb. Ccc ddd.\nEee fff.\n\nGgg."
    assert [text[start:end] for start, end in recursive_chunks(text, 30, 0)] == ["Aaa bbb. Ccc ddd.\nEee fff.", "Ggg."]
    assert [text[start:end] for start, end in recursive_chunks(text, 20, 0)] == [
        "Aaa bbb. Ccc ddd.",
        "Eee fff.",
        "Ggg.",
    ]
    assert [text[start:end] for start, end in recursive_chunks(text, 10, 0)] == [
        "Aaa bbb.",
        "Ccc ddd.",
        "Eee fff.",
        "Ggg.",
    ]
    assert [text[start:end] for start, end in recursive_chunks(text, 5, 0)] == [
        *("Aaa", "bbb.", "Ccc", "ddd.", "Eee", "fff.", "Ggg.")
    ]
    steps = "1. Open it now. Wait.\n12. Close it. Go."
    assert [steps[start:end] for start, end in recursive_chunks(steps, 16, 0)] == [
        *("1. Open it now.", "Wait.", "12. Close it.", "Go.")
    ]
    assert steps[slice(*recursive_chunks(steps, 12, 0)[0])] == "1. Open it"
    assert recursive_chunks("abcdefgh", 3, 1) == [(0, 3), (2, 5), (4, 7), (6, 8)]


@given(st.sampled_from(["sentences", "tokens"]), TEXTS, st.integers(1, 20), st.integers(0, 19))
def test_windows_of_sentences_and_tokens_cover_and_overlap_as_asked(chunker, text, size, overlap):
    chunks = Chunking(chunker=chunker, size=size, overlap=min(overlap, size - 1))(text)
    assert {at for at, sign in enumerate(text) if not sign.isspace()} <= covered(text, chunks)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in pairwise(chunks))


@pytest.mark.parametrize("text", ["x" * 1_000_000, "x " * 500_000, "\n" * 1_000_000, "A b. " * 200_000])
def test_monotonous_text_takes_no_quadratic_time(text):
    start = time.process_time()
    recursive_chunks(text, 512, 48)
    assert time.process_time() - start < 60
