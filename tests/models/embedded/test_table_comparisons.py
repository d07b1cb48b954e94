"""Two rows of a table, or two records, compared; against arithmetic done by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.analysis import analyse
from ragassay.models.embedded.table_comparisons import table_comparisons

Generate = Callable[..., Any]


def port(*rows: str, header: str = "| Berth | Length (m) | Fee |") -> str:
    return f"# Port Halden\n\nPort Halden is a town in Skaldar.\n\n{header}\n|---|---|---|\n" + "\n".join(rows) + "\n"


def compared(generated: Generate, *rows: str, **kwargs: str) -> set[tuple[str, str]]:
    found = generated(port(*rows, **kwargs))
    return {*found.of("difference"), *found.of("larger")}


def test_differences_of_amounts(generated: Generate) -> None:
    # 120 - 95.5 = 24.5 and 41.25 - 12.50 = 28.75. "North Quay" has an odd sum of bytes (971), which asks for the
    # difference; "Oil Pier" has an even one (724), which asks for the larger.
    rows = ("| North Quay | 120 | £12.50 |", "| South Quay | 95.5 | £41.25 |")
    assert compared(generated, *rows) == {
        ("What is the difference in length between North Quay and South Quay in Port Halden?", "24.5 m"),
        ("What is the difference in fee between North Quay and South Quay in Port Halden?", "£28.75"),
    }
    rows = ("| Oil Pier | 1,200 | £12.50 |", "| South Quay | 95.5 | £41.25 |")
    assert sum(b"North Quay") % 2 == 1
    assert sum(b"Oil Pier") % 2 == 0
    assert {answer for _, answer in compared(generated, *rows)} == {
        "Oil Pier (1,200 against 95.5)",
        "South Quay (£41.25 against £12.50)",
    }


def test_pence_have_two_digits(generated: Generate) -> None:
    rows = ("| North Quay | 120 | £12.50 |", "| South Quay | 120 | £41 |")
    assert {answer for _, answer in compared(generated, *rows)} == {"£28.50"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("£12.50", "€41"),  # other currencies
        ("12 kg", "41 m"),
        ("£12.50", "£12.50"),  # nothing to choose
        ("£12–14", "£41"),  # a range
        ("12", "41"),  # bare numbers may count unlike things
    ],
)
def test_what_cannot_be_compared(generated: Generate, first: str, second: str) -> None:
    rows = (f"| North Quay | wide | {first} |", f"| South Quay | low | {second} |")
    assert compared(generated, *rows) == set()


def test_totals_are_not_compared_with_their_parts(generated: Generate) -> None:
    rows = ("| North Quay | 120 | £12.50 |", "| Total | 215.5 | £53.75 |", "| South Quay | 95.5 | £41.25 |")
    assert all("Total" not in f"{question}{answer}" for question, answer in compared(generated, *rows))


RECORD = "## {}\n\n- Length: {}\n- Master: {}\n- Home port: {}\n\n"


def test_records_of_one_page_are_compared(generated: Generate) -> None:
    # "MV Cedar" has an even sum of bytes (674), which asks for the larger; "MV Alder" an odd one (683)
    text = "# Ferries\n\n" + RECORD.format("MV Cedar", "30 m", "Ada Moss", "Elm")
    found = generated(text + RECORD.format("MV Birch", "40 m", "Tom Reed", "Oskay"))
    assert found.of("larger") == [("Which is longer, MV Cedar or MV Birch?", "MV Birch (40 m against 30 m)")]
    text = text.replace("Cedar", "Alder")
    found = generated(text + RECORD.format("MV Birch", "40 m", "Tom Reed", "Oskay"))
    assert [answer for _, answer in found.of("difference")] == ["10 m"]  # 40 - 30


@pytest.mark.parametrize("name", ["MV Elm", "MV Ash", "MV Fir", "MV Fig"])
def test_numbers_of_things_in_a_table(markdown: Generate, name: str) -> None:
    text = f"# The boat overview\n\nNew.\n\n| Boat | Passengers |\n|---|---|\n| {name} | 390 |\n| MV Oak | 220 |\n"
    document = markdown(text)
    (table,) = analyse(to_passage(document, 0, len(document.text), ()), "the boat overview").tables
    (draft,) = table_comparisons(table, "the boat overview")
    assert draft.pattern in {"larger", "difference"}
    assert draft.statement.startswith(f"{name} has 390 passengers; MV Oak has 220")
