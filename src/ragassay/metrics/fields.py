"""The fields of an example and its prediction that a function of the user's can name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.answered import Answered


class Field(NamedTuple):
    """value: of an answered example. input: what has to be there where the field is needed; None if it always is."""

    value: Callable[[Answered], Any]
    input: Input | None = None


FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        "question": Field(lambda each: each.example.question),
        "answer": Field(lambda each: each.answer, "answer"),
        "abstained": Field(lambda each: each.prediction.abstained, "answer"),
        "contexts": Field(lambda each: list(each.chunk_texts), "chunk texts"),
        "reference": Field(lambda each: each.example.answer, "reference answer"),
        "reference_contexts": Field(lambda each: [span.text for span in each.example.references], "references"),
        "keypoints": Field(lambda each: list(each.example.keypoints), "keypoints"),
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
    }
)
"""The names that ragas and deepeval have for them."""


def field_named(name: str) -> Field | None:
    """The field of a name, ours or another's; None where there is none."""
    return FIELDS.get(OTHER_NAMES.get(name, name))
