"""Chunks of which no place is known count by their words."""

from __future__ import annotations

import pytest

from ragassay.metrics.retrieval.views import by_chunk, repeats
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


def test_a_chunk_that_comes_again_is_a_miss() -> None:
    span = Span(document_id="d", start=0, end=10, text="0123456789")
    chunk = RankedChunk(chunk_id="c", document_id="d", start=0, end=20, score=1.0)
    other = RankedChunk(chunk_id="e", document_id="e", start=0, end=20, score=1.0)
    overlapping = RankedChunk(chunk_id="f", document_id="d", start=0, end=15, score=1.0)
    ranked = [other, chunk, chunk, overlapping]
    assert by_chunk(ranked, ["", "", "", ""], [span]).right_ranks == [2, 4]
    unknown = [RankedChunk(chunk_id=str(n), document_id="", start=0, end=0, score=1.0) for n in range(3)]
    assert by_chunk(unknown, ["x 0123456789", "x 0123456789", "y"], [span]).right_ranks == [1]
    nameless = RankedChunk(chunk_id="", document_id="d", start=0, end=0, score=1.0)
    assert repeats([chunk, nameless, chunk, nameless], []) == {2}
