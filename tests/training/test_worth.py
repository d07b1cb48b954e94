"""Readers' verdicts on questions, as what the verifier's adapter learns of good questions."""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.errors import InputError
from ragassay.training.worth import GOOD, NOT_GOOD, WRONG_ANSWER, worth_of_draft, worth_of_facts

PASSAGE = {"id": "a", "text": "Lamps last two years. Dust them daily."}


def draft(verdict: str, **fields: Any) -> list[tuple[str, str, int | None]]:
    row = {"passage": "a", "quotes": [[0, 21]], "question": "How long?", "answer": "Two years", "verdict": verdict}
    return said(list(worth_of_draft("f, line 1", {**row, **fields}, PASSAGE)))


def said(branches: list[Any]) -> list[tuple[str, str, int | None]]:
    return [(each.kind, each.prompt, each.label) for each in branches]


PROMPT = "Sentence: Lamps last two years.\nQuestion: How long?\nAnswer: Two years\nGood question:"


def test_a_draft_is_good_only_as_it_stands() -> None:
    assert draft("good") == [("draft, good", PROMPT, GOOD)]
    assert draft("bad", fault="senseless") == [("draft, not good", PROMPT, NOT_GOOD)]
    assert draft("bad", fault="wrong_answer") == [("draft, wrong answer", PROMPT, WRONG_ANSWER)]


def test_a_mended_wording_is_good_with_the_answer_that_was_mended_with_it() -> None:
    assert draft("mend", fault="pronoun", mended="How long do lamps last?") == [("draft, not good", PROMPT, NOT_GOOD)]
    mended = draft("mend", mended="How long do lamps last?", mended_answer="Two years")
    prompt = "Sentence: Lamps last two years.\nQuestion: How long do lamps last?\nAnswer: Two years\nGood question:"
    assert mended == [("draft, not good", PROMPT, NOT_GOOD), ("asked, good", prompt, GOOD)]


def test_what_the_passage_leaves_open_has_no_sentence() -> None:
    (found,) = draft("good", sentence="", quotes=[], answer="")
    assert found[1] == "Question: How long?\nGood question:"


def test_an_unknown_verdict_is_refused() -> None:
    with pytest.raises(InputError, match="f, line 1: verdict 'fine'; a verdict is good, mend or bad"):
        draft("fine")


def test_a_fact_is_good_with_its_own_answer_and_wrong_with_another() -> None:
    facts = [
        {"quote": "Lamps last two years.", "question": "How long do lamps last?", "answer": "two years"},
        {"quote": "Dust them daily.", "question": "How often are lamps dusted?", "answer": "daily"},
    ]
    found = said(list(worth_of_facts("f", {"facts": facts})))
    assert [(kind, label) for kind, _, label in found] == [("asked, good", GOOD), ("asked, wrong answer", WRONG_ANSWER)]
    assert "Question: How often are lamps dusted?\nAnswer: two years" in found[1][1]
    facts[1]["answer"] = "Two years"
    assert len(list(worth_of_facts("f", {"facts": facts}))) == 1  # the same answer is no wrong one
