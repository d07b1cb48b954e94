"""The published weights with the shipped verifier's adapter: known replies, hostile texts, no influence of company."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.models.small.gguf import Gguf
from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import ADAPTER
from ragassay.models.small.weights import find_weights


@pytest.fixture(scope="module")
def model(ragassay_cache: Path) -> SmallModel:
    """The graph that the tests of the verifier use too: to write another one takes ten times as long as to ask it."""
    return SmallModel.load(ADAPTER)


def test_what_the_base_knows_is_still_there(model: SmallModel) -> None:
    # Which of two colours has the higher probability does not depend on the last digits.
    prompt = "What colour is a ripe banana? A ripe banana is"
    (state,) = model.branch_states(prompt[:-3], [prompt[-3:]])
    table = Gguf(find_weights()).matrix("token_embd.weight")
    (yellow,), (seven,) = (model.tokenizer.encode(word) for word in (" yellow", " seven"))
    assert state @ table[yellow] > state @ table[seven] + 3
