"""The embedded judge on answers of one word: the same words are right, "no" is not "yes"."""

from __future__ import annotations

import pytest

import ragassay


@pytest.mark.parametrize(
    ("reference", "answer", "value"),
    [
        ("No", "No", 1), ("No.", "No, it is not free.", 1), ("no", "Yes, it is free.", 0), ("Nein", "Nein!", 1),
        ("The café does not  accept cash.", "The café does not accept cash.", 1), ("Oui", "Non, jamais.", 0),
    ],
)  # fmt: skip
def test_the_same_words_are_right_and_yes_is_not_no(reference: str, answer: str, value: float) -> None:
    row = {"user_input": "Is it so?", "reference": reference, "response": answer}
    assert ragassay.evaluate([row], metrics=["correctness"])["correctness"] == value


def test_no_that_evades_is_no_answer() -> None:
    row = {"user_input": "Is it so?", "reference": "No.", "response": "No. I don't know."}
    assert ragassay.evaluate([row], metrics=["correctness"])["correctness"] < 0.5


def test_no_before_a_noun_is_no_answer_of_its_own() -> None:
    row = {"user_input": "Is it so?", "reference": "No refunds are given.", "response": "Yes, no refunds are given."}
    assert ragassay.evaluate([row], metrics=["correctness"])["correctness"] > 0.5
