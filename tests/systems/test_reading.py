"""Answers and chunks out of the shapes in which systems give them back, as JSON and as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.replies.places import Places, UnreadableAnswerError, parse_place
from ragassay.datasets.replies.reading import read_answer
from ragassay.records import Prediction, from_json, to_json

USUAL = Places()


@dataclass
class LangChainDocument:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


def read(value: Any, **places: str) -> Any:
    return read_answer(value, Places(**{name: parse_place(place, name) for name, place in places.items()}))


@pytest.mark.parametrize(
    "value",
    [
        "In 1998.",
        {"answer": "In 1998."},
        {"result": "In 1998.", "query": "When?"},
        {"data": {"answer": "In 1998."}, "status": "ok"},
        {"output": "In 1998."},
        {"choices": [{"message": {"role": "assistant", "content": "In 1998."}}]},
        {"llm": {"replies": ["In 1998."]}},
        SimpleNamespace(content="In 1998.", type="ai"),
        SimpleNamespace(response="In 1998.", source_nodes=[]),
        ("In 1998.", ["a"]),
        {"answer": {"text": "In 1998.", "sources": ["a.md"]}},
        {"messages": [{"role": "user", "content": "When?"}, {"role": "assistant", "content": "In 1998."}]},
        {"output": [{"type": "reasoning"}, {"type": "text", "text": "In "}, {"type": "text", "text": "1998."}]},
    ],
    ids=str,
)
def test_answers_by_their_usual_names(value: Any) -> None:
    assert read_answer(value, USUAL).answer == "In 1998."


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ({"answer": "x", "contexts": ["one", "two"]}, ["one", "two"]),
        ({"answer": "x", "context": "one"}, ["one"]),
        ({"answer": "x", "chunks": [{"text": "one"}, {"content": "two"}]}, ["one", "two"]),
        ({"result": "x", "source_documents": [LangChainDocument("one")]}, ["one"]),
        ({"answer": "x", "retriever": {"documents": [{"content": "one"}]}}, ["one"]),
        ([LangChainDocument("one"), LangChainDocument("two")], ["one", "two"]),
        (["one", "two"], ["one", "two"]),
    ],
    ids=str,
)
def test_chunks_by_their_usual_names(value: Any, texts: list[str]) -> None:
    assert [chunk.text for chunk in read_answer(value, USUAL).chunks] == texts


_names = st.sampled_from(["answer", "data", "chunks", "text", "content", "messages", "usage", "score", "metadata", "x"])
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=4),
    max_leaves=12,
)


@given(_json)
def test_whatever_comes_back_is_read_or_said_to_be_unreadable(value: Any) -> None:
    try:
        reading = read_answer(value, USUAL)
    except UnreadableAnswerError:
        return
    assert reading.answer is None or isinstance(reading.answer, str)
    assert all(isfinite(chunk.score) and isinstance(chunk.text, str) for chunk in reading.chunks)
    assert from_json(Prediction, to_json(reading)) == reading


def test_tokens() -> None:
    reading = read_answer({"answer": "x", "usage": {"prompt_tokens": 7, "completion_tokens": 0}}, USUAL)
    assert (reading.input_tokens, reading.output_tokens) == (7, 0)
    assert read_answer("x", USUAL).input_tokens is None


@pytest.mark.parametrize(
    ("value", "places", "said"),
    [
        ({"status": "ok", "id": 3}, {}, "the reply has the fields status, id, but no answer; give its place"),
        (
            {"answer": "x"},
            {"answer": "data.answer"},
            "the reply has no answer at data.answer; it has the fields answer",
        ),
        ({"answer": "x", "c": "y"}, {"chunks": "c"}, "the chunks at c must be a list, not a text"),
        ({"answer": "x", "chunks": [{"n": 1}]}, {}, "the chunk at rank 1 has no text; it has the fields n"),
    ],
)
def test_what_is_not_there_is_named(value: Any, places: dict[str, str], said: str) -> None:
    with pytest.raises(UnreadableAnswerError) as raised:
        read(value, **places)
    assert said in str(raised.value)
