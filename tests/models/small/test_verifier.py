"""The verifier around a model whose scores are given: windows, word-for-word claims, calibration, what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from ragassay.models.small import wording
from ragassay.models.small.adapters import Linear
from ragassay.models.small.verifier import (
    VERBATIM,
    Answering,
    Calibration,
    Check,
    Verifier,
    Way,
)

PLAIN = Calibration(1.0, 0.0, 0.5)
Logits = Callable[[str, str], tuple[float, float, float]]
# e^l1 + e^l2 = 1, so l0 is the log-odds of "supported" as it stands.
HALF = math.log(0.5)


class FakeModel:
    """Scores by a function of prefix and branch; a token is a word. read: each call's prefix and branches."""

    name = "fake"
    identity = ""

    def __init__(self, logits: Logits) -> None:
        self._logits = logits
        self.read: list[tuple[str, list[str]]] = []
        self.tokenizer = SimpleNamespace(encode=str.split)

    def classify_branches(self, prefix: str, branches: Sequence[str]) -> np.ndarray:
        self.read.append((prefix, list(branches)))
        return np.array([self._logits(prefix, branch) for branch in branches], dtype=np.float32)

    def branch_states(self, prefix: str, branches: Sequence[str]) -> np.ndarray:
        """(words of the prefix, those of the branch)"""
        self.read.append((prefix, list(branches)))
        return np.array([(len(prefix.split()), len(branch.split())) for branch in branches], np.float32)

    def scores(self, states: np.ndarray) -> np.ndarray:
        return np.array([(0.0, HALF, HALF)] * len(states), np.float32)


def odds(value: float) -> Logits:
    return lambda prefix, branch: (value, HALF, HALF)


def make(logits: Logits, claims: Calibration = PLAIN, questions: Calibration = PLAIN) -> tuple[Verifier, FakeModel]:
    model = FakeModel(logits)
    return Verifier(model, claims, questions), model  # type: ignore[arg-type]


def sentence(number: int) -> str:
    """Forty words: its own, and 39 that all sentences share."""
    return f"N{number:02d}" + " and" * 38 + " so."


LONG = " ".join(sentence(number) for number in range(20))


def test_probabilities_come_from_the_three_scores() -> None:
    # odds ln 4 of 1: 4/5; of what is left, contradicted has e^ln3 of e^ln3 + 1: 3/4 of 1/5
    verifier, _ = make(lambda prefix, branch: (math.log(4), math.log(0.75), math.log(0.25)))
    ((found,),) = verifier.judge([Check("Some text.", ["A claim."])])
    assert found[:3] == pytest.approx((0.8, 0.15, 0.05), abs=1e-6)
    assert found.window == "Some text."


def test_questions_are_read_off_a_head_of_their_own_and_claims_off_the_adapters() -> None:
    model = FakeModel(odds(0.0))
    several, inferred = Linear(2.0, np.zeros(2, np.float32)), Linear(-3.0, np.zeros(2, np.float32))
    head = Answering(Linear(-1.0, np.array([0.25, 0.5], np.float32)), 0.7, several, inferred)
    of_the_adapter = Calibration(9.0, 9.0, 0.1)
    verifier = Verifier(model, PLAIN, of_the_adapter, answering=head)  # type: ignore[arg-type]
    assert (verifier.threshold(), verifier.threshold(questions=True)) == (0.5, 0.7)
    prefix = wording.prefix("", "", "One two.")
    asked = wording.answered_prompt("Why so?")
    told = -1.0 + 0.25 * len(prefix.split()) + 0.5 * len(asked.split())
    ((answered,), (claimed,)) = verifier.judge(
        [Check("One two.", ["Why so?"], questions=True), Check("One two.", ["It is so."])]
    )
    assert answered.supported == pytest.approx(1 / (1 + math.exp(-told)), abs=1e-6)
    assert answered.contradicted == pytest.approx(answered.not_stated)
    assert answered.way == Way(2.0, -3.0)
    assert claimed.way is None
    assert claimed.supported == pytest.approx(0.5)
    assert len(model.read) == 1  # the text is read once for both


def test_words_that_stand_in_the_text_are_supported_unread() -> None:
    verifier, model = make(odds(-9.0))
    text = "Keep the lamp\ndry. Charge it for two hours."
    ((found,),) = verifier.judge([Check(text, ["keep the Lamp dry"])])
    assert found[:3] == pytest.approx((VERBATIM, 0.0, 1 - VERBATIM))
    assert model.read == []


def by_claim(prefix: str, branch: str) -> tuple[float, float, float]:
    """A score that only text and claim decide."""
    return (len(prefix) * len(branch)) % 7 - 3.0, len(branch) % 3 - 1.0, 0.0


def test_a_judgement_depends_on_no_claim_beside_it() -> None:
    claims = ["N04 is here.", "", "N19 is so.", "N04 is here.", sentence(3)]
    together, model = make(by_claim)
    (found,) = together.judge([Check(LONG, claims)])
    alone = [make(by_claim)[0].judge([Check(LONG, [claim])])[0][0] for claim in claims]
    assert found == alone
    assert found[0] == found[3]
    backwards, _ = make(by_claim)
    assert backwards.judge([Check(LONG, claims[::-1])])[0] == found[::-1]
    assert all(len(branches) == len(set(branches)) for _, branches in model.read)  # what stands twice is read once
