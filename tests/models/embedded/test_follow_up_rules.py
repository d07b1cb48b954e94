"""Follow-up questions by rule: a word in the place of what two questions are about, where nothing else can be meant."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.writing.follow_ups import follow_up
from ragassay.tasks.follow_ups import QuestionToFollow

TEXT = "The Gannet Bridge opened in 1998. It is 412 metres long and has 9 arches."
OPENED, LONG = "When did the Gannet Bridge open?", "How many arches does the Gannet Bridge have?"
CHANGED = "How often are the air filters changed?"


def made(first: str, answer: str, second: str, text: str = TEXT, title: str = "Gannet Bridge") -> str | None:
    return follow_up(QuestionToFollow(first=first, answer=answer, question=second, title=title, text=text))


@pytest.mark.parametrize(
    ("first", "answer", "second", "found"),
    [
        (OPENED, "In 1998.", LONG, "How many arches does it have?"),
        (OPENED, "12 May 1998", "Is the Gannet Bridge open at night?", "Is it open at night?"),
        # the same is asked "of" it: "the owner" is not what is meant
        ("What is the cost of the lease?", "412", "What is the length of the lease?", "What is the length of it?"),
    ],
)
def test_the_thing_becomes_a_pronoun(first: str, answer: str, second: str, found: str) -> None:
    assert made(first, answer, second) == found


@pytest.mark.parametrize(
    ("first", "answer", "second", "found"),
    [
        (CHANGED, "In May.", "Where do the air filters go?", "Where do they go?"),
        (CHANGED, "In May.", "What is the price of the air filters?", "What is the price of those filters?"),
        (CHANGED, "In May.", "Who pays for the air filters?", "Who pays for them?"),
        # months may be meant as well
        (CHANGED, "Every two months.", "Where do the air filters go?", "Where do those filters go?"),
    ],
)
def test_what_goes_with_a_plural_verb_is_many(first: str, answer: str, second: str, found: str) -> None:
    assert made(first, answer, second, title="Air filters") == found


PLAN = "What does the yearly plan cost?"


@pytest.mark.parametrize(
    ("first", "answer", "second", "found"),
    [
        (PLAN, "12 crowns at the Oskay office.", "Who may ask for the yearly plan?", "Who may ask for that plan?"),
        (
            "When did the chief pilot join?",
            "In 1998.",
            "Where does the chief pilot live?",
            "Where does that pilot live?",
        ),
        (PLAN, "12 crowns, as the other plans do.", "Who may ask for the yearly plan?", None),  # which of the plans?
        (PLAN, "12 crowns at the Oskay office.", "What plan follows on from the yearly plan?", None),
        (OPENED, "After the flood.", LONG, None),  # the noun is part of a name
        ("What does the plan cost?", "12 crowns at the Oskay office.", "Who may ask for the plan?", None),
    ],
)
def test_its_kind_where_a_pronoun_might_mean_something_else(
    first: str, answer: str, second: str, found: str | None
) -> None:
    assert made(first, answer, second, title="Yearly plan" if "yearly" in first else "Chief pilot") == found


@pytest.mark.parametrize(
    ("first", "answer", "second", "text", "why"),
    [
        (OPENED, "In 1998.", "Where was Bluefin built?", TEXT, "another thing"),
        (OPENED, "When Oskay was built.", LONG, TEXT, "a name in the answer fits as well"),
        ("When did a ship hit the Gannet Bridge?", "In 1998.", LONG, TEXT, "a ship fits as well"),
        (OPENED, "In 1998.", "How far is the Gannet Bridge from Oskay?", TEXT, "a second name in the question"),
        (OPENED, "In 1998.", "Is it said how long the Gannet Bridge is?", TEXT, "a pronoun of its own"),
        (OPENED, "In 1998.", "Is the Gannet Bridge longer than another Bridge?", TEXT, "its words come twice"),
        (OPENED, "In 1998.", LONG, "He built it.", "it may be a person"),
        ("When did the Bridge Works open?", "In 1998.", "Who runs the Bridge Works?", TEXT, "one or many"),
        ("When was the ferry repaired?", "In 1998.", "Why was the ferry repaired?", TEXT, "no noun phrase"),
        ("桥何时开通？", "1998年", "桥有多长？", TEXT, "not English"),
        ("", "", "", "", "nothing at all"),
    ],
)
def test_what_might_be_misunderstood_stays(first: str, answer: str, second: str, text: str, why: str) -> None:
    assert made(first, answer, second, text) is None, why
