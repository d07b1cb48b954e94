"""What is to be done, step by step, on passages written for these tests."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.steps import STEPS, step_drafts
from ragassay.tasks.statements import Passage


def drafts_of(text: str, title: str = "", section: tuple[str, ...] = ()) -> list[FactDraft]:
    return step_drafts([Passage(title=title, section=section, text=text, language="en")], [""])[0]


def test_purpose_before_steps_asks_how() -> None:
    text = (
        "To renew a library card, follow these steps:\n\n1. Open the form.\n2. Enter the number.\n3. Press the button."
    )
    (draft,) = drafts_of(text)
    assert draft.form == STEPS
    assert draft.question == "How do I renew a library card?"
    assert draft.answer == "Open the form. Enter the number. Press the button."
    assert [text[start:end] for start, end in draft.quotes] == [
        "To renew a library card, follow these steps:",
        "Open the form.",
        "Enter the number.",
        "Press the button.",
    ]


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("To renew a library card:", "How do I renew a library card?"),
        ("Follow these steps to renew a library card:", "How do I renew a library card?"),
        ("Before you leave the flat, you must:", ""),
        ("The repair kit contains the following tools:", ""),
        ("To renew a library card, see below:", ""),
        ("To renew it:", ""),
        ("To start a firing, follow these steps:", "How do I start a firing?"),
        ("To renew a library card, please:", "How do I renew a library card?"),
        ("Reasons to renew a card:", ""),
    ],
)
def test_only_an_aim_asks(lead: str, question: str) -> None:
    found = drafts_of(f"{lead}\n\n- return both keys\n- clean the oven\n- read the meter")
    assert [draft.question for draft in found] == ([question] if question else [])


def test_an_answer_of_many_words_is_none() -> None:
    items = "".join(f"- open the {'very ' * 10}old form {number}\n" for number in range(10))
    assert drafts_of(f"To renew a library card:\n\n{items}") == []


def test_nothing_to_summarise_gives_nothing() -> None:
    assert drafts_of("The shop opens at nine.") == []
    assert drafts_of("") == []


def test_numbers_of_passages_and_themes_must_agree() -> None:
    with pytest.raises(ValueError, match="1 passages, but 0 themes"):
        step_drafts([Passage(title="", text="x")], [])


def test_steps_are_sentences_and_none_is_cut() -> None:
    (draft,) = drafts_of("To renew a library card:\n\n- open the form;\n- sign it\n- press the button")
    assert draft.answer == "Open the form. Sign it. Press the button."
    long = (
        "Open the small form that lies beside the door and fill in the date of your birth in capitals with a pen. " * 2
    )
    assert drafts_of(f"To renew a library card:\n\n- {long}\n- press the button") == []
