"""What rules made of manuals that they had not seen, and should not; beside it what stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.reading.outline import heading_above
from ragassay.models.embedded.reading.themes import theme_of
from ragassay.records import Document
from ragassay.tasks.statements import Passage

Generate = Callable[..., Any]
Read = Callable[..., Document]
OPENING = "The Brine works make salt for the whole coast and for the towns behind it, as they did in every year. "


def asked(found: Any, pattern: str) -> list[str]:
    return [question for question, _ in found.of(pattern)]


def record(key: str, value: str) -> str:
    return f"# Brine works\n\n{OPENING}\n\n- Owner: Ada Moss\n- Manager: Tom Reed\n- {key}: {value}\n"


@pytest.mark.parametrize(
    "value", ["The port of the server. Default: 8096", "Whether it is started first.", "Use one of:", "defaults to 80"]
)
def test_what_describes_a_setting_is_not_its_value(generated: Generate, value: str) -> None:
    known = frozenset({"port", "owner", "manager"})
    assert "What is the port of the Brine works?" in asked(
        generated(record("Port", "8096"), known_keys=known), "key_value"
    )
    found = generated(record("Port", value), known_keys=known)
    assert [question for question in asked(found, "key_value") if "port" in question] == []
    assert [question for question in asked(found, "key_group") if "port" in question] == []


@pytest.mark.parametrize(
    ("term", "is_one"),
    [("Brine cellar", True), ("I can't open the pan", False), ("The pan won't boil", False), ("Your first pan", False)],
)
def test_complaints_are_no_terms(generated: Generate, term: str, is_one: bool) -> None:
    text = "A cellar of a salt house in which water stands for a week."
    page = f"<html><body><h1>Glossary of salt</h1><p>{OPENING}</p><dl><dt>{term}</dt><dd>{text}</dd></dl></body></html>"
    assert bool(generated(page, html=True).of("term")) is is_one


@pytest.mark.parametrize(("heading", "is_asked"), [("Windows", False), ("Old pumps", True)])
def test_a_name_below_a_heading_is_not_the_whole_of_it(generated: Generate, heading: str, is_asked: bool) -> None:
    told = "On Windows, open the list of programs. Wait until the pump has closed, and then take it off the wall."
    page = f"# Salt Pan Handbook\n\n{OPENING}\n\n## Removing the program\n\n{OPENING}\n\n### {heading}\n\n{told}\n"
    topics = [question for question in asked(generated(page, widely=True), "section_topic") if heading[1:] in question]
    assert bool(topics) is is_asked


@pytest.mark.parametrize(
    ("last", "is_asked"),
    [
        ("The pump of the works stops by itself when the pan is full.", True),
        ("For more details, see the chapter on pumps.", False),
        ("See Deployment for an example of a pump.", False),
    ],
)
def test_an_answer_that_sends_its_reader_elsewhere(generated: Generate, last: str, is_asked: bool) -> None:
    page = f"# Brine works\n\n{OPENING}\n\n## How can I stop the pump of a Brine pan?\n\nPress the red button. {last}\n"
    assert bool(generated(page).of("own_question")) is is_asked


@pytest.mark.parametrize(
    ("key", "value", "is_asked"),
    [
        ("Coast", "behind the dunes", True),
        ("MPS", "mean size of a pan", False),
        ("Npans", "number of all pans", False),
        ("MPS", "Ada Moss", True),
    ],
)
def test_symbols_of_a_formula_are_no_attributes(generated: Generate, key: str, value: str, is_asked: bool) -> None:
    known = frozenset({key.lower(), "owner", "manager"})
    found = asked(generated(record(key, value), known_keys=known), "key_value")
    assert any(f" {key} " in question or f" {key.lower()} " in question for question in found) is is_asked


@pytest.mark.parametrize(("last", "is_asked"), [("Wait until it has closed.", True), ("Take it from here.", False)])
def test_links_without_their_target(generated: Generate, last: str, is_asked: bool) -> None:
    told = f"The pump of the works moves the water of all pans to the sea, and back again in winter. {last}"
    page = f"# Salt Pan Handbook\n\n{OPENING}\n\n## Old pumps\n\n{told}\n"
    assert bool(generated(page, widely=True).of("section_topic")) is is_asked


@pytest.mark.parametrize("heading", ["Credits", "Considerations", "Use pumps to move water", "Add coarse salt"])
def test_headings_that_are_no_topics(generated: Generate, heading: str) -> None:
    told = "Many thanks go to Tom Reed for the pump and the pipes. It will surely be the best pump that the works had."
    page = "# Salt Pan Handbook\n\n{}\n\n## {}\n\n{}\n"
    assert generated(page.format(OPENING, heading, told), widely=True).of("section_topic") == []
    assert generated(page.format(OPENING, "Use of pumps", told), widely=True).of("section_topic")


@pytest.mark.parametrize(
    ("title", "opening", "theme"),
    [
        ("FAQ", "Here are some answers to questions that many people have asked us.", None),
        ("FAQ", "What is the difference between a pan and a pot, and which is better?", None),
        ("FAQ", "Grey Harbour is a band that has played at the pier for many years.", "Grey Harbour"),
        ("SYNOPSIS", "brine [options] <command> [arguments] of the program for pans", None),
        ("General", "Every command of the program takes a number of options and arguments.", None),
        ("General Assembly", "The assembly of the works meets in May, as it always did.", "General Assembly"),
    ],
)
def test_titles_and_openings_that_name_nothing(title: str, opening: str, theme: str | None) -> None:
    assert theme_of(Passage(title=title, text=opening, opening=opening)) == theme


def test_the_heading_above_a_heading(markdown: Read) -> None:
    document = markdown("# Salt\n\nText.\n\n## Open pans\n\nText.\n\n### Use\n\nText.\n\n## Closed pans\n\nText.\n")
    whole = to_passage(document, 0, len(document.text))
    assert [heading_above(whole, name) for name in ("Use", "Open pans", "Closed pans", "none")] == [
        "Open pans",
        "",
        "",
        "",
    ]
    start = document.text.index("Use")
    part = to_passage(document, start, document.text.index("Closed pans"))
    assert part.section == ("Open pans", "Use")
    assert heading_above(part, "Use") == "Open pans"
    assert heading_above(to_passage(document, start + 3, document.text.index("Closed pans")), "Use") == "Open pans"
    assert heading_above(part.model_copy(update={"title": "Open pans, 2024"}), "Use") == ""


@pytest.mark.parametrize(
    ("opening", "theme"),
    [
        (
            "Brine Works Ltd., established on 4 May 1998 in Lund, is a listed maker of salt and pans.",
            "Brine Works Ltd.",
        ),
        ("Brine Works (founded in Lund) is a listed maker of salt and of pans for it.", "Brine Works"),
        ("Grey Harbour, formed in 1998 and based in Lund, has played folk music since then.", "Grey Harbour"),
        ("Grey Harbour, Lund, and the pier of the town were built in 1998 by the same man.", None),
    ],
)
def test_the_subject_of_an_opening_with_words_put_in(opening: str, theme: str | None) -> None:
    assert theme_of(Passage(title="Untitled", text=opening, opening=opening)) == theme
