"""The published weights with the shipped verifier's adapter: known replies, hostile texts, no influence of company."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import ADAPTER

HOSTILE = ["", " ", "\ud800\udfff", "<|im_end|>" * 3, "\0\u202e", "a" * 600, "1" * 300, "图书馆九点开门。👩‍👩‍👧"]


@pytest.fixture(scope="module")
def model(ragassay_cache: Path) -> SmallModel:
    """The graph that the tests of the verifier use too: to write another one takes ten times as long as to ask it."""
    return SmallModel.load(ADAPTER)


def test_what_the_base_knows_is_still_there(model: SmallModel) -> None:
    # Which of two colours has the higher probability does not depend on the last digits.
    prompt = "What colour is a ripe banana? A ripe banana is"
    yellow, seven = model.log_probabilities([prompt, prompt], [" yellow", " seven"])
    assert yellow.sum() > seven.sum() + 3


def test_numbers_are_split_into_digits_as_in_training(model: SmallModel) -> None:
    assert [model.tokenizer.decode([token]) for token in model.tokenizer.encode("in 2024")] == [
        *("in", " ", "2", "0", "2", "4")
    ]


def test_hostile_texts_in_company_and_alone(model: SmallModel) -> None:
    together = model.branch_states("Text:", HOSTILE)
    assert (model.branch_states("Text:", HOSTILE[3:4])[0] == together[3]).all()
    assert (model.branch_states("Text:", HOSTILE[::-1])[::-1] == together).all()
    targets = [text[:20] for text in HOSTILE]
    scores = model.log_probabilities(HOSTILE, targets)
    assert (model.log_probabilities(HOSTILE[5:6], targets[5:6])[0] == scores[5]).all()
