"""Plain text: headings, lists and records that people type without markup."""

from __future__ import annotations

import pytest

from ragassay.corpus.plain import read_plain


def test_record_under_labels(leaves):
    parsed = read_plain(
        "Admission\n\nBasic data:\nName: G. Gray\nAge: 42\n\nPast history:\nNone at all.\n体温：36.8°C\n脉搏：76次/分\n"
    )
    assert parsed.title == "Admission"
    assert leaves(parsed) == [
        ("title", "Admission"),
        ("paragraph", "Basic data:"),
        ("key", "Name"),
        ("value", "G. Gray"),
        ("key", "Age"),
        ("value", "42"),
        ("paragraph", "Past history:"),
        ("paragraph", "None at all."),
        ("key", "体温"),
        ("value", "36.8°C"),
        ("key", "脉搏"),
        ("value", "76次/分"),
    ]
    name, gray, age = parsed.blocks[2], parsed.blocks[3], parsed.blocks[4]
    assert (name.group, name.row, name.column) == (gray.group, gray.row, 0)
    assert (age.group, age.row) == (name.group, name.row + 1)


def test_underlined_and_capital_headings(leaves):
    parsed = read_plain("Guide\n=====\n\nText.\n\nPart two\n--------\nMore.\n\nTERMS OF USE\n\nLast.\n\n----\n")
    assert leaves(parsed) == [
        ("title", "Guide"),
        ("paragraph", "Text."),
        ("heading", "Part two"),
        ("paragraph", "More."),
        ("heading", "TERMS OF USE"),
        ("paragraph", "Last."),
    ]
    assert parsed.title == "Guide"


def test_lists(leaves):
    parsed = read_plain(
        "Bring:\n- a coat\n  of wool\n  * nested\n- a hat\n\n1. Open.\n2. Close.\n\n1984 was a year.\n3. alone\n"
    )
    assert leaves(parsed) == [
        ("paragraph", "Bring:"),
        ("item", "a coat of wool"),
        ("item", "nested"),
        ("item", "a hat"),
        ("step", "Open."),
        ("step", "Close."),
        ("paragraph", "1984 was a year."),
        ("paragraph", "3. alone"),
    ]
    assert [block.level for block in parsed.blocks[1:4]] == [0, 1, 0]


def test_hard_wrapped_lines_are_joined_and_verse_is_not(leaves):
    wrapped = (
        "Electronic records are deleted in the first week of each month by a job\n"
        "that runs at night. Deleted records remain in backups for a further time\n"
        "and are then overwritten.\n\nRoses are red\nViolets are blue\n"
    )
    assert [text for _, text in leaves(read_plain(wrapped))] == [
        wrapped.split("\n\n", maxsplit=1)[0].replace("\n", " "),
        "Roses are red",
        "Violets are blue",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Note: this is a sentence that goes on.",
        "See http://example.org/x: it works",
        "He said: go home.",
        "The result of the long and tedious measurement was: nothing",
        "At 10:30 we left",
    ],
)
def test_prose_with_a_colon_is_no_pair(line, leaves):
    assert leaves(read_plain(f"Some text comes before.\n\n{line}")) == [
        ("paragraph", "Some text comes before."),
        ("paragraph", line),
    ]
