"""Tokens of a question and its chunks, counted by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline import question_tokens as counting
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.question_tokens import question_tokens
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import Rankings
from ragassay.sweep.configuration import Configuration
from ragassay.sweep.retrieval_sweep import ConfigurationResult

TEXTS = ("one two three four", "five six seven")
QUESTIONS = ("one two", "five")
TABLE = ChunkTable(
    documents=np.array([0, 0, 1], np.int32), starts=np.array([0, 8, 0], np.int32), ends=np.array([7, 18, 14], np.int32)
)
"""Chunks "one two", "three four" and "five six seven": 2, 2 and 3 tokens, one a word."""


def corpus() -> Corpus:
    store = [SimpleNamespace(text=text) for text in TEXTS]
    return cast(Corpus, SimpleNamespace(store=store, tables={9: TABLE}))


def result(weight: float, chunks: list[list[int]]) -> ConfigurationResult:
    found = np.array(chunks, np.int32)
    return ConfigurationResult(
        Configuration(chunk_size=9, fusion="raw_linear", text_weight=weight),
        Rankings(found, np.zeros(found.shape, np.float32)),
        {},
    )


def test_a_word_is_a_token() -> None:
    assert [estimate_tokens(text) for text in (*TEXTS, *QUESTIONS, "three four")] == [4, 3, 2, 1, 2]


def test_the_question_and_its_first_five_chunks_are_counted() -> None:
    found = question_tokens(
        corpus(),
        QUESTIONS,
        [
            result(0, [[0, 1, -1, -1, -1, -1], [2, 0, 1, -1, -1, -1]]),  # 2 + 2 + 2 = 6 and 1 + 3 + 2 + 2 = 8
            result(1, [[2, 2, 2, 2, 2, 0], [-1, -1, -1, -1, -1, -1]]),  # 2 + 5 * 3 = 17, the sixth is not read; 1
        ],
        None,
    )
    assert [each.configuration.text_weight for each in found] == [0, 1]
    assert [each.estimate.value for each in found] == [7, 9]
    assert [(each.estimate.n, each.estimate.total) for each in found] == [(2, 2)] * 2
    assert question_tokens(corpus(), QUESTIONS, [], None) == ()


def test_a_chunk_is_counted_once_and_only_if_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return estimate_tokens(text)

    monkeypatch.setattr(counting, "estimate_tokens", count)
    question_tokens(corpus(), QUESTIONS, [result(0, [[0, 2]] * 2), result(1, [[2, 0]] * 2)], None)
    assert sorted(counted) == sorted([*QUESTIONS, "one two", "five six seven"])
