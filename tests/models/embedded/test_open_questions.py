"""What a page leaves open, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]
FILLER = "The text goes on about other things that nobody asked for. " * 8


def asked(found: Any, pattern: str) -> list[str]:
    return [question for name, question in found.misses if name == pattern]


def command(sentence: str = "") -> str:
    return f"# DROP TUB\n\nDROP TUB — remove a tub\n\n## Synopsis\n\n`DROP TUB name`\n\n{sentence} {FILLER}"


@pytest.mark.parametrize(
    ("pattern", "question", "telling"),
    [
        ("unstated_version", "Since which version of Brine has DROP TUB been available?", "It is new in 15."),
        ("unstated_privilege", "Which privilege does a user need to run DROP TUB?", "You must be the owner."),
        ("unstated_transaction", "Can DROP TUB be run inside a transaction block?", "Rollback restores the tub."),
        ("unstated_lock", "Which kind of lock does DROP TUB acquire?", "It locks the hall."),
    ],
)
def test_commands(generated: Generate, pattern: str, question: str, telling: str) -> None:
    assert asked(generated(command(), collection="Brine"), pattern) == [question]
    assert asked(generated(command(telling), collection="Brine"), pattern) == []


def test_versions_are_those_of_a_named_collection(generated: Generate) -> None:
    assert asked(generated(command()), "unstated_version") == []


def page(title: str, sentence: str = "") -> str:
    return f"# {title}\n\nThe {title[0].lower()}{title[1:]} is described here. {sentence} {FILLER}"


@pytest.mark.parametrize(
    ("title", "pattern", "question", "telling"),
    [
        ("Cargo fire", "unstated_injuries", "How many people were injured in the cargo fire?", "Nobody was hurt."),
        ("Valve failure", "unstated_cost", "How much did the valve failure cost?", "It was repaired for £300."),
        ("Leave policy", "unstated_person", "Who approved the leave policy?", "The board wrote it."),
    ],
)
def test_pages_of_organisations(generated: Generate, title: str, pattern: str, question: str, telling: str) -> None:
    assert question in asked(generated(page(title)), pattern)
    assert question not in asked(generated(page(title, telling)), pattern)


def test_a_short_page_may_only_be_an_extract(generated: Generate) -> None:
    found = generated("# Cargo fire\n\nThe cargo fire is described here.")
    assert [name for name, _ in found.misses if name.startswith("unstated")] == []


ENTRIES = (
    "<html><head><title>Log settings</title></head><body><h1>Log settings</h1><h2>Parameters</h2><dl>"
    "<dt>log_size_max (integer)</dt><dd><p>Sets the size of one log file on disk, which is kept until the day after "
    "tomorrow{}.</p></dd>"
    "<dt>log_room_max (integer)</dt><dd><p>Limits the room. This parameter can only be set at server start.</p></dd>"
    "</dl></body></html>"
)


def test_limits_and_restarts_of_parameters(generated: Generate) -> None:
    found = generated(ENTRIES.format(""), html=True)
    assert asked(found, "unstated_maximum") == ["What is the maximum allowed value of log_size_max?"]
    assert asked(found, "unstated_restart") == [
        "Is a server restart needed for a new value of log_size_max to take effect?"
    ]
    told = generated(ENTRIES.format(", at most 4096, and read at start"), html=True)
    assert asked(told, "unstated_maximum") == asked(told, "unstated_restart") == []


def patient(line: str = "") -> str:
    return (
        "# Hospitalization record\n\nName: J. Moss\n\nHospital name: Gannet Hospital\n\nAge: 41\n\n"
        "Temperature: 37 °C\n\n"
        f"{line}\n\n{FILLER}"
    )


def test_records_of_patients(generated: Generate) -> None:
    found = generated(patient(), title="")
    assert asked(found, "unstated_blood_type") == ["What is the blood type of patient J. Moss at Gannet Hospital?"]
    assert asked(found, "unstated_weight") == ["How much does patient J. Moss at Gannet Hospital weigh?"]
    told = generated(patient("Weight: 60 kg\n\nBlood group: A"), title="")
    assert asked(told, "unstated_blood_type") == asked(told, "unstated_weight") == []


def test_records_are_not_asked_amid_their_prose(generated: Generate) -> None:
    found = generated(f"# Notes\n\n{FILLER}", title="", opening=patient())
    assert asked(found, "unstated_blood_type") == []


def catalog(heading: str, kind: str = "catalog") -> str:
    return (
        f"<html><head><title>tub_list</title></head><body><h1>tub_list</h1><p>The {kind} tub_list describes tubs.</p>"
        f"<table><thead><tr><th>{heading}</th></tr></thead><tbody><tr><td>tubid oid</td></tr></tbody></table>"
        f"<p>{FILLER}</p></body></html>"
    )


@pytest.mark.parametrize(
    ("page", "is_asked"),
    [(catalog("Column Type"), True), (catalog("Words"), False), (catalog("Column Type", "view"), False)],
)
def test_indexes_are_those_of_tables(generated: Generate, page: str, is_asked: bool) -> None:
    question = "Which indexes are defined on the catalog tub_list?"
    assert asked(generated(page, html=True), "unstated_indexes") == ([question] if is_asked else [])


@pytest.mark.parametrize(("line", "is_asked"), [("void tub_fill(Tub * tub)", True), ("tub_fill(<tub>)", False)])
def test_threads_are_those_of_c(generated: Generate, line: str, is_asked: bool) -> None:
    found = generated(f"# tub_fill\n\ntub_fill — fill a tub\n\n## Synopsis\n\n```\n{line}\n```\n\n{FILLER}")
    question = "Is it safe to call tub_fill from several threads at once?"
    assert asked(found, "unstated_threads") == ([question] if is_asked else [])
