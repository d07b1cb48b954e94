"""Questions that documents ask themselves, and tasks of headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.own_questions import own_question_drafts, task_question
from ragassay.keyless.page import Page

PagesOf = Callable[[dict[str, str]], list[Page]]
OTHER = {"z.md": "# Elm Pier\n\nElm Pier is a pier."}


CARD = "# FAQ\n\n## How long is an Elm card valid?\n\nIt is valid for three years.\n"
DOGS = (
    "# FAQ\n\nQ: Can dogs travel on the ferry?\nA: Yes. Dogs travel on a lead. Cats travel in a box.\n\n"
    "Q: Who sells tickets for groups?\nA: The office at the pier.\n"
)
RENEWAL = "# Passes\n\n## Renew your travel card\n\n1. Open the Elm app.\n2. Choose your card.\n3. Pay the fee.\n"


@pytest.mark.parametrize(
    ("text", "drafts"),
    [
        (CARD, [("fact_single", "How long is an Elm card valid?", "It is valid for three years.")]),
        (DOGS, [("summary", "Can dogs travel on the ferry?", "Yes. Dogs travel on a lead. Cats travel in a box."),
                ("fact_single", "Who sells tickets for groups?", "The office at the pier.")]),
        (RENEWAL, [("summary", "How do I renew my travel card?", "Open the Elm app. Choose your card. Pay the fee.")]),
        (f"{RENEWAL}\nThe app is closed on Sundays.\n",  # below the list, so no step
         [("summary", "How do I renew my travel card?", "Open the Elm app. Choose your card. Pay the fee.")]),
        # it sends elsewhere, breaks off, points out of itself, or asks the reader
        ("# FAQ\n\n## How do refunds of tickets work?\n\nSee the refund policy.\n", []),
        ("# FAQ\n\n## Which tickets can be refunded?\n\nThese can be refunded:\n\n```\nday\n```\n", []),
        ("# FAQ\n\n## Why is this refused?\n\nThe card has expired.\n", []),
        ("# FAQ\n\n## Have you paid the ferry fee?\n\nPay it before you board.\n", []),
        # a heading that names a task above text that says not how
        ("# Passes\n\n## Renewing a travel card\n\nMany passengers renewed in March. The fee rose by a tenth.\n", []),
    ],
)  # fmt: skip
def test_own_questions(pages_of: PagesOf, text: str, drafts: list[tuple[str, str, str]]) -> None:
    page = pages_of({"a.md": text, **OTHER})[0]
    assert [(draft.label, draft.question, draft.answer) for draft in own_question_drafts(page)] == drafts


def test_evidence_is_the_question_with_what_follows_it(pages_of: PagesOf) -> None:
    page = pages_of({"a.md": DOGS, **OTHER})[0]
    spans = [page.document.text[slice(*draft.spans[0])] for draft in own_question_drafts(page)]
    assert spans[1] == "Q: Who sells tickets for groups? A: The office at the pier."


def test_a_question_that_says_too_little_names_its_page(pages_of: PagesOf) -> None:
    text = "# Leave policy\n\n## Who is responsible?\n\nThe head of the department decides within a week.\n"
    page = pages_of({"a.md": text, **OTHER})[0]
    assert [draft.question for draft in own_question_drafts(page)] == ["Under the leave policy, who is responsible?"]
    page = pages_of({"a.md": text.replace("Leave policy", "Leave"), **OTHER})[0]
    assert [draft.question for draft in own_question_drafts(page)] == ["According to “Leave”, who is responsible?"]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Renewing a travel card", "How do I renew a travel card?"),
        ("How to renew your pass", "How do I renew my pass?"),
        ("Renew Your Travel Card", "How do I renew my travel card?"),
        ("Installing the app", "How do I install the app?"),
        ("3.2 Cancel a booking", "How do I cancel a booking?"),
        # features, chapters, nouns, two tasks, no object
        ("Use the Automatic assignment feature", ""),
        ("Change the account order in the main window", ""),
        ("Opening hours", ""),
        ("Building materials", ""),
        ("How the development process works", ""),
        ("Booking and cancelling a trip", ""),
        ("Getting started", ""),
        ("Understanding the results", ""),
        ("Watch the weather", ""),
        ("Overview", ""),
    ],
)
def test_tasks(heading: str, question: str) -> None:
    assert task_question(heading, "Everybody has a pass.") == question
