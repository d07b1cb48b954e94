"""Answers and chunks out of the shapes in which systems give them back, as JSON and as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.replies.places import Places, UnreadableAnswerError
from ragassay.datasets.replies.reading import read_answer, told_error
from ragassay.records import Prediction, from_json, to_json

USUAL = Places()


@dataclass
class LangChainDocument:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


class LlamaNode:
    def __init__(self, text: str, node_id: str, document: str) -> None:
        self.id_, self.ref_doc_id, self._text = node_id, document, text
        self.metadata = {"file_name": "a.md"}
        self.start_char_idx, self.end_char_idx = 10, 10 + len(text)

    def get_content(self) -> str:
        return self._text


def read(value: Any, **places: str) -> Any:
    return read_answer(value, Places.of(places))


@pytest.mark.parametrize(
    "value",
    [
        "In 1998.",
        {"answer": "In 1998."},
        {"response": "In 1998.", "user_input": "When?"},
        {"result": "In 1998.", "query": "When?"},
        {"data": {"answer": "In 1998."}, "status": "ok"},
        {"output": {"answer": "In 1998."}},
        {"output": "In 1998."},
        {"choices": [{"message": {"role": "assistant", "content": "In 1998."}}]},
        {"llm": {"replies": ["In 1998."]}},
        {"message": {"content": "In 1998."}},
        SimpleNamespace(content="In 1998.", type="ai"),
        SimpleNamespace(response="In 1998.", source_nodes=[]),
        ("In 1998.", ["a"]),
        {"answer": {"text": "In 1998.", "sources": ["a.md"]}},
        {"messages": [{"role": "user", "content": "When?"}, {"role": "assistant", "content": "In 1998."}]},
        {"output": [{"type": "reasoning"}, {"type": "text", "text": "In "}, {"type": "text", "text": "1998."}]},
        {"message": {"content": [{"type": "text", "text": "In 1998."}]}},
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
        (("x", ["one", "two"]), ["one", "two"]),
        ([LangChainDocument("one"), LangChainDocument("two")], ["one", "two"]),
        ([(LangChainDocument("one"), 0.5)], ["one"]),
        (["one", "two"], ["one", "two"]),
    ],
    ids=str,
)
def test_chunks_by_their_usual_names(value: Any, texts: list[str]) -> None:
    assert [chunk.text for chunk in read_answer(value, USUAL).chunks] == texts


def test_nodes_of_llama_index() -> None:
    node = SimpleNamespace(node=LlamaNode("one", "n1", "d1"), score=0.75)
    (chunk,) = read_answer(SimpleNamespace(response="x", source_nodes=[node]), USUAL).chunks
    assert (chunk.text, chunk.chunk_id, chunk.document_id, chunk.score) == ("one", "n1", "d1", 0.75)
    assert (chunk.start, chunk.end) == (10, 13)


def test_errors_that_a_reply_tells() -> None:
    assert told_error({"answer": None, "error": {"message": "out of\nmemory", "code": 3}}) == "out of memory"
    assert told_error({"detail": [{"msg": "no such field"}]}) == "[{'msg': 'no such field'}]"
    assert told_error({"error": None, "status": "ok"}) is None
    assert told_error("error") is None


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
    assert from_json(Prediction, to_json(reading.prediction("q", "s"))) == reading.prediction("q", "s")


def test_tokens() -> None:
    reading = read_answer({"answer": "x", "usage": {"prompt_tokens": 7, "completion_tokens": 0}}, USUAL)
    assert (reading.input_tokens, reading.output_tokens) == (7, 0)
    assert read_answer("x", USUAL).input_tokens is None


def test_abstentions_are_told_or_open_the_answer() -> None:
    assert read_answer("I do not know; the question was flagged.", USUAL).abstained
    assert read_answer("The documents do not say when it opened.", USUAL).abstained
    assert not read_answer("The report does not say when. A plaque gives 1998 as the year.", USUAL).abstained
    assert not read_answer("It opened in 1998.", USUAL).abstained
    assert not read_answer({"answer": "I do not know.", "abstained": False}, USUAL).abstained


def test_places_of_ones_own() -> None:
    value = {"hits": {"top": [{"body": {"t": "one"}, "doc": {"name": "d1"}, "s": 2}]}, "said": [{"a": "In 1998."}]}
    reading = read(
        value, answer="said[0].a", chunks="$.hits.top", chunk_text="body.t", chunk_document="doc.name", chunk_score="s"
    )
    (chunk,) = reading.chunks
    assert (reading.answer, chunk.text, chunk.document_id, chunk.score) == ("In 1998.", "one", "d1", 2)


@pytest.mark.parametrize(
    ("value", "places", "said"),
    [
        ({"status": "ok", "id": 3}, {}, "the reply has the fields status, id, but no answer; give its place"),
        (
            {"answer": "x"},
            {"answer": "data.answer"},
            "the reply has no answer at data.answer; it has the fields answer",
        ),
        ({"answer": {"a": 1}}, {"answer": "answer"}, "the answer at answer must be text, not the fields a"),
        ({"answer": "x", "c": "y"}, {"chunks": "c"}, "the chunks at c must be a list, not a text"),
        ({"answer": "x", "chunks": [{"n": 1}]}, {}, "the chunk at rank 1 has no text; it has the fields n"),
        (None, {}, "the reply has nothing, but no answer; give its place"),
        (42, {}, "the reply has a number, but no answer"),
        (b"x", {}, "the reply has something of type bytes, but no answer"),
        ({}, {}, "the reply has no fields, but no answer"),
        ({"\ud83d\x1b": 1}, {}, "the reply has the fields \ufffd\ufffd, but no answer"),
    ],
)
def test_what_is_not_there_is_named(value: Any, places: dict[str, str], said: str) -> None:
    with pytest.raises(UnreadableAnswerError) as raised:
        read(value, **places)
    assert said in str(raised.value)
