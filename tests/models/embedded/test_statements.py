"""The generator as a whole: whatever the text, pairs keep the laws, and no text takes long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.records import Document
from ragassay.tasks.questions import QUESTION, StatementOnTheme
from ragassay.tasks.statements import FACTS, THEME, Passage, PassageOnTheme, Statement

Generate = Callable[..., Any]

# Pieces that rules look for, in any order, with signs that regular expressions know.
PIECES = st.sampled_from(
    [
        "Gannet Bridge", "The bridge", "It", "She", "Ada Moss", "was", "is", "has", "opened", "designed by", "a", "the",
        "in 1998", "on 4 May 1998", "from 2001 to 2009", "of 12,000", "£12.50", "412 m", "long", "(born", ")", "(", "“",
        "”", '"', ",", ";", ":", ".", "?", "!", "–", "-", "\n", "\n\n", "- ", "1. ", "| ", "## ", "Default: ", "--all",
        "wal_level", "`x`", "(.*)+", "[a-z]{9}", "\\1", "$^", "<b>", "&amp;", "\u202e", "\u200b", "\u0301", "漢字",
        "\x00", "\x0b", "\u2028", "é", "and", "by", "of", "Inc.", "e.g.", "the following", "What is it?", "as",
        "Xlit0q", "😀",
    ]
)  # fmt: skip
documents = st.lists(PIECES, max_size=60).map(" ".join)
titles = st.sampled_from(
    [
        "Gannet Bridge",
        "Ada Moss",
        "Panorama (album)",
        "(.*)+ [a-z]{9} \\1",
        "wal_level",
        "",
        "😀",
        "\u202eBridge",
        "A (",
        "x",
    ]
)


@settings(max_examples=150)
@given(documents, titles)
def test_no_text_is_too_odd(generated: Generate, text: str, title: str) -> None:
    generated(f"# {title}\n\n{text}", title=title)  # the fixture checks the laws


@settings(max_examples=50)
@given(st.text(st.characters(), max_size=200))
def test_any_characters_at_all(generated_of_document: Generate, text: str) -> None:
    generated_of_document(Document(id="doc-1", title=text[:20], source="a", text=text, language="en"))


def test_many_passages_at_once_are_answered_in_their_order() -> None:
    model = EmbeddedModel(encoder=None)  # type: ignore[arg-type]
    names = ["Gannet Bridge", "Osk Bridge", "Elm Bridge"]
    inputs = [
        PassageOnTheme(
            passage=Passage(title=name, text=f"{name} was opened in {1990 + place}.", language="en", widely=True),
            theme=name,
        )
        for place, name in enumerate(names)
    ]
    replies = asyncio.run(model.ask_all(FACTS, inputs))
    answers = [[each.draft.answer for each in reply.value.items if each.draft] for reply in replies if reply.value]
    assert [each[0] for each in answers] == ["1990", "1991", "1992"]
    assert asyncio.run(model.ask_all(FACTS, [])) == []


def test_a_statement_of_somebody_else_gets_no_question() -> None:
    model = EmbeddedModel(encoder=None)  # type: ignore[arg-type]
    inputs = StatementOnTheme(
        statement=Statement(text="Elm is old."), theme="Elm", passage=Passage(title="Elm", text="Elm is old.")
    )
    reply = asyncio.run(model.ask(QUESTION, inputs))
    assert (reply.value, reply.reason) == (None, "the embedded model asks only about statements that it found itself")


def test_no_fact_is_drafted_twice(generated: Generate) -> None:
    text = "# Gannet Bridge\n\nGannet Bridge was opened in 1998. " + "It was opened in 1998. " * 3
    assert generated(text).of("when") == [("When was Gannet Bridge opened?", "1998")]


LENGTH = 50_000
CONTEXT = 4_000
"""Longest passage that synthesis gives to the generator."""
RUNS = [
    "a ", "(", ")", ",", ", ", "1", "1 ", "1,", "A", "A ", "Aa ", "Aa, ", "A.", "a\n", ". ", "a. ", "The bridge ",
    "Gannet Bridge ", "Gannet Bridge is ", "Gannet Bridge was opened in ", "in ", "2001 ", "from 2001 to ",
    "$1 million ", "- ", "– ", "“", "\"", "\\", "[", ": ", "and ", "a and b, ", "by ", "--a ", "a-", "_", "x_", "'",
    "\t", "\x00", "漢", "has a capacity of ", "the following ", "\u200b", "😀",
]  # fmt: skip


def seconds(generate: Generate, text: str) -> float:
    start = time.process_time()
    generate(Document(id="doc-1", title="Gannet Bridge", source="a", text=text, language="en"))
    return time.process_time() - start


@pytest.fixture(scope="module")
def warm(generated_of_document: Generate) -> Generate:
    """The libraries of the rules are loaded before the clock starts."""
    seconds(generated_of_document, "Gannet Bridge was opened in 1998.")
    return generated_of_document


@pytest.mark.parametrize("run", RUNS, ids=ascii)
def test_no_context_takes_long(warm: Generate, run: str) -> None:
    for text in (run * (CONTEXT // len(run)), f"Gannet Bridge was designed by {run * (CONTEXT // len(run))} in 1999."):
        assert seconds(warm, text) < 10  # a tenth of a second on a usual machine


@pytest.mark.parametrize(
    "run", ["a ", ", ", "1 ", "A ", "Aa ", "The bridge ", "Gannet Bridge is ", ". ", "- ", "( ", "2001 "]
)
def test_no_long_text_takes_long(warm: Generate, run: str) -> None:
    assert seconds(warm, run * (LENGTH // len(run))) < 20  # less than half a second on a usual machine


def growth(generate: Generate, text: Callable[[int], str], length: int) -> float:
    """How many times longer a text of four times the length takes: 4 where time is linear, 16 where it is quadratic.

    The best of several, for whatever else the machine does makes some of them longer.
    """
    short, long = (min(seconds(generate, text(n * length)) for _ in range(5)) for n in (1, 4))
    return long / short


def test_four_times_the_blank_lines_take_four_times_as_long(warm: Generate) -> None:
    assert growth(warm, lambda length: "\n" * length, 3000) < 9


def test_a_word_of_four_times_the_length_takes_four_times_as_long(warm: Generate) -> None:
    assert growth(warm, lambda length: f"Gannet Bridge was designed by {'A' * length} in 1999.", 10_000) < 9


def test_a_record_without_a_title_is_named_by_no_file() -> None:
    text = "## Can I bring my own bicycle to the campsite?\n\nBicycles are free, but have to be locked at night.\n"
    model = EmbeddedModel(encoder=None)  # type: ignore[arg-type]
    for title in ("", "news items 189"):
        for told, widely in ((text, False), ("It is old.", True)):
            passage = Passage(title=title, text=told, language="en", opening=told, widely=widely)
            theme = asyncio.run(model.ask(THEME, passage)).value
            assert theme is None or "news" not in theme.text
