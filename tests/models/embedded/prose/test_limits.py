"""Limits of a text applied to a case, on sentences written for these tests."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.limits import limit_cases
from ragassay.tasks.statements import Passage


def cases_of(text: str) -> list[tuple[str, str]]:
    (drafts,) = limit_cases([Passage(title="Travel policy", text=text, language="en")], [""])
    return [(draft.question, draft.answer) for draft in drafts]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("You must submit your receipts within 30 days.", "Is it soon enough if I submit my receipts after 40 days?"),
        (
            "Claims for damage must be made within 28 days of the sailing.",
            "Is it soon enough if claims for damage are made 40 days after the sailing?",
        ),
        (
            "The tenant must return the keys within one week of the end of the lease.",
            "Is it soon enough if the tenant returns the keys two weeks after the end of the lease?",
        ),
        ("Adults may borrow up to 15 items at a time.", "May adults borrow 20 items at a time?"),
        ("Staff can claim up to £25 a day for meals.", "Can staff claim £35 a day for meals?"),
        ("Each member may bring at most two guests.", "May each member bring three guests?"),
        (
            "You need to give at least four weeks' notice before you leave the flat.",
            "Is it enough if I give two weeks' notice before I leave the flat?",
        ),
        ("You must be at least 18 years old.", "Is it enough if I am 9 years old?"),
        (
            "Your password must have at least 12 characters.",
            "Is it enough if my password has 6 characters?",
        ),
        (
            "Tell the contact centre at least 24 hours before departure.",
            "Is it enough if I tell the contact centre 12 hours before departure?",
        ),
    ],
)
def test_what_is_beyond_a_limit_is_denied(text: str, question: str) -> None:
    said = text.rstrip(".")
    assert cases_of(text) == [(question, f"No, {said[:1].lower()}{said[1:]}")]


@pytest.mark.parametrize(
    "text",
    [
        "You must attend at least three meetings.",  # one meetings
        "You may not borrow up to 15 items.",  # denied
        "It may hold up to 15 items.",  # what?
        "Trains run within 30 minutes of each other.",  # no duty
        "The fee is £25.",
    ],
)
def test_no_limit_no_case(text: str) -> None:
    assert cases_of(text) == []
