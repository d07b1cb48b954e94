"""Facts of keys, terms and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]


def record(title: str, *lines: str) -> str:
    return f"# {title}\n\n" + "".join(f"- {line}\n" for line in lines)


def test_keys_that_the_collection_knows(generated: Generate) -> None:
    text = record(
        "Marta Kivela",
        "Name: Marta Kivela",
        "Joined: 3 March 2014",
        "Appointed: 1 April 2016",
        "Based in: Port Halden",
        "Line manager: Olaf Brink",
        "Vehicles: 12",
        "Hobby: chess",
    )
    known = frozenset({"name", "joined", "appointed", "based in", "line manager", "vehicles"})
    assert generated(text, known_keys=known).of("key_value") == [
        ("When did Marta Kivela join the organisation?", "3 March 2014"),
        ("When was Marta Kivela appointed?", "1 April 2016"),
        ("Where is Marta Kivela based?", "Port Halden"),
        ("Who is the line manager of Marta Kivela?", "Olaf Brink"),
        ("How many vehicles does Marta Kivela have?", "12"),
    ]
    assert generated(text).of("key_value") == []  # keys of one document alone may be stray lines


@pytest.mark.parametrize(
    "line",
    [
        "Status: unknown",
        "Status: n/a",
        "Status: yes",
        "Status: see below.",
        "Status: Marta Kivela",  # names the theme
        "Status: the same as hers",
        "Status: (open",
        "Notes: berth seven",
        f"Status: {'very ' * 14}long",
        "Status 2: fine day",
    ],
)
def test_values_that_answer_nothing(generated: Generate, line: str) -> None:
    known = frozenset({line.split(":", maxsplit=1)[0].lower(), "rank", "ship", "name"})
    text = record("Marta Kivela", "Name: Marta Kivela", "Rank: mate", "Ship: MV Bluefin", line)
    assert [answer for _, answer in generated(text, known_keys=known).of("key_value")] == ["mate", "MV Bluefin"]


def test_two_keys_make_no_record(generated: Generate) -> None:
    text = record("Marta Kivela", "Rank: mate", "Ship: MV Bluefin")  # three make one
    assert generated(text, known_keys=frozenset({"rank", "ship"})).of("key_value") == []


@pytest.mark.parametrize(
    "title",
    [
        "Index",  # names nothing
        pytest.param(
            "Fleet",
        ),
    ],
)
def test_records_of_one_page_are_told_apart_by_their_headings(generated: Generate, title: str) -> None:
    text = f"# {title}\n\n" + "".join(
        f"## {ship}\n\n- Master: {master}\n- Home port: {port}\n- Berths: {berths}\n\n"
        for ship, master, port, berths in (
            ("Bluefin", "Olaf Brink", "Elm", 12),
            ("Redfin", "Ada Moss", "Port Halden", 212),
        )
    )
    pairs = generated(text).of("key_value")
    assert ("Who is the master of Bluefin?", "Olaf Brink") in pairs
    assert ("Who is the master of Redfin?", "Ada Moss") in pairs
    assert ("How many berths does Redfin have?", "212") in pairs


def test_terms_of_a_glossary(generated: Generate) -> None:
    found = generated(
        "# Glossary\n\nLane metre\n:   A strip of deck two and a half metres wide and one metre long.\n\n"
        "Slack water\n:   It is the short time when the tide does not run at all.\n\n"
        "dwell\n:   The time that a lorry spends on the quay before sailing.\n\n"
        "Berth\n:   A place.\n"
    )
    ((question, answer),) = found.of("term")
    assert "“Lane metre”" in question
    assert answer == "A strip of deck two and a half metres wide and one metre long"


def test_terms_outside_a_glossary(generated: Generate) -> None:
    page = "<html><head><title>{}</title></head><body><h1>{}</h1><dl><dt>{}</dt><dd><p>{}</p></dd></dl></body></html>"
    told = "The slope of the grid lines in degrees."
    html = page.format("Grid", "Grid", "Grid angle", told)
    assert generated(html, html=True).of("term") == []
    assert generated(html, html=True, widely=True).of("term") == [
        ("How is the term “Grid angle” defined?", "The slope of the grid lines in degrees")
    ]
    alone = page.format("Grid", "Grid", "Angle", told)  # of what?
    assert generated(alone, html=True, widely=True).of("term") == []
    shown = page.format("Grid", "Grid", "Grid angle", "The slope of the lines is shown in degrees here.")
    assert generated(shown, html=True, widely=True).of("term") == []


PORT = "# Port Halden\n\nPort Halden is a town in Skaldar.\n\n"


def test_cells_of_a_table(generated: Generate) -> None:
    head = "| Berth | Length (m) | Fee | Notes |\n|---|---|---|---|\n"
    table = head + "| North Quay | 120 | £12.50 | wide |\n| South Quay | 95.5 | £41 | low |\n"
    assert generated(PORT + table).of("table") == [
        ("What is the length of North Quay in Port Halden?", "120 m"),
        ("What is the fee for North Quay in Port Halden?", "£12.50"),
        ("What is the length of South Quay in Port Halden?", "95.5 m"),
        ("What is the fee for South Quay in Port Halden?", "£41"),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ("| North Quay | 120 |", "| North Quay | 95 |"),  # rows that cannot be told apart
        ("| North Quay | 120 |",),  # one row
        ("| 1 | 120 |", "| 2 | 95 |"),  # rows without a name
        ("| North Quay | 120 |", "| South Quay | 120 |"),  # the same of both
        ("| North Quay | - |", "| South Quay | n/a |"),
    ],
)
def test_tables_of_which_nothing_can_be_asked(generated: Generate, rows: tuple[str, ...]) -> None:
    table = "| Berth | Length |\n|---|---|\n" + "\n".join(rows) + "\n"
    assert generated(PORT + table).of("table") == []


def record_of(generated: Generate, title: str, *lines: str) -> list[tuple[str, str]]:
    """The questions that the keys of a record give."""
    keys = frozenset(line.split(":")[0].lower() for line in lines)
    text = f"# {title}\n\n{title} is described here.\n\n" + "".join(f"- {line}\n" for line in lines)
    found = generated(text, known_keys=keys)
    return [*found.of("key_value"), *found.of("key_group")]


def test_roles_are_held_by_somebody(generated: Generate) -> None:
    found = record_of(generated, "MV Alder", "Builder: Eastmere Yards", "Engine: Hexmoor V4", "Crew: 9", "Port: Oskay")
    assert found[:3] == [
        ("Who is the builder of MV Alder?", "Eastmere Yards"),
        ("What is the engine of MV Alder?", "Hexmoor V4"),
        ("What is the crew size of MV Alder?", "9"),
    ]
    assert (
        "What are the engine, crew size and port of MV Alder?",
        "Engine: Hexmoor V4; Crew size: 9; Port: Oskay",
    ) in (found)


def test_what_went_wrong_is_over(generated: Generate) -> None:
    lines = ("Category: B", "Cost: £64,300", "Location: Oskay", "Cause: Burst hose")
    assert record_of(generated, "INC-7: Linkspan failure", *lines)[:4] == [
        ("What was the category of the linkspan failure?", "B"),
        ("How much did the linkspan failure cost?", "£64,300"),
        ("Where did the linkspan failure happen?", "Oskay"),
        ("What was the cause of the linkspan failure?", "Burst hose"),
    ]


def test_the_header_of_a_mail_is_no_record(generated: Generate) -> None:
    header = ("From: Ada Moss", "To: Tom Reed", "Cc: Ines Halvorsen", "Subject: A wet room")
    assert record_of(generated, "Gannet Hall", *header) == []
    assert record_of(generated, "Gannet Hall", *header[2:], "Owner: Ada Moss")[0] == (
        "What is the cc of Gannet Hall?",
        "Ines Halvorsen",
    )


def test_an_attribute_without_a_name_is_passed_over(generated: Generate) -> None:
    rows = "| Colour | red |\n| (kg) | 3 kg |\n| Size | 4 l |\n"
    text = f"# Morven K40 kettle\n\nThe kettle is new.\n\n| Property | Value |\n|---|---|\n{rows}"
    answers = [answer for _, answer in generated(text, widely=True).of("attribute_row")]
    assert answers == ["red", "4 l"]
