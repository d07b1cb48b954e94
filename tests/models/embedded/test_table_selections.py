"""Rows of a table picked out by a column: counted, compared, added up; expected answers worked out by hand."""

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
            "How many of the vessels that are listed in the fleet overview have Kirkvoe as home port?",
            "2 (MV Alder, MV Cedar)",
        ),
        (
            "How many of the vessels that are listed in the fleet overview have Oskay as home port?",
            "2 (MV Birch, MV Dogwood)",
        ),
    ]
    assert (
        "Of the vessels with Kirkvoe as home port, which has the highest budget in the fleet overview?",
        "MV Alder (£120,000)",
    ) in found.of("largest_of_kind")
    assert (
        "What is the combined budget of MV Cedar and MV Dogwood in the fleet overview?",
        "£185,500 (£95,500 and £90,000)",
    ) in found.of("sum")


def test_what_the_text_counts_itself_is_not_asked(generated: Generate) -> None:
    found = generated(FLEET + "\nTwo vessels have Kirkvoe as their home port.\n")
    assert all("Kirkvoe" not in question for question, _ in found.of("count_of_kind"))
