"""Which chunks are right: by their place, in a collection or recorded, and by their words where that is not known."""

from __future__ import annotations

import numpy as np
import pytest
from by_hand import example_of
from hypothesis import given
from hypothesis import strategies as st

from ragassay.errors import RecordError
from ragassay.metrics.retrieval.references import by_chunk, right_chunks
from ragassay.records import Example, RankedChunk, Span
from ragassay.retrieval.chunk_table import ChunkTable

Place = tuple[int, int, int]
"""(document ordinal, start, end)"""


def example(*references: Place, context: Place = (0, 0, 1)) -> Example:
    spans = [Span(document_id=f"d{n}", start=start, end=end, text="") for n, start, end in (context, *references)]
    return example_of(context=spans[0], references=tuple(spans[1:]), requested_label="fact_single")


def table(*chunks: Place) -> ChunkTable:
    columns = np.array(chunks, dtype=np.int32).reshape(-1, 3)
    return ChunkTable(columns[:, 0], columns[:, 1], columns[:, 2])


DOCUMENTS = ["d0", "d1", "d2"]
# document 0: 100 characters with an overlap of 20; document 2 follows document 1 without chunks
CHUNKS = table((0, 0, 100), (0, 80, 180), (0, 160, 260), (2, 0, 100))


@pytest.mark.parametrize(
    ("reference", "right"),
    [
        ((0, 10, 40), {0}),  # held whole by one
        ((0, 82, 98), {0, 1}),  # held whole by both, in their overlap
        ((0, 0, 100), {0}),  # exactly one chunk; the next one shares 20 of 100
        ((0, 60, 110), {0, 1}),  # cut: 40 of its 50 characters in chunk 0, 30 in chunk 1
        ((0, 60, 100), {0, 1}),  # held whole by chunk 0, of which chunk 1 has half
        ((0, 50, 102), {0}),  # cut: 50 of its 52 characters in chunk 0, 22 in chunk 1
        ((0, 40, 190), {0, 1}),  # longer than a chunk: 60 of 100 of chunk 0 lie inside, all of chunk 1, 30 of chunk 2
        ((0, 255, 300), set()),  # 5 of 45 characters in the last chunk
        ((0, 400, 410), set()),  # no chunk touches it
        ((1, 10, 20), set()),
        ((2, 99, 101), {3}),
    ],
)
def test_right_chunks_of_one_span(reference: Place, right: set[int]) -> None:
    assert right_chunks([example(reference)], DOCUMENTS, CHUNKS) == [[right]]


def test_chunks_inside_longer_chunks_are_found() -> None:
    nested = table((0, 0, 500), (0, 10, 20), (0, 30, 40))
    assert right_chunks([example((0, 100, 200))], DOCUMENTS, nested) == [[{0}]]
    assert right_chunks([example((0, 31, 39))], DOCUMENTS, nested) == [[{0, 2}]]


def test_an_unknown_document_is_an_error_that_names_the_example() -> None:
    with pytest.raises(RecordError, match="example q1 refers to document d9"):
        right_chunks([example((9, 0, 1))], DOCUMENTS, CHUNKS)


def of_recorded(span: Span, chunks: list[Place]) -> set[int]:
    """What scoring says of the same chunks, recorded in any order."""
    ranked = [RankedChunk(chunk_id="", document_id=f"d{of}", start=a, end=b, score=1.0) for of, a, b in chunks]
    return {int(name) for name in by_chunk(ranked, (), [span]).ground[0]}


places = st.tuples(st.integers(0, 2), st.integers(0, 40), st.integers(1, 25)).map(lambda p: (p[0], p[1], p[1] + p[2]))


@given(st.lists(places, max_size=12, unique=True).map(sorted), st.lists(places, min_size=1, max_size=6))
def test_right_in_a_collection_is_right_in_a_recorded_prediction(chunks: list[Place], spans: list[Place]) -> None:
    made = example(*spans)
    found = right_chunks([made], DOCUMENTS, table(*chunks))
    assert found == [[of_recorded(span, chunks) for span in made.ground_spans]]


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
