"""Requests with the question put in: a JSON value whose texts hold ``{question}``, and ``{id}`` where it is wanted.

A text that is ``{history}`` and nothing else becomes the list of the turns before the question, one that is
``{messages}`` that list with the question as its last message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ragassay.errors import UsageError
from ragassay.systems.base import Question

QUESTION, ID = "{question}", "{id}"
HISTORY, MESSAGES = "{history}", "{messages}"
_TURNS = (HISTORY, MESSAGES)


def parse_template(value: Any, option: str) -> Any:
    """Read a template as users write it: a JSON value, or a text that holds one. Raises UsageError."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"') and value.strip() != QUESTION:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            example = f'{option}=\'{{"query": "{QUESTION}", "top_k": 5}}\''
            raise UsageError(f"{option}: must be JSON, such as {example}") from None
    texts = list(_texts(value))
    if not any(QUESTION in text or text == MESSAGES for text in texts):
        raise UsageError(f"{option}: must contain {QUESTION}, the place of the question")
    mixed = next((name for text in texts for name in _TURNS if name in text and text != name), None)
    if mixed is not None:
        raise UsageError(f"{option}: {mixed} stands for a list, so it must be a value of its own, without other text")
    return value


def holds_turns(template: Any) -> bool:
    """Return whether the turns before a question have a place in it."""
    return any(text in _TURNS for text in _texts(template))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def filled_default(template: Mapping[str, Any], question: Question) -> Any:
    """Fill a template that the user did not give; the turns are its ``history`` where there are any."""
    return filled(template, question) | ({"history": question.earlier} if question.history else {})


def filled(template: Any, question: Question) -> Any:
    """Put the question into a template. Nothing in a question is taken for a template."""
    if isinstance(template, str):
        if template in _TURNS:
            last = [{"role": "user", "content": question.text}] if template == MESSAGES else []
            return [*question.earlier, *last]
        return question.text.join(part.replace(ID, question.id) for part in template.split(QUESTION))
    if isinstance(template, Mapping):
        return {name: filled(value, question) for name, value in template.items()}
    return [filled(each, question) for each in template] if isinstance(template, list) else template
