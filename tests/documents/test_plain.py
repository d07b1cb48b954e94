"""Plain text: headings, lists and records that people type without markup."""

from __future__ import annotations

import pytest

from ragassay.documents.parsed import UnreadableError
from ragassay.documents.plain import read_delimited, read_plain


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


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Ship,Length\nElm,80\n", "Ship | Length\nElm | 80"),
        ("Ship;Length\r\nElm;80,5\r\n", "Ship | Length\nElm | 80,5"),
        ("Ship\tPorts\nElm\tKirk, Stow; Oskay\n", "Ship | Ports\nElm | Kirk, Stow; Oskay"),
        ('Ship,Note\nElm,"built in\n ""1970"", later"\n\n', 'Ship | Note\nElm | built in "1970", later'),
        ("One line alone\n", "One line alone"),
    ],
)
def test_rows_are_parted_by_the_sign_that_fits_most(source: str, text: str) -> None:
    assert read_delimited(source, "fleet").text == text


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("Ship,Length\nElm,80\n", ["header_cell", "header_cell", "cell", "cell"]),
        ("Elm,80\nFir,90\n", ["cell"] * 4),
        ("Ship,Length\n", ["cell"] * 2),
        (",Length\nElm,80\n", ["header_cell", "cell", "cell"]),  # as pandas writes the names of rows
        (",2023\nElm,80\n", ["header_cell", "cell", "cell"]),
        ("Ship,\nElm,80\n", ["cell"] * 3),
    ],
)
def test_heads_are_words(source: str, kinds: list[str]) -> None:
    parsed = read_delimited(source, "fleet_list-2024")
    assert [block.kind for block in parsed.blocks] == kinds
    assert parsed.title == "fleet list 2024"


def test_rows_of_a_long_table_whose_corner_is_empty_have_their_heads() -> None:
    rows = "".join(f"{number},Ship {number},{number * 3}\n" for number in range(400))
    parsed = read_delimited(f",Name,Length\n{rows}", "fleet")
    assert parsed.text.startswith("0\nName: Ship 0\nLength: 0\n\n1\nName: Ship 1\nLength: 3\n\n2\n")


def test_a_quotation_that_never_ends_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="cannot be told apart"):
        read_delimited('a,b\n"x,1\n', "bad")
