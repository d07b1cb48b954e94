"""What the head for questions learns from: answered ones, the same without their sentence, and what is left open."""

from __future__ import annotations

from typing import Any

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


def test_what_its_writer_and_the_rules_leave_open() -> None:
    found = kinds(row(unanswerable={"question": "Who owns the ferry?"}))
    assert ("open", False) in found
    assert {("unstated_reason", False), ("unstated_time", False)} <= set(found)


def test_no_reason_is_asked_for_where_one_may_stand_near() -> None:
    told = row(text=f"{QUOTE} {REST} Therefore nothing was built.".replace("wide and old. The quay is long and", ""))
    assert ("unstated_reason", False) not in kinds(told)


def test_too_little_text_answers_nothing_and_is_not_learned_from() -> None:
    assert not [each for each in asked([row(text=f"{QUOTE} It is blue.")]) if each.kind == "when"]
