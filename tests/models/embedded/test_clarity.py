"""Whether a question says by itself what it asks of."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.reading.clarity import is_clear, placed
from ragassay.models.embedded.reading.framing import as_reader


@pytest.mark.parametrize(
    ("question", "clear"),
    [
        ("What is package salvaging?", True),
        ("What is an axolotl?", True),
        ("What is GNOME Classic?", True),
        ("How many directories does dists/stable contain?", True),
        ("How often are fire drills held in the hall?", True),
        ("What is a deposit?", False),
        ("What is meant by “angle”?", False),
        ("What is it for?", False),
        ("What is required here?", False),
        ("How much does the trip cost a child?", False),
        ("What is the annual rent?", False),
    ],
)
def test_what_is_clear_alone(question: str, clear: bool) -> None:
    assert is_clear(question) is clear


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("if you lose your badge", "if I lose my badge"),
        ("if someone contacts you", "if someone contacts me"),
        ("if the policy allows you to leave", "if the policy allows me to leave"),
        ("if we let you go", "if we let me go"),
        ("when you are ill", "when I am ill"),
    ],
)
def test_the_reader_speaks(told: str, said: str) -> None:
    assert as_reader(told) == said


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How do I adopt a package?", "How do I adopt a package in Debian?"),
        ("How do I adopt a package of KDE?", "How do I adopt a package of KDE?"),
        ("How do I reach db.example?", "How do I reach db.example?"),
    ],
)
def test_where_a_task_is_done(question: str, asked: str) -> None:
    assert placed(question, "in Debian") == asked
    assert placed(question, "") == question
