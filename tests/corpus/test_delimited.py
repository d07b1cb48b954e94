"""Rows with delimiters: which sign parts them, which row has the heads, what cannot be read."""

from __future__ import annotations

import pytest

from ragassay.corpus.parsed import UnreadableError
from ragassay.corpus.plain import read_delimited


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
        (",Length\nElm,80\n", ["cell"] * 3),
    ],
)
def test_heads_are_words(source: str, kinds: list[str]) -> None:
    parsed = read_delimited(source, "fleet_list-2024")
    assert [block.kind for block in parsed.blocks] == kinds
    assert parsed.title == "fleet list 2024"


def test_a_quotation_that_never_ends_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="cannot be told apart"):
        read_delimited('a,b\n"x,1\n', "bad")
