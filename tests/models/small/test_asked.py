"""How likely a reader takes what the writer asked: the numbers, and what they were learned to say."""

from __future__ import annotations

import math

import pytest

from ragassay.models.small.asked import asked_features, taken
from ragassay.models.small.writer import Likelihood

STATED = "Guests leave the room by eleven on the last day."
LIKELY, UNLIKELY = Likelihood(-2.0, -0.2, -1.5), Likelihood(-16.0, -1.6, -9.0)


def test_the_numbers_of_a_question() -> None:
    found = asked_features("When do I have to leave room 12 at the Anchor?", STATED, "Anchor Inn", LIKELY)
    assert found == {
        "total": -2.0,
        "root_of_total": pytest.approx(-math.sqrt(2.0)),
        "mean": -0.2,
        "least": -1.5,
        "words": 11,
        "yes_or_no": False,
        "names": 2,
        "names_nothing": False,
        "definites": 1,
        "asker": True,
        "stated": pytest.approx(3 / 11),  # leave, room, the
        "stated_words": 10,
        "comma": False,
        "says_little": False,
        "cut": False,
        "titled": True,
    }


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Do guests leave the room by eleven?", "yes_or_no"),
        ("What does the guide provide?", "says_little"),
        ("What is the room for?", "cut"),
        ("When do guests leave the room?", "names_nothing"),
        ("If it rains, where do guests go?", "comma"),
    ],
)
def test_what_a_wording_is(question: str, name: str) -> None:
    assert asked_features(question, STATED, "", LIKELY)[name] is True


@pytest.mark.parametrize("question", ["", "?", " ", "I"])
def test_next_to_nothing_has_numbers_too(question: str) -> None:
    assert all(math.isfinite(value) for value in asked_features(question, "", "", Likelihood(0.0, 0.0, 0.0)).values())


def test_what_the_writer_holds_likely_is_taken_more_likely() -> None:
    asked = "When do guests leave the room on the last day?"
    assert 0 < taken(asked, STATED, "Anchor Inn", UNLIKELY) < 0.1 < taken(asked, STATED, "Anchor Inn", LIKELY) < 1
