"""Cells, selections and comparisons of tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.page import Page
from ragassay.keyless.tables import record_comparisons, table_drafts

PagesOf = Callable[[dict[str, str]], list[Page]]
OTHER = {"z.md": "# Elm Pier\n\nElm Pier is a pier."}
FLEET = """# Fleet overview

| Vessel | Length (m) | Cars | Home port | Price |
|---|---|---|---|---|
| MV Elm | 98 | 128 | Kirk | £47.6 million |
| MV Oak | 76.5 | 92 | Marrow | £23.9 million |
| MV Ash | 42 | none | Kirk | £3.1 million |
| Hector | 17 | 4 | Marrow | £1 million |
"""


def asked(pages_of: PagesOf, text: str, form: str) -> list[tuple[str, str]]:
    """Question and answer of each draft of one form, "According to the fleet overview, " shortened to "~"."""
    page = pages_of({"a.md": text, **OTHER})[0]
    assert all(draft.question for draft in table_drafts(page))
    return [
        (draft.question.replace(f"According to {page.name}, ", "~"), draft.answer)
        for draft in table_drafts(page)
        if draft.form == f"table_{form}"
    ]


@pytest.mark.parametrize(
    ("form", "count", "some"),
    [
        (
            "cell",
            15,
            [
                ("What is the length of MV Elm?", "98 m"),
                ("~what is the length of the vessel Hector?", "17 m"),
                ("How many cars does MV Elm have?", "128"),
                ("What is the home port of MV Oak?", "Marrow"),
                ("How much does MV Ash cost?", "£3.1 million"),
            ],
        ),
        (
            "larger",
            8,
            [
                ("Which is longer, MV Elm or MV Oak?", "MV Elm"),
                ("~which has more cars, MV Oak or Hector?", "MV Oak"),
                ("Which has the higher price, MV Oak or MV Ash?", "MV Oak"),
            ],
        ),
        (
            "difference",
            8,
            [
                ("How much longer is MV Elm than MV Oak?", "21.5 m"),  # 98 - 76.5
                ("~how many more cars does MV Oak have than Hector?", "88"),
                ("What is the difference in price between MV Oak and MV Ash?", "£20.8 million"),
            ],
        ),
        ("sum", 2, [("How many cars do MV Elm and MV Oak have together?", "220")]),
        (
            "extreme",
            5,
            [
                ("~which vessel is the shortest?", "Hector"),
                ("~which vessel has the most cars?", "MV Elm"),  # the fewest has MV Ash, with none
                ("~which vessel has the lowest price?", "Hector"),
            ],
        ),
        ("count", 2, [("~how many vessels have Kirk as their home port?", "2")]),
        ("rows", 2, [("~which vessels have Marrow as their home port?", "MV Oak and Hector")]),
        (
            "of_extreme",
            8,
            [
                ("~what is the home port of the longest vessel?", "Kirk"),
                ("~what is the length of the vessel with the most cars?", "98 m"),
            ],
        ),
    ],
)
def test_a_table_of_things(pages_of: PagesOf, form: str, count: int, some: list[tuple[str, str]]) -> None:
    found = asked(pages_of, FLEET, form)
    assert len(found) == count
    assert [draft for draft in some if draft not in found] == []


def test_where_a_value_is_not_known_nothing_is_the_most(pages_of: PagesOf) -> None:
    crew = "# Fleet overview\n\n| Vessel | Crew size |\n| --- | --- |\n" + "".join(
        f"| MV {name} | {size} |\n" for name, size in zip("ABCD", ("100", "unknown", "90", "60"), strict=True)
    )
    assert asked(pages_of, crew, "extreme") == []


def test_a_table_about_something_else_names_its_page(pages_of: PagesOf) -> None:
    # budgets of dockings, and not of vessels; how many tankers may be carried, and not how many there are
    text = (
        FLEET.replace("Fleet overview", "Docking schedule").replace("Price", "Budget").replace("Cars", "Fuel tankers")
    )
    assert ("~how many fuel tankers are listed for MV Elm?", "128") in asked(pages_of, text, "cell")
    assert ("~what is the budget for the vessel Hector?", "£1 million") in asked(pages_of, text, "cell")
    sums = asked(pages_of, text, "sum")
    assert sums[0] == ("~how many fuel tankers are listed for MV Elm and MV Oak together?", "220")
    assert sums[2] == ("~what is the combined budget for MV Elm and MV Oak?", "£71.5 million")
    assert len(asked(pages_of, FLEET.replace("Fleet overview", "How to dock"), "cell")) == 15  # by its title in quotes


def test_things_side_by_side(pages_of: PagesOf) -> None:
    text = "# Price list\n\n| Feature | Elm Basic | Elm Pro |\n|---|---|---|\n| Storage | 5 GB | 50 GB |\n"
    text += "| Colours | 3 | 9 |\n"
    assert asked(pages_of, text, "cell") == [
        ("What is the storage of Elm Basic?", "5 GB"),
        ("How many colours does Elm Pro have?", "9"),
        ("What is the storage of Elm Pro?", "50 GB"),
        ("How many colours does Elm Basic have?", "3"),
    ]
    assert asked(pages_of, text, "larger") == []


@pytest.mark.parametrize(
    ("head", "row", "questions"),
    [
        ("Option | Default", "top_k | 5", ["~what is the default for the option top_k?"]),
        ("Office | Floor", "Freight | 2", ["~what is the floor for the office Freight?"]),  # an ordinary word
        ("Office | Head", "Kirkvoe | Ada Elm", ["~who is the head of Kirkvoe?"]),
        ("Option | Sizes compared by it", "top_k | 2, 4", []),
        ("Task | Question to the annotator", "label | Which label?", []),
        ("Task | Needs", "label | contexts", []),
        ("File | From", "top.pdf | Debian", []),
        ("File | Lost", "top.pdf | contents", []),
        ("Vessel | Start", "MV Elm | 6 May 2025", []),  # of what?
        ("Name | Floor", "Freight | 2", []),
        ("System | Floor", "small, new | 2", []),
        ("Parameter | Values | If left out", "encoder | a server | embedded", []),
    ],
)
def test_only_heads_and_labels_that_read_are_asked_for(
    pages_of: PagesOf, head: str, row: str, questions: list[str]
) -> None:
    text = f"# Settings guide\n\n| {head} |\n|{'---|' * (head.count('|') + 1)}\n| {row} |\n"
    assert [question for question, _ in asked(pages_of, text, "cell")] == questions


@pytest.mark.parametrize(
    "text",
    [
        FLEET.replace("MV Oak", "MV Elm"),  # two rows of one name
        FLEET.replace("Hector", "Total"),
        FLEET + "\n## Older\n\n" + FLEET.split("\n\n")[1],  # the same columns twice
    ],
)
def test_rows_that_cannot_be_compared(pages_of: PagesOf, text: str) -> None:
    assert [form for form in ("larger", "extreme", "count", "sum") if asked(pages_of, text, form)] == []


def test_evidence(pages_of: PagesOf) -> None:
    page = pages_of({"a.md": FLEET})[0]
    by_form = {draft.form: draft for draft in table_drafts(page)}
    spans = [page.document.text[start:end] for start, end in by_form["table_difference"].spans]
    assert [span.split()[0] for span in spans] == ["Vessel", "MV", "Hector"]
    ((start, end),) = by_form["table_count"].spans
    assert page.document.text[start:end].split()[0] == "Vessel"
    assert page.document.text[start:end].endswith("£1 million")


def test_records_of_one_page_compared(pages_of: PagesOf) -> None:
    record = "## {}\n\n**Length:** {} m\n**Home port:** Kirk\n**Crew:** {}\n\nShe is new.\n\n"
    (page,) = pages_of({"a.md": "# Ferries\n\n" + record.format("MV Elm", 98, 26) + record.format("MV Oak", 76, 20)})
    assert [(draft.question, draft.answer) for draft in record_comparisons(page)] == [
        ("Which is longer, MV Elm or MV Oak?", "MV Elm"),
        ("How much longer is MV Elm than MV Oak?", "22 m"),
        ("Which has the higher crew size, MV Elm or MV Oak?", "MV Elm"),
        ("What is the difference in crew size between MV Elm and MV Oak?", "6"),
        ("What is the combined crew size of MV Elm and MV Oak?", "46"),
    ]
