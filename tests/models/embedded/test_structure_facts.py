"""Facts of keys, terms, options, tables, casts and one-line purposes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

SETTINGS = """<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2><dl>{}</dl>
<p>After the list.</p></body></html>"""


def settings(*entries: tuple[str, str]) -> str:
    return SETTINGS.format("".join(f"<dt>{name}</dt><dd><p>{text}</p></dd>" for name, text in entries))


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


def test_options_of_a_command(generated: Generate) -> None:
    found = generated(
        "# wal_keeper\n\nwal_keeper — copy the change log to a second disk\n\n## Options\n\n"
        "`-d dbname`, `--dbname=dbname`\n:   Specifies the database to copy. The default is main.\n\n"
        "`--jobs=n`\n:   Sets the number of workers that copy files in parallel. The default is 4.\n"
    )
    assert found.theme == "wal_keeper"
    assert found.of("default") == [
        ("What does the --dbname option of wal_keeper default to?", "main"),
        ("What is the default value of the --jobs option of wal_keeper?", "4"),
    ]
    assert found.of("meaning") == [
        ("What does the --dbname option of wal_keeper specify?", "The database to copy"),
        ("What does the --jobs option of wal_keeper set?", "The number of workers that copy files in parallel"),
    ]
    assert found.of("which_parameter") == [
        ("Which option of wal_keeper specifies the database to copy?", "--dbname"),
        ("Which option of wal_keeper sets the number of workers that copy files in parallel?", "--jobs"),
    ]


def test_parameters_with_their_types(generated: Generate) -> None:
    text = settings(
        (
            "log_size_max (integer)",
            "Sets the largest size of one log file. Older lines are dropped. The default is 64 MB.",
        ),
        ("log_mode_names (enum)", "Controls which messages are written to the log."),
    )
    found = generated(text, html=True, collection="Brinelog")
    assert found.of("default") == [("What is the default value of log_size_max?", "64 MB")]
    assert found.of("meaning") == [
        ("What does log_size_max set?", "The largest size of one log file"),
        ("What does log_mode_names control?", "Which messages are written to the log"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The default is 64 MB if the disk is small.",
        "The default is to keep all.",
        "The default is the value of the server.",
        "The default is determined by the server.",
        "The default is 64 MB, unless it was built otherwise.",
        "Nothing is said of it.",
    ],
)
def test_defaults_that_depend(generated: Generate, sentence: str) -> None:
    text = settings(("log_size_max (integer)", f"Sets the largest size of one log file. {sentence}"))
    assert generated(text, html=True).of("default") == []


@pytest.mark.parametrize(
    "definition",
    [
        "Sets it to the largest size of such a file.",  # of which?
        "The largest size of one log file in the folder.",  # no verb
        "Sets the largest (size of one log file in it.",  # a bracket is open
        "Sets size.",
    ],
)
def test_meanings_that_are_not_plain(generated: Generate, definition: str) -> None:
    assert generated(settings(("log_size_max (integer)", definition)), html=True).of("meaning") == []


def test_a_name_that_is_defined_twice_is_nobodys(generated: Generate) -> None:
    entry = ("log_size_max (integer)", "Sets the largest size of one log file. The default is 64 MB.")
    assert generated(settings(entry, entry), html=True).of("default") == []


def test_a_file_name_is_a_default_as_a_whole(generated: Generate) -> None:
    text = "Specifies the file of the certificate. The default is brine.crt. Restart after a change."
    found = generated(settings(("log_cert_file (string)", text), ("log_b_c (integer)", "Sets b.")), html=True)
    assert [answer for _, answer in found.of("default")] == ["brine.crt"]


def test_a_sentence_that_begins_with_a_name_in_small_letters(generated: Generate) -> None:
    option = "`--mode=mode`\n:   Specifies the mode of leaving. mode can be fast or slow.\n"
    found = generated(f"# wal_keeper\n\nIt copies files.\n\n## Options\n\n{option}")
    assert found.of("meaning") == []


def test_what_an_argument_stands_for(generated: Generate) -> None:
    found = generated(
        settings(
            ("tub_name", "The name of the tub."),  # says nothing that the question does not
            ("tub_hall", "The hall in which the tub stands at night."),
            ("tub_depth", "It is measured from the rim to the floor."),
        ),
        html=True,
    )
    assert found.of("argument") == [
        (
            "What does the parameter tub_hall of the log settings stand for?",
            "The hall in which the tub stands at night",
        )
    ]


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
