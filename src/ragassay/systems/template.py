"""Requests with the question put in: a JSON value whose texts hold ``{question}``, and ``{id}`` where it is wanted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragassay.errors import UsageError
from ragassay.systems.base import Question

QUESTION, ID = "{question}", "{id}"


def parse_template(value: Any, option: str) -> Any:
    """A template as users write it: a JSON value, or a text that holds one. Raises UsageError."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"') and value.strip() != QUESTION:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise UsageError(
                f'{option}: must be JSON, such as {option}=\'{{"query": "{QUESTION}", "top_k": 5}}\''
            ) from None
    if not holds_question(value):
        raise UsageError(f"{option}: must contain {QUESTION}, the place of the question")
    return value


def holds_question(value: Any) -> bool:
    """Whether the question has a place somewhere in it."""
    if isinstance(value, str):
        return QUESTION in value
    if isinstance(value, Mapping):
        return any(holds_question(each) for each in value.values())
    return isinstance(value, list) and any(holds_question(each) for each in value)


def filled(template: Any, question: Question) -> Any:
    """The template with the question in it. Nothing in a question is taken for a template."""
    if isinstance(template, str):
        parts = template.split(QUESTION)
        return question.text.join(part.replace(ID, question.id) for part in parts)
    if isinstance(template, Mapping):
        return {name: filled(value, question) for name, value in template.items()}
    if isinstance(template, list):
        return [filled(each, question) for each in template]
    return template
