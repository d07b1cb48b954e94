"""Steps, actions, columns, rows and events compared; the expected answers are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]


def catalog(*columns: str) -> str:
    rows = "".join(
        f'<tr><td class="catalog_table_entry"><p class="column_definition">{column}</p><p>What it holds.</p></td></tr>'
        for column in columns
    )
    return (
        "<html><head><title>tub_list</title></head><body><h1>tub_list</h1><p>The catalog tub_list describes tubs.</p>"
        f"<table><thead><tr><th>Column Type<p>Description</p></th></tr></thead><tbody>{rows}</tbody></table>"
        "<p>After the table.</p></body></html>"
    )


COLUMNS = (
    "tubid oid",
    "tubname name",
    "tubdepth int4",
    "tubowner oid (references tub_owner.oid)",
    "tubhall oid (references tub_hall.oid)",
)


def test_columns_of_a_catalog(generated: Generate) -> None:
    found = generated(catalog(*COLUMNS), html=True)
    assert (
        "How many of the columns that are listed for the catalog tub_list have the type oid?",
        "3 (tubid, tubowner, tubhall)",
    ) in found.of("count_of_type")
    assert found.of("same_reference") == [
        (
            "Do the columns tubowner and tubhall of the catalog tub_list refer to the same catalog?",
            "No, the first refers to tub_owner, the second to tub_hall",
        )
    ]
    types = dict(column.split()[:2] for column in COLUMNS)
    for question, answer in found.of("same_type"):
        one, other = (word for word in question.split() if word in types)
        assert answer.startswith("Yes" if types[one] == types[other] else "No")
    assert found.of("same_type")


def test_facts_and_lists_of_columns(generated: Generate) -> None:
    found = generated(catalog(*COLUMNS), html=True)
    assert ("What is the type of the column tubdepth of the catalog tub_list?", "int4") in found.of("column_type")
    assert found.of("column_reference") == [
        ("What does the column tubowner of the catalog tub_list refer to?", "tub_owner.oid"),
        ("What does the column tubhall of the catalog tub_list refer to?", "tub_hall.oid"),
    ]
    assert found.of("column_names") == [
        ("What are the columns of the catalog tub_list?", "tubid, tubname, tubdepth, tubowner, tubhall")
    ]
    assert found.of("columns_to") == []  # no two of them lead to the same place
    alike = generated(catalog(*COLUMNS, "tubbuyer oid (references tub_owner.oid)"), html=True)
    assert alike.of("columns_to") == [
        ("What are the columns of the catalog tub_list that refer to tub_owner?", "tubowner, tubbuyer")
    ]


@pytest.mark.parametrize(
    ("told", "holds"),
    [
        ("The owner of the tub that was filled last.", True),
        ("The tub was filled last by its owner.", False),  # a sentence, not what the column holds
        ("Contains the owner of the tub in the hall.", False),
    ],
)
def test_what_a_column_holds(generated: Generate, told: str, holds: bool) -> None:
    found = generated(
        catalog("tubowner oid", "tubname name", "tubdepth int4").replace("What it holds.", told, 1), html=True
    )
    asked = ("What does the column tubowner of the catalog tub_list hold?", told.rstrip("."))
    assert (asked in found.of("column_meaning")) is holds


def test_columns_need_a_table_that_says_so(generated: Generate) -> None:
    bare = catalog(*COLUMNS).replace("Column Type", "Words")
    found = generated(bare, html=True)
    assert found.of("same_type") == found.of("same_reference") == found.of("count_of_type") == []


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


@pytest.mark.parametrize(
    ("second", "answer"), [("2003", "Yes, both were in 2003"), ("2005", "No, 2003 against 2005"), ("2043", None)]
)
def test_the_same_year(generated: Generate, second: str, answer: str | None) -> None:
    found = generated(life("joined the rescue service in 2003", f"received the Gannet Medal in {second}"))
    assert [answer_ for _, answer_ in found.of("same_year")] == ([answer] if answer else [])


def test_what_was_planned_is_no_event(generated: Generate) -> None:
    found = generated(life("joined the rescue service in 2003", "was scheduled to retire in 2005"))
    assert found.of("same_year") == found.of("order") == found.of("duration") == []


def test_a_record_is_told_from_others_by_its_heading(generated: Generate) -> None:
    vessel = "## {}\n\nCrew: {}\n\nHome port: Oskay\n\nLength: {} m\n\n"
    records = (("MV Alder", 5, 30), ("MV Birch", 9, 40), ("MV Cedar", 5, 50))
    found = generated("# Ferries\n\n" + "".join(vessel.format(*record) for record in records))
    quotes = {each.draft.question: each.quotes for each in found.statements}
    # MV Alder has a crew of five too, further up
    assert quotes["What is the crew size of MV Cedar?"] == ("MV Cedar", "Crew: 5")
