"""The likelihood of a question: what is read, what it makes of it, that nothing is read twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from ragassay.models.small import roles
from ragassay.models.small.likelihood import SCALE, SHIFT, Likelihood, Pair
from ragassay.models.small.model import SmallModel


class FakeModel:
    """Each word of a question has log-probability -1, "odd" -5."""

    identity = ""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def log_probabilities(self, prompts: Sequence[str], targets: Sequence[str]) -> Any:
        self.prompts += prompts
        return [np.array([-5.0 if word == "odd" else -1.0 for word in each.split()], np.float32) for each in targets]


def rater(model: FakeModel, threads: int = 1) -> Likelihood:
    return Likelihood(cast(SmallModel, model), threads)


def pair(question: str = "May I?", **other: str) -> Pair:
    return Pair(**({"title": "Rules", "stated": "You may.", "question": question} | other))


def test_a_rating_is_the_log_probability_over_the_root_of_the_length() -> None:
    taken = rater(FakeModel()).taken([pair("May I go now?"), pair("May odd go?"), pair("")])
    # four words of -1 over 2; -7 over the root of 3; no word
    assert taken == pytest.approx([1 / (1 + math.exp(-(SCALE * x + SHIFT))) for x in (-2, -7 / math.sqrt(3), 0)])


def test_a_pair_is_read_once_and_does_not_depend_on_those_beside_it() -> None:
    many = [pair(f"May I {'run ' * (place % 7)}{place}?") for place in range(49)]
    model = FakeModel()
    together = rater(model, threads=3)
    assert together.taken([*many, *many]) == 2 * [rater(FakeModel()).taken([each])[0] for each in many]
    assert together.taken(many[:5]) == together.taken(many)[:5]
    assert len(model.prompts) == len(many)
    assert rater(model).taken([]) == []


@pytest.mark.usefixtures("small_model_on")
def test_the_shipped_model_prefers_what_people_would_ask() -> None:
    found = roles.likelihood()
    assert found is not None
    assert found is roles.likelihood()
    stated = "Lost keys are to be reported to the front desk within an hour."
    good, odd = (
        found.taken([pair(question, stated=stated, title="Visiting")])[0]
        for question in ("Where do I report lost keys?", "What is to be the front desk keys within?")
    )
    assert good > odd + 0.1
