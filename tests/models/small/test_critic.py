"""The critic around a model whose scores are given: what it reads, and how scores become a probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from ragassay.models.small.critic import Asked, Critic
from ragassay.models.small.verifier import Calibration, calibrations

PLAIN = Calibration(1.0, 0.0, 0.5)


class FakeModel:
    """Scores by the branch alone. read: each call's prefix and branches. A token is a word."""

    name = "fake"

    def __init__(self, logits: Callable[[str], tuple[float, float, float]]) -> None:
        self._logits = logits
        self.read: list[tuple[str, list[str]]] = []
        self.tokenizer = SimpleNamespace(encode=str.split)

    def classify_branches(self, prefix: str, branches: Sequence[str]) -> np.ndarray:
        self.read.append((prefix, list(branches)))
        return np.array([self._logits(branch) for branch in branches], dtype=np.float32)


def critic(
    logits: Callable[[str], tuple[float, float, float]], calibration: Calibration = PLAIN
) -> tuple[Critic, FakeModel]:
    model = FakeModel(logits)
    return Critic(model, calibration), model  # type: ignore[arg-type]


def asked(question: str, *, quote: str = "Lamps last two years.", answer: str = "Two years", text: str = "") -> Asked:
    return Asked("Lamps", "Care", text or "Lamps last two years. Dust them.", quote, question, answer)


def test_the_probability_weighs_good_against_both_other_labels() -> None:
    # e^0 against e^0 + e^ln 2: odds of 1 to 3
    made, _ = critic(lambda branch: (0.0, 0.0, math.log(2)))
    assert made.worth([asked("How long do lamps last?")]) == [pytest.approx(0.25)]


def test_the_log_odds_are_scaled_and_shifted() -> None:
    made, _ = critic(lambda branch: (0.0, 0.0, math.log(2)), Calibration(2.0, math.log(9), 0.5))
    assert made.worth([asked("How long do lamps last?")]) == [pytest.approx(0.5)]  # 2 ln(1/3) + ln 9 = 0


def test_a_prompt_holds_sentence_question_and_answer() -> None:
    made, model = critic(lambda branch: (0.0, 0.0, 0.0))
    made.worth([asked("How long do lamps last?"), asked("What do lamps cost?", quote="", answer="")])
    (read,) = model.read  # one passage, read once
    assert read == (
        "Title: Lamps\nSection: Care\nText: Lamps last two years. Dust them.\n",
        [
            "Sentence: Lamps last two years.\nQuestion: How long do lamps last?\nAnswer: Two years\nGood question:",
            "Question: What do lamps cost?\nGood question:",
        ],
    )


def test_every_question_gets_its_own_probability_whatever_the_order() -> None:
    made, _ = critic(lambda branch: (float(len(branch)), 0.0, 0.0))
    some = [asked("How long do lamps last?"), asked("Why?", text="Lamps last two years. Never dust."), asked("Who?")]
    assert made.worth(some) == [made.worth([each])[0] for each in some]
    assert made.worth([]) == []


def test_of_a_long_text_the_sentences_around_the_quote_are_read() -> None:
    made, model = critic(lambda branch: (0.0, 0.0, 0.0))
    filler = " ".join(f"Sentence number {number} says nothing at all." for number in range(200))
    made.worth([asked("How long do lamps last?", text=f"{filler} Lamps last two years. {filler}")])
    prefix, _ = model.read[0]
    assert "Lamps last two years." in prefix
    assert len(prefix.split()) < 340


def test_the_package_has_a_calibration_for_drafts() -> None:
    assert calibrations()["drafts"].scale > 0
