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
        "Serves: 4",  # a verb with its object
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


TOLD = "The Brine works make salt for the whole coast and for the towns behind it, as they did in every year."


@pytest.mark.parametrize(
    ("term", "is_one"),
    [("Brine cellar", True), ("I can't open the pan", False), ("The pan won't boil", False), ("Your first pan", False)],
)
def test_complaints_are_no_terms(generated: Generate, term: str, is_one: bool) -> None:
    text = "A cellar of a salt house in which water stands for a week."
    page = f"<html><body><h1>Glossary of salt</h1><p>{TOLD}</p><dl><dt>{term}</dt><dd>{text}</dd></dl></body></html>"
    assert bool(generated(page, html=True).of("term")) is is_one


PORT = "# Port Halden\n\nPort Halden is a town in Skaldar.\n\n"


def test_cells_of_a_table(generated: Generate) -> None:
    head = "| Berth | Length (m) | Fee | Notes |\n|---|---|---|---|\n"
    table = head + "| North Quay | 120 | £12.50 | wide |\n| South Quay | 95.5 | £41 | low |\n"
    assert generated(PORT + table).of("table") == [
        ("What is the length of North Quay in Port Halden?", "120 m"),
        ("What is the fee of North Quay in Port Halden?", "£12.50"),
        ("What is the length of South Quay in Port Halden?", "95.5 m"),
        ("What is the fee of South Quay in Port Halden?", "£41"),
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
