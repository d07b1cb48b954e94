"""What plain sentences leave open: why it is so, when it was, and what follows if a duty is not met."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.facts import fact_drafts
from ragassay.models.embedded.unanswerable.circumstances import FORMS
from ragassay.tasks.statements import Passage


def asked(sentence: str) -> set[str]:
    passage = Passage(title="Minutes of the harbour board", text=sentence)
    return {draft.question for draft in fact_drafts([passage], [passage.title], FORMS)[0]}


@pytest.mark.parametrize(
    ("sentence", "questions"),
    [
        (
            "The harbour board rejected the plan for a new bridge.",
            {
                "Why did the harbour board reject the plan for a new bridge?",
                "When did the harbour board reject the plan for a new bridge?",
            },
        ),
        (
            "Eusebio Mendez planted walnuts in 2018.",
            {"Why did Eusebio Mendez plant walnuts in 2018?"},  # it says when
        ),
        (
            "Boots must cover the ankle.",
            {"Why must boots cover the ankle?", "What happens if boots do not cover the ankle?"},
        ),
        (
            "You must show a valid licence.",
            {"Why must I show a valid licence?", "What happens if I do not show a valid licence?"},
        ),
        (
            "Every guest must be signed in at the gate.",
            {
                "Why must every guest be signed in at the gate?",
                "What happens if a guest is not signed in at the gate?",
            },
        ),
        ("Store the spare keys in the red cabinet.", {"Why should I store the spare keys in the red cabinet?"}),
    ],
)
def test_what_is_left_open(sentence: str, questions: set[str]) -> None:
    assert asked(sentence) == questions


@pytest.mark.parametrize(
    "sentence",
    [
        "The board closed the quay on Monday because the crane was broken.",
        "The board closed the quay on Monday to repair the crane.",
        "The board did not close the quay on Monday.",
        "The harbour master reads the gauge twice.",  # says what somebody does: nobody asks why
        "Refer to the manual of the large crane.",
        "The quay is 40 metres long.",
        "They closed it on Monday.",
    ],
)
def test_reasons_denials_and_states_give_no_question(sentence: str) -> None:
    assert not {question for question in asked(sentence) if question.startswith("Why")}


@pytest.mark.parametrize(
    "sentence",
    [
        "All boats must be lifted by 1 November.",  # all, or one?
        "You must leave if the alarm sounds.",
        "Guests must not bring dogs.",
        "Guests should bring a towel.",  # nothing follows
    ],
)
def test_what_binds_nobody_in_so_many_words_has_no_consequence(sentence: str) -> None:
    assert not {question for question in asked(sentence) if question.startswith("What")}
