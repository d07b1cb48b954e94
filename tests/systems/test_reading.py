"""Answers and chunks out of the shapes in which systems give them back, as JSON and as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.replies.places import Places, UnreadableAnswerError, parse_place
from ragassay.datasets.replies.reading import read_answer, told_error
from ragassay.errors import UsageError
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


def test_numbers_of_numpy_are_numbers() -> None:
    found = read_answer(
        {
            "answer": "x",
            "contexts": [(LangChainDocument("one"), np.float32(0.5)), (LangChainDocument("two"), np.float32(0.25))],
            "abstained": np.bool_(True),
            "usage": {"input_tokens": np.int64(7)},
        },
        USUAL,
    )
    assert [(chunk.text, chunk.score) for chunk in found.chunks] == [("one", 0.5), ("two", 0.25)]
    assert (found.abstained, found.input_tokens) == (True, 7)
    assert (type(found.abstained), type(found.input_tokens), type(found.chunks[0].score)) == (bool, int, float)


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


def test_a_retriever_has_no_answer() -> None:
    assert read_answer([LangChainDocument("one")], USUAL).answer is None


def test_what_a_chunk_says_of_itself() -> None:
    document = LangChainDocument("one", {"source": "guide/a.md", "start_index": 7}, "c1")
    (chunk,) = read_answer({"answer": "x", "context": [document]}, USUAL).chunks
    assert (chunk.chunk_id, chunk.document_id, chunk.start, chunk.end) == ("c1", "guide/a.md", 7, 10)


def test_nodes_of_llama_index() -> None:
    node = SimpleNamespace(node=LlamaNode("one", "n1", "d1"), score=0.75)
    (chunk,) = read_answer(SimpleNamespace(response="x", source_nodes=[node]), USUAL).chunks
    assert (chunk.text, chunk.chunk_id, chunk.document_id, chunk.score) == ("one", "n1", "d1", 0.75)
    assert (chunk.start, chunk.end) == (10, 13)


def test_sources_that_are_names_are_no_texts() -> None:
    chunks = read_answer({"answer": "x", "sources": ["a.md", "b.md"]}, USUAL).chunks
    assert [(chunk.document_id, chunk.text) for chunk in chunks] == [("a.md", ""), ("b.md", "")]


def test_scores_where_not_all_are_numbers_are_those_of_the_ranks() -> None:
    chunks = read_answer({"answer": "x", "chunks": [{"text": "a", "score": 3}, {"text": "b"}]}, USUAL).chunks
    assert [chunk.score for chunk in chunks] == [1, 0.5]
    nan = read_answer({"answer": "x", "chunks": [{"text": "a", "score": float("nan")}]}, USUAL).chunks
    assert [chunk.score for chunk in nan] == [1]


def test_answers_that_are_numbers() -> None:
    assert read_answer({"answer": 1998}, USUAL).answer == "1998"
    assert read({"year": 0}, answer="year").answer == "0"
    with pytest.raises(UnreadableAnswerError):
        read_answer({"result": 200}, USUAL)  # a status, as likely as not


def test_errors_that_a_reply_tells() -> None:
    assert told_error({"answer": None, "error": {"message": "out of\nmemory", "code": 3}}) == "out of memory"
    assert told_error({"detail": [{"msg": "no such field"}]}) == "[{'msg': 'no such field'}]"
    assert told_error({"error": None, "status": "ok"}) is None
    assert told_error("error") is None


@pytest.mark.parametrize("places", [USUAL, Places(answer=("data", "answer"))])
def test_chunks_beside_an_error_are_kept(places: Places) -> None:
    reading = read_answer({"error": "the model is overloaded", "contexts": ["a", "b"]}, places)
    made = reading.prediction("q", "s")
    assert (made.error, made.answer) == ("error reported by the system: the model is overloaded", None)
    assert [chunk.text for chunk in made.chunks] == ["a", "b"]
    assert read_answer({"contexts": ["a"], "detail": "1 of 9 shown"}, USUAL).error is None


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


def test_a_long_answer_takes_no_time() -> None:
    answer = "I was not " + "information " * 500_000
    assert read_answer(answer, USUAL).answer == answer


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


def test_what_no_file_can_hold_takes_another_sign() -> None:
    """Half surrogate pairs come as ``\\ud800`` in JSON, and from functions."""
    half = "a\ud800b"
    chunk = {"id": half, "source": half, "text": half}
    for value in ({"answer": half, "chunks": [chunk]}, (half, [half])):
        prediction = read(value).prediction("q", "s")
        assert prediction.answer == prediction.chunks[0].text == "a\ufffdb"
        assert from_json(Prediction, to_json(prediction)) == prediction


def test_lists_in_lists_are_followed_to_a_depth_and_no_further() -> None:
    assert read({"answer": [[["x"]]]}).answer == "x"
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(UnreadableAnswerError):
        read({"answer": endless})


@pytest.mark.parametrize("value", [10**13, 10**400, -1, True, 1.5, "7"])
def test_numbers_that_are_no_counts_are_no_tokens_and_no_places(value: Any) -> None:
    reading = read({"answer": "x", "usage": {"prompt_tokens": value}, "chunks": [{"text": "t", "start": value}]})
    assert reading.input_tokens is None
    assert (reading.chunks[0].start, reading.chunks[0].end) == (0, 0)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_numbers_that_are_none_are_neither_scores_nor_answers(value: Any) -> None:
    reading = read({"answer": "x", "chunks": [{"text": "t", "score": value}]})
    assert [chunk.score for chunk in reading.chunks] == [1.0]
    with pytest.raises(UnreadableAnswerError, match="but no answer; give its place with answer=PLACE"):
        read({"answer": value})


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


@pytest.mark.parametrize("text", ["", "$", "a[", "a]b", "[x]"])
def test_no_place(text: str) -> None:
    with pytest.raises(UsageError, match="answer: "):
        parse_place(text, "answer")
