"""What a page leaves open, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]
FILLER = "The text goes on about other things that nobody asked for. " * 8


def asked(found: Any, pattern: str) -> list[str]:
    return [question for name, question in found.misses if name == pattern]


def page(title: str, sentence: str = "") -> str:
    return f"# {title}\n\nThe {title[0].lower()}{title[1:]} is described here. {sentence} {FILLER}"


@pytest.mark.parametrize(
    ("title", "pattern", "question", "telling"),
    [
        ("Cargo fire", "unstated_injuries", "How many people were injured in the cargo fire?", "Nobody was hurt."),
        ("Valve failure", "unstated_cost", "How much did the valve failure cost?", "It was repaired for £300."),
        ("Leave policy", "unstated_person", "Who approved the leave policy?", "The board wrote it."),
        ("House rules", "unstated_review", "When were the house rules last reviewed?", "They were updated in May."),
    ],
)
def test_pages_of_organisations(generated: Generate, title: str, pattern: str, question: str, telling: str) -> None:
    assert question in asked(generated(page(title)), pattern)
    assert question not in asked(generated(page(title, telling)), pattern)


def test_a_title_with_a_colon_is_no_name(generated: Generate) -> None:
    assert asked(generated(page("Harness and horse: yard rules")), "unstated_person") == []


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
