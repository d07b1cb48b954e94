"""Each way to ask: a hand-made sentence, and the question and the answer that must come of it."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.prose.facts import fact_drafts
from ragassay.models.embedded.prose.forms import FORMS, form
from ragassay.tasks.statements import Passage

CASES = [
    (
        "subject",
        "Roles",
        "The safety officer is responsible for the fire drills.",
        "Who is responsible for the fire drills?",
        "The safety officer",
    ),
    (
        "object",
        "Passwords",
        "To reset your password, call the help desk.",
        "What should I call to reset my password?",
        "The help desk",
    ),
    (
        "what_is",
        "Pets",
        "An axolotl is a salamander that never leaves the water.",
        "What is an axolotl?",
        "A salamander that never leaves the water",
    ),
    (
        "what_is",
        "Maria Silva",
        "Maria Silva is a Portuguese architect. She lives in Porto.",
        "Who is Maria Silva?",
        "A Portuguese architect",
    ),
    (
        "meaning",
        "Words",
        "SLA stands for service level agreement.",
        "What does SLA stand for?",
        "Service level agreement",
    ),
    (
        "whom",
        "Garden Club",
        "The Garden Club was founded by Maria Silva in 1987 in Lisbon.",
        "Who was the Garden Club founded by in 1987 in Lisbon?",
        "Maria Silva",
    ),
    (
        "time",
        "Garden Club",
        "The Garden Club was founded by Maria Silva in 1987 in Lisbon.",
        "When was the Garden Club founded by Maria Silva in Lisbon?",
        "In 1987",
    ),
    ("time", "Board meetings", "The board meets every month.", "How often does the board meet?", "Every month"),
    ("time", "Backups", "Backups are kept for 90 days.", "How long are backups kept?", "For 90 days"),
    (
        "time",
        "Receipts",
        "You must submit your receipts within 30 days.",
        "How soon must I submit my receipts?",
        "Within 30 days",
    ),
    (
        "time",
        "Loans",
        "Since March 2020, loans have been free of charge.",
        "Since when have loans been free of charge?",
        "Since March 2020",
    ),
    ("place", "Backups", "The backups are stored in Dublin.", "Where are the backups stored?", "In Dublin"),
    (
        "how_many",
        "Leave",
        "Every employee gets 28 days of leave.",
        "How many days of leave does every employee get?",
        "28 days of leave",
    ),
    (
        "how_many_subject",
        "Elections",
        "Five members elect the chair of the board.",
        "How many members elect the chair of the board?",
        "Five members",
    ),
    ("how_much", "Plans", "The basic plan costs $20 a month.", "How much does the basic plan cost?", "$20 a month"),
    (
        "how_much",
        "Fund",
        "The fund covers 80 percent of the costs.",
        "What percentage of the costs does the fund cover?",
        "80 percent of the costs",
    ),
    (
        "how",
        "Passwords",
        "You can reset your password by calling the help desk.",
        "How can I reset my password?",
        "By calling the help desk",
    ),
    (
        "how_to",
        "Passwords",
        "To reset your password, call the help desk.",
        "How do I reset my password?",
        "Call the help desk",
    ),
    (
        "why",
        "Keys",
        "The keys must be changed because two of them were lost.",
        "Why must the keys be changed?",
        "Because two of them were lost",
    ),
    (
        "use",
        "Staging server",
        "The staging server is used to test new releases.",
        "What is the staging server used for?",
        "To test new releases",
    ),
    (
        "what_do",
        "Travel tickets",
        "If you lose your ticket, you should call the travel desk.",
        "What should I do if I lose my ticket?",
        "Call the travel desk",
    ),
    (
        "what_if",
        "Tenants",
        "If the tenant leaves early, the landlord keeps the deposit.",
        "What happens if the tenant leaves early?",
        "The landlord keeps the deposit",
    ),
    (
        "when_to",
        "Reviews",
        "Ask for a second review if the change touches billing.",
        "When should I ask for a second review?",
        "If the change touches billing",
    ),
    (
        "yes_no",
        "Server room",
        "Visitors must not enter the server room without a badge.",
        "May visitors enter the server room without a badge?",
        "No, visitors must not enter the server room without a badge",
    ),
    (
        "responsible",
        "Fire drills",
        "You are responsible for the fire drills of your floor.",
        "Who is responsible for the fire drills of my floor?",
        "You",
    ),
    (
        "how_it_differs",
        "Proposals",
        "Unlike a draft, a proposal needs two reviewers.",
        "How does a proposal differ from a draft?",
        "A proposal needs two reviewers",
    ),
]


def _unframed(question: str) -> str:
    """The question without a theme before it or after it."""
    if not question.startswith("In the ") or ", " not in question:
        return question
    rest = question.split(", ", maxsplit=1)[1]
    return rest[:1].upper() + rest[1:]


@pytest.mark.parametrize(("name", "title", "text", "question", "answer"), CASES, ids=lambda value: str(value)[:30])
def test_a_sentence_gives_the_question_of_the_form(
    name: str, title: str, text: str, question: str, answer: str
) -> None:
    (drafts,) = fact_drafts([Passage(title=title, text=text)], [""])

    assert (name, question, answer) in {(draft.form, _unframed(draft.question), draft.answer) for draft in drafts}


def test_every_form_has_a_sentence_above() -> None:
    assert set(FORMS) == {case[0] for case in CASES}


def test_a_name_of_a_form_is_given_once() -> None:
    with pytest.raises(ValueError, match="two forms are called 'subject'"):
        form("subject", asks="", example="")(lambda clause: iter(()))
