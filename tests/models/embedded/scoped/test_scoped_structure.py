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


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction",
        "What happened?",
        "Install the package",
        "Check the links",
        "Focus on links",
        "Notes",
        "Other information",
        "It works",
    ],
)
def test_headings_that_name_no_topic(generated: Generate, heading: str) -> None:
    told = (
        "The company provides a laptop, a headset and a monitor. Employees receive a one-off allowance for a good desk."
    )
    found = generated(f"# Remote Work Policy\n\n## {heading}\n\n{told}\n", widely=True)
    assert found.of("section_topic") == []


def test_a_section_that_begins_in_the_middle(generated: Generate) -> None:
    told = "However, the company provides a laptop, a headset and a monitor. Employees receive an allowance for desks."
    assert generated(f"# Remote Work Policy\n\n## Equipment\n\n{told}\n", widely=True).of("section_topic") == []


def test_cells_of_rows_that_are_no_names(generated: Generate) -> None:
    found = generated(PRICES, widely=True).of("table")
    assert (f"According to {NAMED}, what is the weight of “Seeded rye”?", "750 g") in found


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


SHORT = (
    "The company provides a laptop, a headset and a monitor. Employees receive {} with an allowance for a good desk."
)


@pytest.mark.parametrize(
    ("title", "heading", "question"),
    [
        ("How to store passwords", "Equipment", "What does the guide to storing passwords say about equipment?"),
        ("Remote work policy", "Sharing keys", "What does the remote work policy say about sharing keys?"),
    ],
)
def test_what_is_asked_about_a_section(generated: Generate, title: str, heading: str, question: str) -> None:
    found = generated(f"# {title}\n\n## {heading}\n\n{SHORT.format('them')}\n", widely=True)
    assert [asked for asked, _ in found.of("section_topic")] == [question]


def test_a_topic_that_says_too_little_alone(generated: Generate) -> None:
    page = f"# Password service (deprecated)\n\n## Equipment\n\n{SHORT.format('them')}\n"
    assert generated(page, widely=True).of("section_topic") == []


@pytest.mark.parametrize(
    ("said", "topic"), [("the desk lamp", "the desk lamp"), ("desk lamp and desk", "desk lamp"), ("them", "desk lamp")]
)
def test_a_heading_takes_the_article_of_its_section(generated: Generate, said: str, topic: str) -> None:
    found = generated(f"# Remote Work Policy\n\n## Desk lamp\n\n{SHORT.format(said)}\n", widely=True)
    assert [question for question, _ in found.of("section_topic")] == [
        f"What does the Remote Work Policy say about {topic}?"
    ]


def test_a_topic_of_something_has_an_article(generated: Generate) -> None:
    found = generated(f"# Remote Work Policy\n\n## Importance of desks\n\n{SHORT.format('them')}\n", widely=True)
    assert [question for question, _ in found.of("section_topic")] == [
        "What does the Remote Work Policy say about the importance of desks?"
    ]


def test_two_nouns_are_no_task(generated: Generate) -> None:
    text = f"# Keeping bees on a roof\n\n## Water and wind\n\nYou need both. {SHORT.format('them')}\n"
    assert generated(text, widely=True).of("own_question") == []
