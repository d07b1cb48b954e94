"""Rows of any form, read by the places that the user names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.mapping import parse_mapping
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.replies.places import Place, parse_place, written_place
from ragassay.datasets.selection import Selection
from ragassay.errors import RagassayError
from ragassay.records import Example, Prediction

Written = Callable[..., Path]
ROW: dict[str, Any] = {
    "inputs": {"query": "When was the bridge opened?", "user": "u1"},
    "outputs": {"answer": "In 1998.", "docs": [{"text": "Opened in 1998.", "rank": 1}, {"text": "412 m long."}]},
    "gold": "In May 1998.",
    "took": 0.25,
    "flat.name": "s-1",
}
PLACES = (
    "question=inputs.query",
    "answer=outputs.answer",
    "contexts=outputs.docs[*].text",
    "reference=gold",
    "latency_s=took",
    'session=["flat.name"]',
)


def read(path: Path, *places: str, notes: Notes | None = None, **options: Any) -> list[Record]:
    selection = Selection(mapping=parse_mapping(places))
    return list(read_dataset(path, selection=selection, notes=notes, **options))


def test_fields_stand_where_the_places_say(written: Written, tmp_path: Path) -> None:
    path = written("log.jsonl", ROW)
    prediction, example = read(path, *PLACES)
    assert isinstance(prediction, Prediction)
    assert isinstance(example, Example)
    assert (example.question, example.answer) == ("When was the bridge opened?", "In May 1998.")
    assert (prediction.answer, prediction.latency_s, prediction.session) == ("In 1998.", 0.25, "s-1")
    assert [each.text for each in prediction.chunks] == ["Opened in 1998.", "412 m long."]
    # the same row as JSON, and with its objects as text, as tables have them
    whole = written("log.json", json.dumps({"rows": [ROW]}))
    texts = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in ROW.items()}
    again = written("texts.jsonl", texts)
    for other in (whole, again):
        made = read(other, *PLACES)[0]
        assert isinstance(made, Prediction)
        assert (made.answer, made.chunks) == (prediction.answer, prediction.chunks)


def test_messages_and_contexts_as_objects(written: Written) -> None:
    row = {
        "chat": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Yes?"},
            {"role": "user", "content": "When?"},
        ],
        "hits": [{"id": "c1", "content": "In 1998.", "score": 0.5}],
        "id": 7,
    }
    prediction, example = read(written("a.jsonl", row), "question=chat", "contexts=hits", "id=id")
    assert isinstance(prediction, Prediction)
    assert isinstance(example, Example)
    assert (example.question, example.id) == ("When?", "7")  # the last thing that the user said
    assert [(each.chunk_id, each.score) for each in prediction.chunks] == [("c1", 0.5)]
    assert prediction.answer is None


def test_reference_contexts_become_documents_or_are_looked_for(written: Written) -> None:
    path = written("a.jsonl", {"q": "When?", "gold": ["Opened in 1998."]})
    beside = written("documents.jsonl", {"id": "d", "text": "The bridge. Opened in 1998."})
    document, example = read(path, "question=q", "reference_contexts=gold")
    assert isinstance(example, Example)
    assert example.references[0].document_id == document.id  # type: ignore[union-attr]
    _, placed = read(path, "question=q", "reference_contexts=gold", documents=beside)
    assert isinstance(placed, Example)
    assert [(span.document_id, span.start) for span in placed.references] == [("d", 12)]


@pytest.mark.parametrize(
    ("rows", "places", "said"),
    [
        ([ROW], ["inputs.query"], "--map: must be FIELD=PLACE, such as question=inputs.query, not 'inputs.query'"),
        ([ROW], ["question=a", "question=b"], "--map: question has two places; give one"),
        ([ROW], ["answer=outputs.answer"], "--map: question is missing; say where it stands"),
        (
            [ROW],
            ["question=inputs.text"],
            "log.jsonl line 1: --map question=inputs.text finds nothing; inputs holds the fields query, user",
        ),
        (
            [ROW, ROW],
            ["question=inputs.query", "contexts=outputs.chunks[*].text"],
            "log.jsonl: --map contexts=outputs.chunks[*].text finds nothing; outputs holds the fields answer, docs "
            "in the first row; none of the 2 rows has it",
        ),
        (
            [ROW],
            ["question=inputs.query", "contexts=inputs"],
            "log.jsonl line 1: --map contexts=inputs holds the fields query, user, which cannot be read as contexts",
        ),
        (
            [{"q": "When?", "gold": ["Opened in 1998.", " "]}],
            ["question=q", "reference_contexts=gold"],
            "log.jsonl line 1: --map reference_contexts=gold: text 2 is empty; correct it or take it out",
        ),
    ],
)
def test_a_mapping_that_does_not_fit(written: Written, rows: list[Any], places: list[str], said: str) -> None:
    path = written("log.jsonl", *rows)
    with pytest.raises(RagassayError) as caught:
        read(path, *places)
    assert said in str(caught.value)


NAMES = st.text(st.sampled_from("ab.[]$ *0é"), min_size=1, max_size=5)


@given(st.lists(NAMES | st.integers(-99, 99), min_size=1, max_size=4).map(tuple))
def test_a_place_that_is_written_is_read_again(place: Place) -> None:
    assert parse_place(written_place(place), "--map") == place
