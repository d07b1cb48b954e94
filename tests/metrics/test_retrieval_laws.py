"""What holds of every retrieval metric, by chunk, document and sentence: a better ranking is not worth less."""

from __future__ import annotations

from by_hand import example_of
from hypothesis import assume, given
from hypothesis import strategies as st

from ragassay.metrics.answered import Answered
from ragassay.metrics.catalogue import METRICS as METRICS_OF_CHUNKS
from ragassay.metrics.retrieval.rankings import BY_UNIT
from ragassay.metrics.scoring import measured
from ragassay.records import Prediction, RankedChunk, Span

DOCUMENTS = {name: " ".join(f"Fact {name}{number} is so." for number in range(5)) for name in "abcd"}
SENTENCE = len("Fact a0 is so.")

METRICS = METRICS_OF_CHUNKS | {metric.name: metric for metric in BY_UNIT}
NAMES = [name for name, metric in METRICS.items() if metric.kind == "retrieval" and metric.measure]

Window = tuple[str, int, int]
"""Document, first sentence, number of sentences."""
WINDOWS = [(name, first, 2) for name in "abcd" for first in range(4)]
windows = st.sampled_from(WINDOWS)
references = st.tuples(st.sampled_from("ab"), st.integers(0, 2), st.integers(1, 3))


def place(window: Window) -> tuple[str, int, int]:
    name, first, count = window
    start = first * (SENTENCE + 1)
    return name, start, start + count * (SENTENCE + 1) - 1


def item(wanted: list[Window], retrieved: list[Window]) -> Answered:
    places = [place(window) for window in wanted]
    spans = (
        Span(document_id=name, start=start, end=end, text=DOCUMENTS[name][start:end]) for name, start, end in places
    )
    example = example_of("q", references=tuple(spans))
    found = [place(window) for window in retrieved]
    chunks = tuple(
        RankedChunk(chunk_id="", document_id=name, start=start, end=end, score=1.0) for name, start, end in found
    )
    texts = tuple(DOCUMENTS[name][start:end] for name, start, end in found)
    return Answered(example, Prediction(example_id="q", system="s", chunks=chunks), texts)


def value(name: str, k: int, wanted: list[Window], retrieved: list[Window]) -> float:
    found = measured(METRICS[name], k, item(wanted, retrieved)).value
    assert found is not None, name
    return found


def is_right(name: str, wanted: list[Window], window: Window) -> bool:
    alone = item(wanted, [window])
    if name.startswith("document_"):
        view = alone.document_view
    else:
        view = alone.chunk_view if "ground spans" in METRICS[name].inputs else alone.sentence_view
    return bool(view.right_ranks)


@given(
    st.sampled_from(NAMES),
    st.integers(1, 7),
    st.lists(references, min_size=1, max_size=4),
    st.lists(windows, max_size=3),
    st.lists(windows, max_size=3),
    st.data(),
)
def test_a_right_chunk_in_place_of_a_wrong_one_never_lowers_a_metric(
    name: str, k: int, wanted: list[Window], first: list[Window], last: list[Window], data: st.DataObject
) -> None:
    right = [window for window in WINDOWS if is_right(name, wanted, window)]
    wrong = [window for window in WINDOWS if window not in right]
    assume(right)
    before, after = (
        value(name, k, wanted, [*first, data.draw(st.sampled_from(some)), *last]) for some in (wrong, right)
    )
    assert 0 <= before <= after <= 1


@given(
    st.sampled_from([name for name in NAMES if not name.startswith("document_")]),
    st.integers(1, 7),
    st.lists(references, min_size=1, max_size=4),
    st.lists(windows, max_size=7),
    st.lists(windows, max_size=4),
)
def test_what_stands_below_k_changes_nothing(
    name: str, k: int, wanted: list[Window], retrieved: list[Window], below: list[Window]
) -> None:
    first = (retrieved + below)[:k]
    assert value(name, k, wanted, first) == value(name, k, wanted, [*first, *below] if len(first) == k else first)


@given(st.lists(references, min_size=1, max_size=4), st.lists(windows, min_size=1, max_size=4), windows)
def test_a_repeated_chunk_is_a_miss(wanted: list[Window], retrieved: list[Window], last: Window) -> None:
    again, elsewhere = [*retrieved, retrieved[0], last], [*retrieved, ("d", 0, 2), last]
    assume(("d", 0, 2) not in [*retrieved, last])
    for name in NAMES:
        if not name.startswith("document_"):  # a document stands where its first chunk does
            assert value(name, 6, wanted, again) == value(name, 6, wanted, elsewhere), name
