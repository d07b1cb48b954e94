"""Questions whose whole answer has several units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Generate = Callable[..., Any]


def test_keys_asked_together(generated: Generate) -> None:
    text = "# MV Redfin\n\n- Type: passenger ferry\n- Home port: Elm\n- Colour: blue\n"
    known = frozenset({"type", "home port", "colour"})
    assert generated(text, known_keys=known).of("key_group") == [
        ("What are the type, home port and colour of MV Redfin?", "Type: passenger ferry; Home port: Elm; Colour: blue")
    ]


def test_a_passage_without_a_theme_has_no_summaries_of_it(generated: Generate) -> None:
    found = generated("Nothing here has a name. It was opened on 4 May 1998. It was closed on 9 June 1999.")
    assert (found.theme, found.facts, found.summaries, found.conclusions, found.misses) == ("", [], [], [], [])


def listed(heading: str, *items: str) -> str:
    return f"# INC-204: Pump failure\n\nThe pump failure was loud.\n\n## {heading}\n\n" + "".join(
        f"- {each}\n" for each in items
    )


def test_a_list_below_a_plural(generated: Generate) -> None:
    items = ("Replace the filter cartridge.", "Inspect the pump seal weekly.", "Train the night crew.")
    assert generated(listed("Corrective actions", *items)).of("list") == [
        (
            "What are the corrective actions of the pump failure?",
            "Replace the filter cartridge, Inspect the pump seal weekly, Train the night crew",
        )
    ]


@pytest.mark.parametrize(
    ("heading", "items"),
    [
        ("Details", ("Replace the filter.", "Inspect the seal.")),
        ("See also", ("The pump manual.", "The seal manual.")),
        ("What to replace", ("The old filter.", "The old seal.")),
        ("Corrective actions", ("Replace the filter.",)),
        ("Corrective actions", ("Replace the filter.", "replace the filter.")),
        ("Corrective actions", ("Replace the (filter.", "Inspect the seal.")),
        ("Corrective actions", ("Replace all of these:", "Inspect the seal.")),
    ],
)
def test_what_is_no_list_to_ask_for(generated: Generate, heading: str, items: tuple[str, ...]) -> None:
    assert generated(listed(heading, *items)).of("list") == []


def test_no_title_is_quoted_for_a_list(generated: Generate) -> None:
    items = "- A signed form.\n- Two spare shifts.\n"
    text = f"# Trial of a new rota begins in May\n\nIt is new.\n\n## Requirements\n\n{items}"
    assert generated(text, widely=True).of("list") == []
