"""Questions whose answer takes several sentences or items, on passages written for these tests."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.summaries import summary_drafts
from ragassay.tasks.statements import Passage


def drafts_of(text: str, title: str = "", section: tuple[str, ...] = ()) -> list[FactDraft]:
    return summary_drafts([Passage(title=title, section=section, text=text, language="en")], [""])[0]


def by_form(drafts: list[FactDraft], form: str) -> FactDraft:
    return next(draft for draft in drafts if draft.form == form)


def test_open_lead_in_asks_what_must_be_done() -> None:
    text = "Before you leave the flat, you must:\n\n- return both keys\n- clean the oven\n- read the meter"
    draft = by_form(drafts_of(text, "Moving out"), "list_duties")
    assert draft.question == "What must I do before I leave the flat?"
    assert "return both keys" in draft.answer
    assert "read the meter" in draft.answer


def test_quotes_are_the_lead_in_and_every_item() -> None:
    text = "The repair kit contains the following tools:\n\n- a saw\n- two clamps\n- a file for metal"
    draft = by_form(drafts_of(text, "Kits"), "list_kinds")
    assert draft.question == "Which tools does the repair kit contain?"
    assert [text[start:end] for start, end in draft.quotes] == [
        "The repair kit contains the following tools:",
        "a saw",
        "two clamps",
        "a file for metal",
    ]


def test_purpose_before_steps_asks_how() -> None:
    text = (
        "To renew a library card, follow these steps:\n\n1. Open the form.\n2. Enter the number.\n3. Press the button."
    )
    draft = by_form(drafts_of(text), "list_steps")
    assert draft.question.startswith("How do I renew a library card")


def test_contrast_of_two_kinds_asks_for_the_difference() -> None:
    text = "Hot backups keep the server running. Cold backups stop the server for an hour."
    draft = by_form(drafts_of(text), "contrast_pair")
    assert draft.question.startswith("What is the difference between hot backups and cold backups")
    assert len(draft.quotes) == 2


def test_nothing_to_summarise_gives_nothing() -> None:
    assert drafts_of("The shop opens at nine.") == []
    assert drafts_of("") == []


def test_every_quote_lies_in_the_passage_and_no_answer_is_too_long() -> None:
    text = (
        "Ada Berg was born in Oslo in 1901. In 1925, Ada Berg joined the university. "
        "In 1931, Ada Berg founded a school.\n\n"
        "You need to bring:\n\n* a pen\n* a photograph of yourself\n"
    )
    drafts = drafts_of(text, "Ada Berg")
    assert drafts
    for draft in drafts:
        assert all(0 <= start < end <= len(text) for start, end in draft.quotes)
        assert len(draft.answer.split()) <= 100


def test_numbers_of_passages_and_themes_must_agree() -> None:
    with pytest.raises(ValueError, match="1 passages, but 0 themes"):
        summary_drafts([Passage(title="", text="x")], [])
