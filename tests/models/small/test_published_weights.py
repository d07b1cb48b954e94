"""The published weights with the shipped verifier's adapter: known replies, hostile texts, no influence of company."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import ADAPTER


@pytest.fixture(scope="module")
def model(ragassay_cache: Path) -> SmallModel:
    """The graph that the tests of the verifier use too: to write another one takes ten times as long as to ask it."""
    return SmallModel.load(ADAPTER)


def test_what_the_base_knows_is_still_there(model: SmallModel) -> None:
    # Which of two colours has the higher probability does not depend on the last digits.
    prompt = "What colour is a ripe banana? A ripe banana is"
    yellow, seven = model.log_probabilities([prompt, prompt], [" yellow", " seven"])
    assert yellow.sum() > seven.sum() + 3
