"""A passage made ready: pronouns resolved where that is safe, and its structure as records."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.reading.analysis import Analysis, analyse, balanced, is_self_contained
from ragassay.records import Document

Markdown = Callable[..., Document]


def taken_apart(document: Document, theme: str) -> Analysis:
    return analyse(to_passage(document, 0, len(document.text), ()).model_copy(update={"opening": document.text}), theme)


def masked(markdown: Markdown, *lines: str, theme: str = "Gannet Bridge") -> list[str]:
    document = markdown(f"# {theme}\n\n" + "\n\n".join(lines))
    analysis = taken_apart(document, theme)
    for sentence in analysis.sentences:
        assert sentence.quote in document.text
    return [sentence.masked for sentence in analysis.sentences]


def test_it_after_the_theme_is_the_theme(markdown: Markdown) -> None:
    text = "Gannet Bridge is a bridge. It is old. Its towers are red. In 1999, it was closed. The bridge is wide."
    assert masked(markdown, text) == [
        "Xtheme is a bridge.",
        "Xtheme is old.",
        "Xtheme's towers are red.",
        "In 1999, Xtheme was closed.",
        "Xtheme is wide.",
    ]


def test_it_after_another_subject_or_in_another_paragraph_is_not(markdown: Markdown) -> None:
    text = "Gannet Bridge is a bridge. A storm came in 1999. It was strong."
    assert masked(markdown, text, "It was cold.") == [
        "Xtheme is a bridge.",
        "A storm came in 1999.",
        "It was strong.",
        "It was cold.",
    ]


def test_a_person_is_he_or_she_and_a_thing_is_it(markdown: Markdown) -> None:
    person = masked(markdown, "Ada Moss is a sailor. She sails. It rains. Moss is old.", theme="Ada Moss")
    assert person == ["Xtheme is a sailor.", "Xtheme sails.", "It rains.", "Xtheme is old."]
    thing = masked(markdown, "Gannet Bridge is a bridge. She is proud of the bridge.")
    assert thing[1] == "She is proud of Xtheme."


def test_a_name_inside_anothers_is_left_alone(markdown: Markdown) -> None:
    found = masked(markdown, "Ada Moss is a sailor. She met Ben Moss in Moss Street.", theme="Ada Moss")
    assert found[1] == "Xtheme met Ben Moss in Moss Street."


def test_literals_are_masked_and_come_back(markdown: Markdown) -> None:
    document = markdown("# Gannet Bridge\n\nGannet Bridge reads `a.b. C` and `x` when it opens.")
    analysis = taken_apart(document, "Gannet Bridge")
    (sentence,) = analysis.sentences
    assert "a.b. C" not in sentence.masked
    assert analysis.unmask(sentence.masked) == "Gannet Bridge reads a.b. C and x when it opens."


@pytest.mark.parametrize(
    ("text", "with_theme", "alone"),
    [
        ("the towers of the sound", True, True),
        ("its towers", True, False),
        ("the towers that they built", False, False),
        ("this tower", False, False),
        ("the above tower", False, False),
        ("the tower was closed yesterday", False, False),
        ("each other", True, True),
        ("the other tower", False, False),
        ("the tower (old", False, False),
        ("the “tower", False, False),
    ],
)
def test_what_makes_sense_alone(text: str, with_theme: bool, alone: bool) -> None:
    assert is_self_contained(text, subject_is_theme=True) == with_theme
    assert is_self_contained(text, subject_is_theme=False) == alone


def test_balanced() -> None:
    assert all(balanced(text) for text in ("", '(a) [b] {c} “d” "e"', "it's"))
    assert not any(balanced(text) for text in ("(a", "a]", "{", "“a", '"a'))


def test_keys_terms_tables_and_lists_are_records(markdown: Markdown) -> None:
    document = markdown(
        "# Port\n\n- Type: ferry port\n- Built: 1998\n- Owner: Ada Moss\n\n## Berths\n\n"
        "| Berth | Length (m) |\n|---|---|\n| North quay | 120 |\n| South quay | 95.5 |\n\n"
        "## Terms\n\nlane metre\n:   A strip of deck.\n\n"
        "## Steps\n\nProceed with the following steps:\n\n1. Stop.\n2. Go.\n"
    )
    analysis = taken_apart(document, "Port")
    assert [(entry.name, entry.text) for entry in analysis.keys] == [
        ("Type", "ferry port"),
        ("Built", "1998"),
        ("Owner", "Ada Moss"),
    ]
    assert len({entry.group for entry in analysis.keys}) == 1
    assert [(entry.name, entry.text, entry.section) for entry in analysis.terms] == [
        ("lane metre", "A strip of deck.", "Terms")
    ]
    (table,) = analysis.tables
    assert table.header == ("Berth", "Length (m)")
    assert table.rows == (("North quay", "120"), ("South quay", "95.5"))
    assert table.section == "Berths"
    (listed,) = analysis.lists
    assert (listed.items, listed.ordered, listed.section) == (("Stop.", "Go."), True, "Steps")
    assert listed.intro == "Proceed with the following steps:"
    for quote in (*(entry.quote for entry in analysis.keys), *table.quotes, listed.quote):
        assert quote in document.text


def test_rows_that_lack_a_cell_are_left_out(markdown: Markdown) -> None:
    rows = "<tr><th>A</th><th>B</th></tr><tr><td>x</td></tr><tr><td>y</td><td>2</td></tr><tr><td>z</td><td>3</td></tr>"
    document = markdown(f"<html><body><p>One line.</p><table>{rows}</table></body></html>", html=True)
    (table,) = taken_apart(document, "Port").tables
    assert table.rows == (("y", "2"), ("z", "3"))


def test_an_empty_passage_has_nothing(markdown: Markdown) -> None:
    analysis = taken_apart(markdown(""), "Port")
    assert (analysis.sentences, analysis.keys, analysis.terms, analysis.tables, analysis.lists) == ((), (), (), (), ())
