"""The fields of an example and its prediction that a function of the user's can name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered
from ragassay.records import ToolCall


class Field(NamedTuple):
    """value: of an answered example. input: what has to be there where the field is needed; None if it always is."""

    value: Callable[[Answered], Any]
    input: Input | None = None


def _calls(calls: Sequence[ToolCall] | None) -> list[dict[str, Any]]:
    return [{"name": each.name, "args": json.loads(each.arguments)} for each in calls or ()]


FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        "question": Field(lambda each: each.example.question),
        "answer": Field(lambda each: each.answer, "answer"),
        "abstained": Field(lambda each: each.prediction.abstained, "answer"),
        "contexts": Field(lambda each: list(each.chunk_texts), "chunk texts"),
        "reference": Field(lambda each: each.example.answer, "reference answer"),
        "reference_contexts": Field(lambda each: [span.text for span in each.example.references], "references"),
        "keypoints": Field(lambda each: list(each.example.keypoints), "keypoints"),
        "tool_calls": Field(lambda each: _calls(each.prediction.tool_calls), "tool calls"),
        "reference_tool_calls": Field(lambda each: _calls(each.example.tool_calls), "expected tool calls"),
        "standalone_question": Field(lambda each: each.prediction.standalone_question, "standalone question"),
        "reference_standalone_question": Field(
            lambda each: each.example.standalone_question, "expected standalone question"
        ),
        "label": Field(lambda each: each.example.label),
        "question_type": Field(lambda each: each.example.question_type),
        "language": Field(lambda each: each.example.language),
        "example": Field(lambda each: each.example),
        "prediction": Field(lambda each: each.prediction, "prediction"),
    }
)
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "user_input": "question",
        "response": "answer",
        "retrieved_contexts": "contexts",
        "input": "question",
        "actual_output": "answer",
        "expected_output": "reference",
        "retrieval_context": "contexts",
        "tools_called": "tool_calls",
        "expected_tools": "reference_tool_calls",
    }
)
"""The names that ragas and deepeval have for them."""


def field_named(name: str) -> Field | None:
    """The field of a name, ours or another's; None where there is none."""
    return FIELDS.get(OTHER_NAMES.get(name, name))
