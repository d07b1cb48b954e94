"""Keys of records: which of them ask for one short thing, and the questions they ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.statements import drafts_of_facts
from ragassay.records import Document

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


@pytest.mark.parametrize(
    "value",
    ["lib/elm.js", "src/elm/", "elm.js", "../elm", "C:\\elm\\oak", "Has named fields", "can be moved", "a::b"],
)
def test_paths_code_and_predicates_are_no_values(generated: Generate, value: str) -> None:
    known = frozenset({"module", "move", "length", "colour"})
    text = f"# Elm Tool\n\nModule: {value}\n\nLength: 4 m\n\nColour: dark green\n"
    questions = [question for question, _ in generated(text, known_keys=known).of("key_value")]
    assert questions == ["What is the length of Elm Tool?", "What is the colour of Elm Tool?"]


@pytest.mark.parametrize("value", ["Oak works", "AC/DC", "3.5 m", "120/80", "$50"])
def test_other_values_are_asked_for(generated: Generate, value: str) -> None:
    known = frozenset({"module", "length", "colour"})
    text = f"# Elm Tool\n\nModule: {value}\n\nLength: 4 m\n\nColour: dark green\n"
    assert "What is the module of Elm Tool?" in [
        question for question, _ in generated(text, known_keys=known).of("key_value")
    ]


def test_one_of_a_kind(markdown: Read) -> None:
    document = markdown("# Elm Pier\n\nBerths: 1\n\nLength: 4 m\n\nColour: dark green\n")
    passage = to_passage(document, 0, len(document.text), ()).model_copy(update={"opening": document.text})
    facts = drafts_of_facts(passage.model_copy(update={"known_keys": frozenset({"berths"})}), "Elm Pier")
    assert [fact.statement for fact in facts if fact.pattern == "key_value"] == ["Elm Pier has 1 berth."]


def test_a_record_is_told_from_others_by_its_heading(generated: Generate) -> None:
    vessel = "## {}\n\nCrew: {}\n\nHome port: Oskay\n\nLength: {} m\n\n"
    records = (("MV Alder", 5, 30), ("MV Birch", 9, 40), ("MV Cedar", 5, 50))
    found = generated("# Ferries\n\n" + "".join(vessel.format(*record) for record in records))
    quotes = {each.draft.question: each.quotes for each in found.statements}
    # MV Alder has a crew of five too, further up
    assert quotes["What is the crew of MV Cedar?"] == ("MV Cedar", "Crew: 5")
