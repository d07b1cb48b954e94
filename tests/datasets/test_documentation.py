"""The table in ``docs/datasets.md`` says what the formats say."""

from __future__ import annotations

from pathlib import Path

from ragassay.datasets.format import DOCUMENT_PARTS, EXAMPLE_PARTS, PREDICTION_PARTS
from ragassay.datasets.registry import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"


def test_the_table_of_formats() -> None:
    formats = [each for each in FORMATS.values() if each.write]
    rows = ["| | " + " | ".join(f"`{each.name}`" for each in formats) + " |", "| --- |" + " :-: |" * len(formats)]
    for part in (*EXAMPLE_PARTS, *DOCUMENT_PARTS, *PREDICTION_PARTS):
        rows.append(f"| {part} | " + " | ".join("yes" if part in each.holds else "" for each in formats) + " |")
    table = "\n".join(row.replace("|  |", "| |").replace("|  |", "| |") for row in rows)
    assert table in PAGE.read_text("utf-8")
