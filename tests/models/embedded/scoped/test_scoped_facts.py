"""Facts that are clear within their document only: the question names it, and says what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]


def facts(generated: Generate, *sentences: str, title: str = "Remote Work Policy") -> set[tuple[str, str, str]]:
    text = f"# {title}\n\n## Rules\n\n{' '.join(sentences)}\n"
    return {tuple(pair) for pair in generated(text, widely=True).facts}


@pytest.mark.parametrize(
    ("sentence", "pattern", "question", "answer"),
    [
        (
            "Adults may borrow up to 15 items at a time, children up to 20.",
            "how_many",
            "How many items may adults borrow at a time?",
            "Up to 15 items",
        ),
        (
            "The theft of a laptop must be reported to the service desk within 24 hours.",
            "how_many",
            "Within how many hours must the theft of a laptop be reported to the service desk?",
            "Within 24 hours",
        ),
        ("The Turner Room costs £18 an hour.", "how_much", "How much does the Turner Room cost an hour?", "£18"),
        (
            "The Tenant shall pay a deposit of £9,125.",
            "what_amount",
            "What deposit shall the Tenant pay?",
            "£9,125",
        ),
        (
            "The annual rent is £36,500, payable in advance.",
            "what_amount",
            "According to the Remote Work Policy, what is the annual rent?",
            "£36,500",
        ),
        (
            "Dried red beans must be boiled hard in a pan for ten minutes beforehand.",
            "how_many",
            "For how many minutes must dried red beans be boiled hard in a pan beforehand?",
            "For ten minutes",
        ),
        (
            "Fire drills are held in the hall twice a year.",
            "how_often",
            "How often are fire drills held in the hall?",
            "Twice a year",
        ),
        (
            "Bulk density is the mass of dry soil per unit of volume.",
            "what_is_named",
            "What is bulk density?",
            "The mass of dry soil per unit of volume",
        ),
        (
            "Particles larger than 2 mm are called the coarse fraction.",
            "called",
            "What are particles larger than 2 mm called?",
            "The coarse fraction",
        ),
        (
            "The open day will be held on Saturday 13 July from 11 am to 4 pm.",
            "when_planned",
            "When will the open day be held?",
            "On Saturday 13 July from 11 am to 4 pm",
        ),
        (
            "The wooden pier was demolished July 1998 for lack of money.",
            "when_dated",
            "When was the wooden pier demolished?",
            "July 1998",
        ),
        (
            "Remote staff are asked for receipts because the auditors demand proof of every payment.",
            "why",
            "Why are remote staff asked for receipts?",
            "Because the auditors demand proof of every payment",
        ),
        (
            "If automatic detection fails, you should select the driver by hand.",
            "condition_of",
            "What should I do if automatic detection fails?",
            "You should select the driver by hand",
        ),
        (
            "To remove every trace of a package, you can use the purge option.",
            "how_to",
            "How can I remove every trace of a package?",
            "You can use the purge option",
        ),
        (
            "To remove every trace of a package, use the purge option.",
            "how_to",
            "How do I remove every trace of a package?",
            "Use the purge option",
        ),
        (
            "The language package contains the compiled data for all languages.",
            "what_it_does",
            "What does the language package contain?",
            "The compiled data for all languages",
        ),
    ],
)
def test_each_pattern(generated: Generate, sentence: str, pattern: str, question: str, answer: str) -> None:
    assert (pattern, question, answer) in facts(generated, sentence)


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("The class goes on a trip to the canal museum.", "the trip to the canal museum"),
        ("The class goes on a trip.", "the trip"),  # nothing more is said of it
        ("A trip to Rome is planned. A trip to the zoo is not.", "the trip"),  # which of them?
        ("The class goes on this trip to the museum.", "the trip"),
        ("The museum is closed.", "the trip"),
    ],
)
def test_a_thing_is_named_as_it_was_introduced(generated: Generate, said: str, subject: str) -> None:
    told = facts(generated, said, "The trip costs £8 a child.")
    question = f"how much does {subject} cost a child?"
    asked = question.capitalize() if "canal" in subject else f"According to the Remote Work Policy, {question}"
    assert ("how_much", asked, "£8") in told


@pytest.mark.parametrize(
    ("first", "asked"), [("Medicines", "medicines"), ("Diesel", "diesel"), ("Thornsund", "Thornsund")]
)
def test_a_first_word_keeps_its_capital_if_it_is_a_name(generated: Generate, first: str, asked: str) -> None:
    (question,) = {question for kind, question, _ in facts(generated, f"{first} costs £240 a month.") if "much" in kind}
    assert question == f"How much does {asked} cost a month?"


@pytest.mark.parametrize(
    "sentence",
    [
        "Half may be kept for up to six weeks in a dry place.",  # of what?
        "They may borrow up to 15 items at a time.",  # who?
        "The option takes up to 15 items at a time.",  # which option?
        "Adults may borrow 15 items and 3 films.",  # not the whole of it
        "Spreading takes five women two hours.",
        "A cup of dried beans gives three cups cooked.",
        "The old kettle takes 2 minutes 40 seconds to boil a litre.",
        "South of the river the vans are without signal for up to six hours.",  # the vans are
        "Koroit lost a tie for the first time in two seasons.",  # the first time in
        "The cost is £38 a head.",  # of what?
        "A whole shelf is £240 this year.",  # its price
        "Three fall to the ground in two seasons.",
        "If the receipt of a meal is missing, the claim is rejected by the finance team.",
        "Line 2 is the name of the source package that was built.",
        "The deposit is held by the bank until 5 pm on Friday 4 July.",
        "The Turner Room costs £18 more than that.",
        "It is the mass of dry soil per unit of volume.",
        "Quick lunch is the best way to meet the new people here.",
        "If it fails, the driver can be selected by hand in the menu.",
        "If you want to save time, the driver can be selected by hand.",
        "To remove it, use the purge option.",
        "To remove every trace of a package, see the section on purging.",
        "The locales package contains dates, numbers and the names of all languages.",
        "The freeze for the new version started on July 1st of that year.",
    ],
)
def test_what_is_left_alone(generated: Generate, sentence: str) -> None:
    assert facts(generated, sentence) == set()


def test_nothing_of_this_is_asked_before_it_is_needed(generated: Generate) -> None:
    text = "# Remote Work Policy\n\n## Rules\n\nThe annual rent is £36,500, payable in advance.\n"
    assert not generated(text).facts
    assert generated(text, widely=True).facts


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Travel guidelines", "According to the travel guidelines, what is the annual rent?"),
        ("Rent a flat in your town", "When renting a flat in my town, what is the annual rent?"),
    ],
)
def test_how_a_question_names_its_document(generated: Generate, title: str, question: str) -> None:
    found = facts(generated, "The annual rent is £36,500, payable in advance.", title=title)
    assert {asked for _, asked, _ in found} == {question}


@pytest.mark.parametrize(
    "title",
    [
        "Debian Releases",
        "Lease: Unit 7",
        "A report on the very long and winding history of rents in the northern towns",
    ],
)
def test_nobody_quotes_a_title_in_a_question(generated: Generate, title: str) -> None:
    assert facts(generated, "The annual rent is £36,500, payable in advance.", title=title) == set()
    clear = facts(generated, "The annual rent of a flat in Thornsund is £36,500, payable in advance.", title=title)
    assert {asked for _, asked, _ in clear} == {"What is the annual rent of a flat in Thornsund?"}


def test_this_policy_is_the_document(generated: Generate) -> None:
    found = facts(generated, "This policy is reviewed every two years.")
    assert ("how_often", "How often is the Remote Work Policy reviewed?", "Every two years") in found


def test_terms_outside_a_glossary(generated: Generate) -> None:
    page = "<html><head><title>{}</title></head><body><h1>{}</h1><dl><dt>{}</dt><dd><p>{}</p></dd></dl></body></html>"
    told = "The slope of the grid lines in degrees."
    html = page.format("Grid", "Grid", "Grid angle", told)
    assert generated(html, html=True).of("term") == []
    assert generated(html, html=True, widely=True).of("term") == [
        ("How is the term “Grid angle” defined?", "The slope of the grid lines in degrees")
    ]
    alone = page.format("Grid", "Grid", "Angle", told)  # of what?
    assert generated(alone, html=True, widely=True).of("term") == []
    shown = page.format("Grid", "Grid", "Grid angle", "The slope of the lines is shown in degrees here.")
    assert generated(shown, html=True, widely=True).of("term") == []


def test_what_the_subject_of_a_page_does(generated: Generate) -> None:
    text = "# Bump Map\n\nThis filter turns the flat parts of a picture into hills. This view is fine for all users.\n"
    assert generated(text, widely=True).of("does_what") == [
        ("What does the filter Bump Map do?", "It turns the flat parts of a picture into hills")
    ]


def test_what_stands_somewhere_does_nothing(generated: Generate) -> None:
    text = "# Brackwater House\n\nBrackwater House sits along the river, near the old town of Lind in the north.\n"
    assert generated(text, widely=True).of("does_what") == []
