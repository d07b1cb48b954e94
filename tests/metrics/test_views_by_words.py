"""Chunks of which no place is known count by their words."""

from __future__ import annotations

import pytest

from ragassay.metrics.retrieval.references import by_chunk
from ragassay.records import RankedChunk, Span


@pytest.mark.parametrize(
    ("chunk", "is_right"),
    [
        ("Country Points\nNorway  92\nSweden  88", True),
        ("<td>Norway</td><td>92</td>", True),
        ("Norway 921", False),
        ("Norway has 92", False),
        ("", False),
    ],
)
def test_a_row_of_a_table_is_found_without_its_bars(chunk: str, is_right: bool) -> None:
    span = Span(document_id="d", start=3, end=16, text="Norway | 92")
    ranked = RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1.0, text=chunk)
    view = by_chunk([ranked], [chunk], [span])
    assert (view.right_ranks == [1]) is is_right
