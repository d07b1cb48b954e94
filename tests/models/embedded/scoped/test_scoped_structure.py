"""Sections, lists, tables and steps of documents whose titles are no names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]

PRICES = """# Bakery: price list, autumn

| Item | Weight | Shelf life |
|------|--------|------------|
| Country sourdough | 900 g | 4 days |
| Seeded rye | 750 g | 6 days |
| Butter croissant | 70 g | 1 day |
"""
NAMED = "“Bakery: price list, autumn”"


def test_a_section_is_summed_up(generated: Generate) -> None:
    told = (
        "The company provides a laptop, a headset and a monitor. Employees receive a one-off allowance for a desk. "
        "Equipment remains the property of the company."
    )
    found = generated(f"# Remote Work Policy\n\n## 4. Equipment\n\n{told}\n", widely=True)
    assert found.of("section_topic") == [("What does the Remote Work Policy say about equipment?", told)]


@pytest.mark.parametrize("heading", ["Introduction", "What happened?", "Install the package", "Notes", "It works"])
def test_headings_that_name_no_topic(generated: Generate, heading: str) -> None:
    told = (
        "The company provides a laptop, a headset and a monitor. Employees receive a one-off allowance for a good desk."
    )
    found = generated(f"# Remote Work Policy\n\n## {heading}\n\n{told}\n", widely=True)
    assert found.of("section_topic") == []


def test_a_section_that_begins_in_the_middle(generated: Generate) -> None:
    told = "However, the company provides a laptop, a headset and a monitor. Employees receive an allowance for desks."
    assert generated(f"# Remote Work Policy\n\n## Equipment\n\n{told}\n", widely=True).of("section_topic") == []


def test_a_list_under_a_heading(generated: Generate) -> None:
    text = "# Fish pie\n\n## Ingredients\n\n- 600 g potatoes\n- 400 g cod\n- two leeks\n"
    assert generated(text, widely=True).of("listed_topic") == [
        ("Which ingredients are listed in “Fish pie”?", "600 g potatoes, 400 g cod, two leeks")
    ]


def test_links_at_the_foot_of_a_page_are_no_list(generated: Generate) -> None:
    text = "# Fish pie\n\n## Ingredients\n\n- Prev 1.2 Soups\n- Home of all recipes\n- Next 1.4 Cakes\n"
    assert generated(text, widely=True).of("listed_topic") == []


def test_cells_of_rows_that_are_no_names(generated: Generate) -> None:
    found = generated(PRICES, widely=True).of("table")
    assert (f"What is the weight of “Seeded rye” in {NAMED}?", "750 g") in found


def test_extremes_of_a_column(generated: Generate) -> None:
    found = generated(PRICES, widely=True)
    assert (f"According to {NAMED}, which item has the highest weight?", "Country sourdough (900 g)") in found.of(
        "extreme_row"
    )
    assert (
        f"According to {NAMED}, what is the shelf life of the item with the lowest weight?",
        "1 day (Butter croissant)",
    ) in found.of("of_extreme_row")


def test_no_extreme_where_two_are_alike(generated: Generate) -> None:
    found = generated(PRICES.replace("750 g", "900 g"), widely=True)
    assert not any("highest weight" in question for question, _ in found.of("extreme_row"))


def test_rows_that_give_attributes_of_the_theme(generated: Generate) -> None:
    text = (
        "# Morven K40 electric kettle\n\nThe Morven K40 electric kettle is new.\n\n| Property | Value |\n|---|---|\n"
        "| Capacity | 1.7 litres |\n| Warranty | 3 years |\n"
    )
    assert generated(text, widely=True).of("attribute_row") == [
        ("What is the capacity of the Morven K40 electric kettle?", "1.7 litres"),
        ("What is the warranty of the Morven K40 electric kettle?", "3 years"),
    ]


def test_which_step_comes_first(generated: Generate) -> None:
    text = (
        "# Air purifier\n\n## Changing the filter\n\n1. Open the cover on the back.\n2. Remove the old filter.\n"
        "3. Insert the new filter.\n4. Close the cover with care.\n"
    )
    found = generated(text, widely=True).of("step_first")
    assert found
    question, answer = found[0]
    assert question.startswith("According to “Air purifier”, which step comes first when changing the filter: ")
    assert answer == "Opening the cover on the back (step 1, before step 3)"


def test_minutes_between_entries_of_a_timeline(generated: Generate) -> None:
    text = (
        "# Outage report\n\n## Timeline\n\n- 09:12 The certificate of the gateway expired.\n"
        "- 09:19 The first warning was sent.\n- 09:31 The engineer declared an incident.\n"
    )
    found = generated(text, widely=True).of("minutes_between")
    assert (
        "According to the outage report, how many minutes passed between the time when the certificate of the gateway "
        "expired and the time when the first warning was sent?",
        "7 minutes (09:12 to 09:19)",
    ) in found


def test_amounts_of_two_sentences_compared(generated: Generate) -> None:
    text = (
        "# Shop lease\n\n## Money\n\nThe annual rent is £36,500, payable in advance. The Tenant shall pay a deposit of "
        "£9,125.\n"
    )
    found = generated(text, widely=True).of("compared_amounts")
    assert [answer for _, answer in found] == ["The annual rent (£36,500, against £9,125)"]
    assert "the annual rent" in found[0][0]
    assert "the deposit that the Tenant shall pay" in found[0][0]


def test_what_is_hedged_is_not_compared(generated: Generate) -> None:
    text = "# Shop lease\n\nThe annual rent is about £36,500. The Tenant shall pay a deposit of £9,125.\n"
    assert generated(text, widely=True).of("compared_amounts") == []


def test_order_of_dated_events_of_any_subject(generated: Generate) -> None:
    text = (
        "# A short history\n\nThe wooden pier was demolished in July 1998. The iron pier was opened on 9 March 1999 "
        "after a delay.\n"
    )
    found = generated(text, widely=True).of("event_order")
    assert [answer for _, answer in found] == ["The wooden pier was demolished (July 1998, against 9 March 1999)"]


@pytest.mark.parametrize(("heading", "expected"), [("Modes", 1), ("Options", 0)])
def test_things_of_one_kind_are_contrasted(generated: Generate, heading: str, expected: int) -> None:
    text = (
        f"# Air purifier\n\n## {heading}\n\n- Sleep: fans turn at the lowest speed and lamps go dark.\n"
        "- Turbo: clean rooms result after twenty minutes of noise.\n"
    )
    assert len(generated(text, widely=True).of("contrast")) == expected


def test_a_prefix_of_all_names_makes_nothing_comparable(generated: Generate) -> None:
    entries = (
        ("grid_offset", "Gives bytes between the first record and the start of its page."),
        ("grid_source", "Tells which release of the code was built by its makers."),
        ("grid_zone", "Sets hours by which clocks of users differ from universal time."),
    )
    terms = "".join(f"<dt>{name}</dt><dd><p>{told}</p></dd>" for name, told in entries)
    html = f"<html><head><title>Grid calls</title></head><body><h1>Grid calls</h1><dl>{terms}</dl></body></html>"
    assert generated(html, html=True, widely=True).of("contrast") == []
