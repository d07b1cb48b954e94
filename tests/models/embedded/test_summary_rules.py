"""Questions whose whole answer has several units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

BRIDGE = "# Gannet Bridge\n\nGannet Bridge is a suspension bridge in Skaldar. "


def test_two_facts_of_one_theme(generated: Generate) -> None:
    text = BRIDGE + "It was designed by Ines Halvorsen. It was opened on 4 May 1998. It was closed on 9 June 1999."
    found = generated(text)
    assert found.of("who_when") == [
        ("Who designed Gannet Bridge, and when was it opened?", "Ines Halvorsen; 4 May 1998")
    ]
    ((question, answer),) = found.of("two_dates")
    assert question == "On what date was Gannet Bridge opened, and when was it closed?"
    assert answer.startswith("4 May 1998")
    assert "9 June 1999" in answer


@pytest.mark.parametrize(("pronoun", "own"), [("She", "her"), ("He", "his")])
def test_the_pronoun_of_the_second_fact(generated: Generate, pronoun: str, own: str) -> None:
    text = (
        f"# Lee Moss\n\nLee Moss is a sailor. {pronoun} joined the rescue service on 3 March 1990. "
        f"{pronoun} wrote {own} first book on 1 May 1999. {pronoun} retired on 1 June 2001."
    )
    questions = [question for question, _ in generated(text).of("two_dates")]
    assert questions
    assert all(f" did {pronoun.lower()} " in question for question in questions)


def test_an_enumeration(generated: Generate) -> None:
    found = generated(BRIDGE + "The bridge consists of two towers, four main cables and a steel deck.")
    assert found.of("enumeration") == [
        ("What does Gannet Bridge consist of?", "Two towers, four main cables and a steel deck")
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The bridge consists of two tall and slender towers.",
        "It includes two towers, its cables, and those decks.",
        "They include two towers, four main cables and a steel deck.",
        "The bridge may include two towers, four main cables and a steel deck.",
    ],
)
def test_what_is_no_enumeration(generated: Generate, sentence: str) -> None:
    assert generated(BRIDGE + sentence).of("enumeration") == []


LISTS = """# INC-204: Pump failure

The pump failure happened at night.

## Corrective actions

- Replace the filter cartridge.
- Inspect the pump seal weekly.
- Train the night crew.

## See also

- Some other page.
- Yet another page.
- And a third page.
"""


def test_items_of_a_list(generated: Generate) -> None:
    ((question, answer),) = generated(LISTS).of("list")
    assert "corrective actions" in question
    assert "the pump failure" in question
    assert answer == "Replace the filter cartridge, Inspect the pump seal weekly, Train the night crew"


@pytest.mark.parametrize(
    "items",
    [
        ("Replace the filter cartridge.",),
        ("Replace the filter.", "replace the filter."),
        ("Replace the (filter.", "Inspect the seal."),
        ("One.", "Two."),
        tuple(f"Replace filter number {number}." for number in range(11)),
    ],
    ids=["one", "twice the same", "open bracket", "too little", "eleven"],
)
def test_what_is_no_list_to_ask_for(generated: Generate, items: tuple[str, ...]) -> None:
    text = "# INC-204: Pump failure\n\nIt was loud.\n\n## Corrective actions\n\n" + "".join(
        f"- {item}\n" for item in items
    )
    assert generated(text).of("list") == []


def test_steps(generated: Generate) -> None:
    steps = "1. Close the inlet.\n2. Press the red button twice.\n"
    text = f"# Pump manual\n\nIt is short.\n\n## How to reset the valve\n\n{steps}"
    ((question, answer),) = generated(text).of("steps")
    assert question.startswith("How do you reset the valve")
    assert answer == "Close the inlet, Press the red button twice"


def test_a_list_after_its_announcement(generated: Generate) -> None:
    items = "- plain lines of text\n- one JSON object a line\n"
    text = f"# Brinelog\n\nBrinelog is a server. Brinelog supports the following formats:\n\n{items}"
    assert generated(text).of("list") == [
        ("Which formats does Brinelog support?", "plain lines of text, one JSON object a line")
    ]


def test_two_parameters_and_a_default(generated: Generate) -> None:
    found = generated(
        "# wal_keeper\n\nIt copies files.\n\n## Options\n\n"
        "`--dbname=dbname`\n:   Specifies the database to copy. The default is main.\n\n"
        "`--jobs=n`\n:   Sets the number of workers that copy files in parallel.\n"
    )
    assert found.of("parameter_pair") == [
        (
            "What do the --dbname and --jobs options of wal_keeper do?",
            "--dbname specifies the database to copy; --jobs sets the number of workers that copy files in parallel",
        )
    ]
    ((question, answer),) = found.of("meaning_and_default")
    assert question.startswith("What does the --dbname option of wal_keeper do, and what is ")
    assert answer == "It specifies the database to copy; the default is main"


def test_accepted_values(generated: Generate) -> None:
    text = (
        "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2><dl>"
        "<dt>log_mode (enum)</dt><dd><p>Controls which messages are written to the log. Valid values are none, error,"
        " and all. It is read once.</p></dd></dl></body></html>"
    )
    ((question, answer),) = generated(text, html=True).of("accepted_values")
    assert "log_mode" in question
    assert answer == "none, error, and all"


def test_the_entries_of_a_section_by_name(generated: Generate) -> None:
    listed = (("tub_name", "Names the tub."), ("tub_depth", "Tells how deep."), ("tub_hall", "Tells where."))
    entries = "".join(f"<dt>{name}</dt><dd><p>{text}</p></dd>" for name, text in listed)
    text = (
        "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2>"
        f"<dl>{entries}</dl><p>After the list.</p></body></html>"
    )
    assert generated(text, html=True).of("entry_names") == [
        ("Which parameters are described for the log settings?", "tub_name, tub_depth, tub_hall")
    ]


def test_a_section_with_a_known_heading(generated: Generate) -> None:
    plot = (
        "A captain takes a crew to a distant shoal where the fish have gone. Each of the sailors blames another for "
        "the bad luck of the winter. In the end the ship returns to harbour with empty nets and a changed crew."
    )
    text = f"# The Long Shoal (film)\n\nThe Long Shoal is a drama film.\n\n## Plot\n\n{plot}\n"
    ((question, answer),) = generated(text).of("section")
    assert question in {"What is the plot of the film The Long Shoal?", "What happens in the film The Long Shoal?"}
    assert answer == plot
    assert generated(text.replace("empty nets", "(empty nets")).of("section") == []
    assert generated(text.replace("A captain takes", "However, a captain takes")).of("section") == []
    assert generated(text.replace("## Plot", "## Weather")).of("section") == []


def test_keys_asked_together(generated: Generate) -> None:
    text = "# MV Redfin\n\n- Type: passenger ferry\n- Home port: Elm\n- Colour: blue\n"
    known = frozenset({"type", "home port", "colour"})
    assert generated(text, known_keys=known).of("key_group") == [
        ("What are the type, home port and colour of MV Redfin?", "Type: passenger ferry; Home port: Elm; Colour: blue")
    ]


def test_a_passage_without_a_theme_has_no_summaries_of_it(generated: Generate) -> None:
    found = generated("Nothing here has a name. It was opened on 4 May 1998. It was closed on 9 June 1999.")
    assert (found.theme, found.facts, found.summaries, found.conclusions, found.misses) == ("", [], [], [], [])
