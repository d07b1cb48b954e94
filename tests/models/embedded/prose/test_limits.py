"""Limits of a text applied to a case, on sentences written for these tests."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.limits import limit_cases
from ragassay.tasks.statements import Passage


def cases_of(text: str) -> list[tuple[str, str]]:
    (drafts,) = limit_cases([Passage(title="Travel policy", text=text, language="en")], [""])
    return [(draft.question, draft.answer) for draft in drafts]


KEPT = {
    "Can staff claim £12 a day for meals?",
    "May visitors park for 15 minutes in the yard?",
    "Is it enough if I give five weeks' notice before I leave the flat?",
    "Is it enough if my password has 16 characters?",
    "Is it enough if I tell the contact centre 35 hours before departure?",
    "Is it enough if I attend four meetings?",
}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "Visitors may park for no longer than 30 minutes in the yard.",
            "May visitors park for 15 minutes in the yard?",
        ),
        ("Each member may bring no more than two guests.", "May each member bring three guests?"),
        ("You must attend at least three meetings.", "Is it enough if I attend four meetings?"),  # not "one meetings"
        ("Adults may borrow up to 15 items at a time.", "May adults borrow 20 items at a time?"),
        ("Staff can claim up to £25 a day for meals.", "Can staff claim £12 a day for meals?"),
        ("Each member may bring at most two guests.", "May each member bring three guests?"),
        (
            "You need to give at least four weeks' notice before you leave the flat.",
            "Is it enough if I give five weeks' notice before I leave the flat?",
        ),
        ("You must be at least 18 years old.", "Is it enough if I am 9 years old?"),
        (
            "Your password must have at least 12 characters.",
            "Is it enough if my password has 16 characters?",
        ),
        (
            "Tell the contact centre at least 24 hours before departure.",
            "Is it enough if I tell the contact centre 35 hours before departure?",
        ),
    ],
)
def test_a_case_under_a_limit_is_settled_by_it(text: str, question: str) -> None:
    said = text.rstrip(".")
    verdict = "Yes" if question in KEPT else "No"
    assert cases_of(text) == [(question, f"{verdict}, {said[:1].lower()}{said[1:]}")]


@pytest.mark.parametrize(
    "text",
    [
        "Each member may bring at most one guest.",  # two guest
        "You may not borrow up to 15 items.",  # denied
        "You may not park for no longer than 30 minutes.",  # denied twice
        "The pan must cover at least two thirds of the ring.",  # three thirds
        "You must submit your receipts within 30 days.",  # nobody asks whether a day is soon enough
        "Leaflets can be ordered from Ana Ruiz, at most five per shop.",
        "It may hold up to 15 items.",  # what?
        "The fee is £25.",
    ],
)
def test_no_limit_no_case(text: str) -> None:
    assert cases_of(text) == []
