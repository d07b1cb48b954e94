"""Tool calls by hand, and the rows that they come from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ragassay
from ragassay.errors import InputError
from ragassay.metrics.answer.conversation import tool_call_accuracy, tool_call_f1
from ragassay.records import Example, Prediction, ToolCall, from_json, to_json

SEARCH, OTHER, ADD = ToolCall(name="search", arguments='{"q": 1}'), ToolCall(name="search"), ToolCall(name="add")
NAMES = ["tool_call_accuracy", "tool_call_f1"]
CALLS = st.lists(st.sampled_from([SEARCH, OTHER, ADD]), max_size=5)


@pytest.mark.parametrize(
    ("made", "expected", "accuracy", "f1"),
    [
        ([SEARCH, ADD], [SEARCH, ADD], 1, 1),
        ([ADD, SEARCH], [SEARCH, ADD], 1, 1),
        # a wrong argument is another call, of the same tool: 1 of 2 expected
        ([OTHER, ADD], [SEARCH, ADD], 1 / 2, 2 * 1 / 4),
        # one call too many: 2 of max(3, 2); F1 = 2 * 2 / 5
        ([SEARCH, SEARCH, ADD], [SEARCH, ADD], 2 / 3, 4 / 5),
        ([SEARCH], [SEARCH, SEARCH, ADD, ADD], 1 / 4, 2 / 5),
        ([], [SEARCH], 0, 0),
        ([SEARCH], [], 0, 0),
        ([], [], 1, 1),
    ],
)
def test_by_hand(made: Any, expected: Any, accuracy: float, f1: float) -> None:
    assert tool_call_accuracy(made, expected) == pytest.approx(accuracy)
    assert tool_call_f1(made, expected) == pytest.approx(f1)


@given(CALLS, CALLS)
def test_laws(made: list[ToolCall], expected: list[ToolCall]) -> None:
    for metric in (tool_call_accuracy, tool_call_f1):
        assert 0 <= metric(made, expected) == metric(expected, made) <= 1
        assert metric(made, made) == 1
    assert tool_call_accuracy(made, expected) <= tool_call_f1(made, expected)
    assert tool_call_accuracy(made, expected) == tool_call_accuracy(made[::-1], expected)


def row(**columns: Any) -> dict[str, Any]:
    return {"user_input": "How many?", "response": "Two.", **columns}


@pytest.mark.parametrize(
    "columns",
    [
        {"tool_calls": [{"name": "add", "args": {"b": 2.0, "a": 1}}], "reference_tool_calls": ["add"]},
        {
            "tools_called": [{"name": "add", "input_parameters": {"a": 1, "b": 2}}],
            "expected_tools": [{"name": "add", "input_parameters": {}}],
        },
        {
            "tool_calls": json.dumps([{"type": "function", "function": {"name": "add", "arguments": '{"a":1,"b":2}'}}]),
            "reference_tool_calls": '[{"name": "add"}]',
        },
    ],
)
def test_calls_are_read_as_others_write_them(columns: dict[str, Any]) -> None:
    result = ragassay.evaluate([row(**columns)], metrics=NAMES)
    assert [result[name] for name in NAMES] == [0, 0]
    sample = result.samples[0]
    assert sample.scores["tool_call_f1"].evidence == ('made: add({"a": 1, "b": 2})', "expected: add({})")
    assert sample.prediction is not None
    assert from_json(Prediction, to_json(sample.prediction)) == sample.prediction
    assert from_json(Example, to_json(sample.example)) == sample.example


def test_rows_without_calls_have_no_value_and_their_files_no_field() -> None:
    both = row(tool_calls=[], reference_tool_calls=[])
    rows = [both, row(user_input="1?", tool_calls=[]), row(user_input="2?", reference_tool_calls=[])]
    result = ragassay.evaluate(rows, metrics=["tool_call_f1"])
    assert result["tool_call_f1"] == 1
    assert result.summary.reasons["tool_call_f1"] == {
        "the example has no expected tool calls": 1,
        "the prediction has no tool calls": 1,
    }
    assert "tool_calls" not in to_json(result.samples[1].example)
    assert '"tool_calls":[]' in to_json(result.samples[2].example)
    with pytest.raises(InputError, match="tool_call_f1 needs expected tool calls, which no example of the set has"):
        ragassay.evaluate([row()], metrics=["tool_call_f1"])
