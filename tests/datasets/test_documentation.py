"""The pages name every format and field, and their tables say what the formats say."""

from __future__ import annotations

from pathlib import Path

from ragassay.datasets.format import ALL_PARTS, DOCUMENT_PARTS, EXAMPLE_PARTS, PREDICTION_PARTS
from ragassay.datasets.mapping import ROW_FIELDS
from ragassay.datasets.registry import FORMATS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_tables_of_formats() -> None:
    text = (DOCS / "datasets.md").read_text("utf-8")
    traces = (DOCS / "traces.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in FORMATS)
    assert all(f"`{name}`" in text + traces for name in ROW_FIELDS)
    for each in FORMATS.values():
        if each.write and each.holds != ALL_PARTS:
            parts = [part for part in (*EXAMPLE_PARTS, *DOCUMENT_PARTS, *PREDICTION_PARTS) if part in each.holds]
            assert f"\n`{each.name}` | {', '.join(parts)}\n" in text
