"""Every question of the set on its own: which one broke."""

import pytest

import rag


@pytest.mark.ragassay("set.jsonl")
def test_the_right_paragraph_is_found(example, assert_score):
    assert_score(example, rag.answer(example.question), "recall@3", at_least=1)
