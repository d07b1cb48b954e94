"""What is asked of a thing, a person or a page of its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.models.small import roles

Generate = Callable[..., Any]

FILLER = "The audience was quiet and the hall was dark on the evening when it was shown to all of the town. " * 4


def asked(generated: Generate, text: str) -> set[str]:
    return {question for _, question in generated(text).misses}


def test_what_one_asks_of_a_film(generated: Generate) -> None:
    assert asked(generated, f"# The Long Shoal (film)\n\nThe Long Shoal is a drama film. {FILLER}") >= {
        "Who directed the film The Long Shoal?",
        "Who composed the music for the film The Long Shoal?",
        "What was the budget of the film The Long Shoal?",
    }


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Cargo fire", "How many people were injured in the cargo fire?"),
        ("Valve failure", "How much did the valve failure cost?"),
        ("Leave policy", "Who approved the leave policy?"),
    ],
)
def test_pages_of_organisations(generated: Generate, title: str, question: str) -> None:
    page = f"# {title}\n\nThe {title[0].lower()}{title[1:]} is described here. {FILLER}"
    assert question in asked(generated, page)
    pattern = next(name for name, each in generated(page).misses if each == question)
    assert pattern == "_".join(["of_kind", *question.lower().split()[:2]])


@pytest.mark.parametrize(
    "text", ["# Cargo fire\n\nThe cargo fire is here.", "# Reference Manual: Topic fire\n\n" + FILLER]
)
def test_what_is_not_asked(generated: Generate, text: str) -> None:
    assert not {each for each in asked(generated, text) if "injured" in each}


def test_what_is_asked_of_persons(generated: Generate) -> None:
    text = f"# Ada Moss\n\nAda Moss (born 1990) was a Norwegian football player. {FILLER}"
    assert "How tall is Ada Moss?" in asked(generated, text)
    record = text + "\n\nRank: mate\n\nShip: Redfin\n\nHome: Oskay\n"
    assert "How tall is Ada Moss?" not in asked(generated, record)  # a page of a staff handbook


def test_the_verifier_reads_what_words_decide_without_it(generated: Generate, monkeypatch: Any) -> None:
    text = f"# The Long Shoal (film)\n\nThe Long Shoal is a drama film. Its Director was ill. {FILLER}"
    question = "Who directed the film The Long Shoal?"
    assert question not in asked(generated, text)
    monkeypatch.setattr(roles, "is_on", lambda: True)
    assert question in asked(generated, text)


def test_what_similar_documents_have(generated: Generate) -> None:
    text = "# MV Redfin\n\n- Type: passenger ferry\n- Built: 1998\n- Master: Ada Moss\n\nMV Redfin is red."
    lacking = ("home port", "master mariner", "x1", "staff cabins")
    found = generated(text, sibling_attributes=lacking).misses
    # 'master' stands in the text, 'x1' is no noun
    assert [question for pattern, question in found if pattern == "missing_key"] == [
        "What is the home port of MV Redfin?",
        "How many staff cabins does MV Redfin have?",
    ]
