"""The tables in ``docs/datasets.md`` say what the formats say."""

from __future__ import annotations

from pathlib import Path

from ragassay.datasets.format import ALL_PARTS, DOCUMENT_PARTS, EXAMPLE_PARTS, PREDICTION_PARTS
from ragassay.datasets.registry import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"


def test_the_tables_of_formats() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"`{name}`" in text for name in FORMATS)
    for each in FORMATS.values():
        if each.write and each.holds != ALL_PARTS:
            parts = [part for part in (*EXAMPLE_PARTS, *DOCUMENT_PARTS, *PREDICTION_PARTS) if part in each.holds]
            assert f"| `{each.name}` | {', '.join(parts)} |" in text
