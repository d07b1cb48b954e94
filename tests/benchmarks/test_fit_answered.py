"""What the head for questions learns from: answered ones, the same without their sentence, and what is left open."""

from __future__ import annotations

from typing import Any

import pytest
from fit_answered import FEWEST_WORDS, asked

REST = "The harbour board rejected the plan for a new bridge. " + "The quay is long and wide and old. " * 5
QUOTE = "The ferry leaves at noon."


def row(**other: Any) -> dict[str, Any]:
    fact = {"quote": QUOTE, "question": "When does the ferry leave?"}
    return {"source": "minutes", "title": "The harbour", "text": f"{QUOTE} {REST}", "facts": [fact]} | other


def kinds(given: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(each.kind, each.answered) for each in asked([given])]


def test_a_question_with_its_sentence_and_without() -> None:
    with_, without, *_ = asked([row()])
    assert (with_.answered, without.answered) == (True, False)
    assert with_.question == without.question == "When does the ferry leave?"
    assert QUOTE in with_.text
    assert QUOTE not in without.text
    assert len(without.text.split()) >= FEWEST_WORDS


@pytest.mark.parametrize("questions", [["Who owns the ferry?"], ["Who owns the ferry?", "How long is the quay?"], []])
def test_what_its_writer_leaves_open(questions: list[str]) -> None:
    given = row(unanswerable=[{"question": each} for each in questions])
    found = [each for each in asked([given]) if each.kind == "open"]
    assert [(each.question, each.text, each.answered) for each in found] == [
        (question, given["text"], False) for question in questions
    ]
