"""Predictions out of files that others wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import InputError
from ragassay.records import Prediction, RankedChunk, write_jsonl
from ragassay.systems.options import RecordedOptions
from ragassay.systems.recorded import RecordedSystem

Answered = Callable[..., dict[str, Prediction]]
OPENED = "When did it open?"
LONG = "How long is it?"


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., RecordedSystem]:
    def made(rows: list[dict[str, Any]] | str, name: str = "made.jsonl", **options: Any) -> RecordedSystem:
        path = tmp_path / name
        path.write_text(rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows)))
        return RecordedSystem(RecordedOptions(file=str(path), **options), path)

    return made


def ours(example_id: str, system: str = "theirs") -> Prediction:
    chunk = RankedChunk(chunk_id="c", document_id="d", start=1, end=4, score=0.5, text="one")
    return Prediction(example_id=example_id, system=system, chunks=(chunk,), answer="1998", input_tokens=7, latency_s=2)


def test_our_own_and_run_folders(tmp_path: Path, answered: Answered) -> None:
    write_jsonl(tmp_path / "predictions.jsonl", [ours("a"), ours("b")])
    system = RecordedSystem(RecordedOptions(file="x"), tmp_path)
    assert answered(system) == {"a": ours("a"), "b": ours("b")}
    assert system.name == "theirs"


def test_several_systems_in_one_file(tmp_path: Path, answered: Answered) -> None:
    path = tmp_path / "predictions.jsonl"
    write_jsonl(path, [ours("a"), ours("a", "other"), ours("b", "other")])
    with pytest.raises(InputError, match=r"several systems \(theirs, other\); name one with --set system=NAME"):
        RecordedSystem(RecordedOptions(file="x"), path)
    made = answered(RecordedSystem(RecordedOptions(file="x", system="other"), path))
    assert [each.system for each in made.values()] == ["other", "other"]
    with pytest.raises(InputError, match="holds no predictions of 'third'; choose one of theirs, other"):
        RecordedSystem(RecordedOptions(file="x", system="third"), path)


@pytest.mark.parametrize(
    "row",
    [
        {"user_input": OPENED, "response": "1998", "retrieved_contexts": ["one"], "reference": "In 1998."},
        {"query": OPENED, "result": "1998", "source_documents": [{"page_content": "one", "metadata": {"source": "a"}}]},
        {"query": {"query_id": 3, "content": OPENED}, "prediction": {"content": "1998", "references": ["one"]}},
        {"question": " when did   it open? ", "data": {"answer": "1998", "hits": [{"text": "one"}]}},
        {"id": "a", "answer": "1998", "chunks": [{"text": "one"}]},
        {"query_id": "a", "response": "1998", "retrieved": [["one", 0.5]]},
    ],
    ids=", ".join,
)
def test_conventions(recorded: Any, answered: Answered, row: dict[str, Any]) -> None:
    made = answered(recorded([row], name="mine.jsonl"))
    assert (made["a"].answer, [chunk.text for chunk in made["a"].chunks]) == ("1998", ["one"])
    assert made["a"].system == "mine"
    assert re.fullmatch(r"not recorded: \S+/mine\.jsonl has no answer to this question", made["b"].error)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"answer": "1998"}], "made.jsonl line 1: neither the id of a question"),
        (
            [{"id": "a", "said": "1998"}],
            "line 1: the reply has the fields id, said, but no answer; give its place with answer=PLACE",
        ),
        ([{"id": "a", "answer": "x"}, {"id": "a", "answer": "y"}], "made.jsonl line 2: a second prediction for 'a'"),
        ([{"id": "a", "provenance": {}, "requested_label": None}], "line 1 is an example of an evaluation set"),
        ('{"id": "a", "answer": "x"}\n{"id": ', "made.jsonl line 2: not valid JSON"),
        ("", "holds no predictions"),
    ],
)
def test_what_cannot_be_read(recorded: Any, rows: Any, said: str) -> None:
    with pytest.raises(InputError) as raised:
        recorded(rows)
    assert said in str(raised.value)


def test_which_of_several_answers_to_a_question_is_meant_has_to_be_said(
    recorded: Callable[..., RecordedSystem], answered: Answered
) -> None:
    rows = [{"question": OPENED, "answer": "1998"}, {"question": LONG, "answer": "412 m"}]
    made = answered(recorded([*rows, rows[1], {"question": OPENED, "answer": "1999"}]))
    assert made["a"].error == f"recorded more than once: {recorded(rows)._path} holds several answers to this " + (
        "question, none with its id"
    )
    assert (made["b"].error, made["b"].answer) == (None, "412 m")
    made = answered(recorded([*rows, {"id": "a", "question": OPENED, "answer": "1999"}]))
    assert [each.answer for each in made.values()] == ["1999", "412 m"]
