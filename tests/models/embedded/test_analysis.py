"""The structure of a passage as records."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.reading.analysis import Analysis, analyse, balanced, is_self_contained
from ragassay.models.embedded.structure.table_facts import table_facts
from ragassay.records import Document

Markdown = Callable[..., Document]


def taken_apart(document: Document, theme: str) -> Analysis:
    return analyse(to_passage(document, 0, len(document.text), ()).model_copy(update={"opening": document.text}), theme)


def test_sentences_stand_below_their_headings(markdown: Markdown) -> None:
    text = (
        "# Gannet Bridge\n\nIt is old. It reads `a.b. C` and `x`.\n\n## Towers\n\nThey are red.\n\n- No item is one.\n"
    )
    analysis = taken_apart(markdown(text), "Gannet Bridge")
    assert dict(analysis.sentences) == {
        "": ["It is old.", "It reads a.b. C and x."],
        "Towers": ["They are red."],
    }


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("the towers of the sound", True),
        ("its towers", False),
        ("the towers that they built", False),
        ("this tower", False),
        ("the above tower", False),
        ("the tower was closed yesterday", False),
        ("each other", True),
        ("the other tower", False),
        ("the tower (old", False),
        ("the “tower", False),
    ],
)
def test_what_makes_sense_alone(text: str, alone: bool) -> None:
    assert is_self_contained(text) == alone


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
    assert (listed.items, listed.section) == (("Stop.", "Go."), "Steps")
    for quote in (*(entry.quote for entry in analysis.keys), *table.quotes):
        assert quote in document.text


def test_rows_that_lack_a_cell_are_left_out(markdown: Markdown) -> None:
    rows = "<tr><th>A</th><th>B</th></tr><tr><td>x</td></tr><tr><td>y</td><td>2</td></tr><tr><td>z</td><td>3</td></tr>"
    document = markdown(f"<html><body><p>One line.</p><table>{rows}</table></body></html>", html=True)
    (table,) = taken_apart(document, "Port").tables
    assert table.rows == (("y", "2"), ("z", "3"))


def test_a_value_below_two_heads_is_named_by_both_and_never_by_another_column(markdown: Markdown) -> None:
    rows = (
        "<tr><th rowspan=2>Ship</th><th colspan=2>Captain</th><th rowspan=2>Home</th></tr>"
        "<tr><th>Name</th><th>Years of service</th></tr>"
        "<tr><td>Argo</td><td>Ann Reed</td><td>12</td><td rowspan=2>Oban</td></tr>"
        "<tr><td>Brio</td><td>Tom Hale</td><td>7</td></tr><tr><td>Cora</td><td>Eve Lund</td></tr>"
    )
    document = markdown(f"<html><body><p>The fleet.</p><table>{rows}</table></body></html>", html=True)
    analysis = taken_apart(document, "Oban fleet")
    (table,) = analysis.tables
    assert table.header == ("Ship", "Captain, Name", "Captain, Years of service", "Home")
    assert table.rows == (("Argo", "Ann Reed", "12", "Oban"), ("Brio", "Tom Hale", "7", "Oban"))
    assert list(table_facts(table, "Oban fleet")) == []


def test_an_empty_passage_has_nothing(markdown: Markdown) -> None:
    analysis = taken_apart(markdown(""), "Port")
    assert not any(analysis.sentences.values())
    assert (analysis.keys, analysis.terms, analysis.tables, analysis.lists) == ((), (), (), ())
