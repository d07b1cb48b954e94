"""Rows and events compared; the expected answers are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Generate = Callable[..., Any]

FLEET = (
    "# Fleet overview\n\nThe fleet overview gives figures.\n\n"
    "| Vessel | Home port | Budget | Crew |\n|---|---|---|---|\n"
    "| MV Alder | Kirkvoe | £120,000 | 12 |\n| MV Birch | Oskay | £310,000 | 9 |\n"
    "| MV Cedar | Kirkvoe | £95,500 | 14 |\n| MV Dogwood | Oskay | £90,000 | 5 |\n"
)


def test_rows_of_one_kind(generated: Generate) -> None:
    found = generated(FLEET)
    assert found.of("count_of_kind") == [
        (
            "According to the fleet overview, how many vessels are listed with Kirkvoe as the home port?",
            "2 (MV Alder, MV Cedar)",
        ),
        (
            "According to the fleet overview, how many vessels are listed with Oskay as the home port?",
            "2 (MV Birch, MV Dogwood)",
        ),
    ]
    assert (
        "Of the vessels for which the fleet overview gives Kirkvoe as the home port, which has the highest budget?",
        "MV Alder (£120,000)",
    ) in found.of("largest_of_kind")
    assert (
        "According to the fleet overview, what is the combined budget for MV Cedar and MV Dogwood?",
        "£185,500 (£95,500 and £90,000)",
    ) in found.of("sum")


def test_what_the_text_counts_itself_is_not_asked(generated: Generate) -> None:
    found = generated(FLEET + "\nTwo vessels have Kirkvoe as their home port.\n")
    assert all("Kirkvoe" not in question for question, _ in found.of("count_of_kind"))


def life(*events: str) -> str:
    return "# Ada Moss\n\nAda Moss is a Norwegian sailor. " + " ".join(f"Ada Moss {event}." for event in events)


def test_what_was_planned_is_no_event(generated: Generate) -> None:
    found = generated(life("joined the rescue service in 2003", "was scheduled to retire in 2005"))
    assert found.of("duration") == []


def test_a_record_is_told_from_others_by_its_heading(generated: Generate) -> None:
    vessel = "## {}\n\nCrew: {}\n\nHome port: Oskay\n\nLength: {} m\n\n"
    records = (("MV Alder", 5, 30), ("MV Birch", 9, 40), ("MV Cedar", 5, 50))
    found = generated("# Ferries\n\n" + "".join(vessel.format(*record) for record in records))
    quotes = {each.draft.question: each.quotes for each in found.statements}
    # MV Alder has a crew of five too, further up
    assert quotes["What is the crew size of MV Cedar?"] == ("MV Cedar", "Crew: 5")
