"""Questions whose whole answer has several units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
