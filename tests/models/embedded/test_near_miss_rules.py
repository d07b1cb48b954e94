"""Questions that fit a passage and that it does not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

FILLER = "The audience was quiet and the hall was dark on the evening when it was shown to the people of the town. " * 4


def film(*sentences: str) -> str:
    return f"# The Long Shoal (film)\n\nThe Long Shoal is a drama film. {' '.join(sentences)} {FILLER}"


def test_what_one_asks_of_a_film(generated: Generate) -> None:
    assert {question for _, question in generated(film()).misses} >= {
        "Who directed the film The Long Shoal?",
        "Who composed the music for the film The Long Shoal?",
        "What was the budget of the film The Long Shoal?",
    }


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("A young director found the story.", "Who directed the film The Long Shoal?"),
        ("The SOUNDTRACK is loud.", "Who composed the music for the film The Long Shoal?"),
        ("It cost a lot.", "What was the budget of the film The Long Shoal?"),
        ("It grossed two million.", "What was the budget of the film The Long Shoal?"),
    ],
)
def test_what_the_text_touches_on_is_not_asked(generated: Generate, sentence: str, question: str) -> None:
    assert question in {asked for _, asked in generated(film()).misses}
    assert question not in {asked for _, asked in generated(film(sentence)).misses}


def test_a_short_text_may_only_be_an_extract(generated: Generate) -> None:
    assert generated("# The Long Shoal (film)\n\nThe Long Shoal is a drama film.").misses == []


def test_what_similar_documents_have(generated: Generate) -> None:
    text = "# MV Redfin\n\n- Type: passenger ferry\n- Built: 1998\n- Master: Ada Moss\n\nMV Redfin is red."
    lacking = ("home port", "master mariner", "x1")
    missing = [
        question for pattern, question in generated(text, sibling_attributes=lacking).misses if pattern == "missing_key"
    ]
    assert missing == ["What is the home port of MV Redfin?"]  # 'master' stands in the text, 'x1' is no noun


def test_options_that_similar_commands_have(generated: Generate) -> None:
    text = "# wal_keeper\n\nIt copies files.\n\n## Options\n\n`--dbname=dbname`\n:   Specifies the database to copy.\n"
    lacking = ("--jobs", "--help", "--dbname")
    found = generated(text, sibling_attributes=lacking).misses
    assert [question for pattern, question in found if pattern == "missing_option"] == [
        "What does the --jobs option of wal_keeper do?"
    ]


PARAMETERS = (
    "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2><dl>"
    "<dt>log_size_max (integer)</dt><dd><p>Sets the largest size of one log file. {}</p></dd>"
    "<dt>log_mode (enum)</dt><dd><p>Controls which messages are written to the log and how much of each message is "
    "kept there for later. {}</p></dd></dl><p>After the list.</p></body></html>"
)


def test_a_parameter_whose_default_nobody_wrote_down(generated: Generate) -> None:
    def asked(first: str, second: str) -> list[str]:
        found = generated(PARAMETERS.format(first, second), html=True).misses
        return [question for pattern, question in found if pattern == "undocumented_default"]

    assert asked("The default is 64 MB.", "") == ["What is the default value of log_mode?"]
    assert asked("", "") == []  # where no default is given, none is missed
    assert asked("The default is 64 MB.", "It is off by default.") == []
    assert asked("The default is 64 MB.", "Normally all are kept.") == []


def person(life: str, calling: str) -> str:
    return f"# Ada Moss\n\nAda Moss ({life}) was a Norwegian {calling}. {FILLER}"


@pytest.mark.parametrize(
    ("life", "calling", "question", "is_asked"),
    [
        ("born 1990", "football player", "How tall is Ada Moss?", True),
        (
            "1890, Skaldar – 1960, Oskay",
            "football player",
            "How tall is Ada Moss?",
            False,
        ),  # one does not ask of the dead
        ("born 1990", "player", "How tall is Ada Moss?", False),  # of what?
    ],
)
def test_what_is_asked_of_the_living(
    generated: Generate, life: str, calling: str, question: str, is_asked: bool
) -> None:
    asked = [question for pattern, question in generated(person(life, calling)).misses if pattern == "missing_calling"]
    assert (question in asked) is is_asked
