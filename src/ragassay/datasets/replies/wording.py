"""The question in what a span was given, and the answer in what it gave: texts, messages, or objects around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.datasets.replies.places import unpack

_QUESTIONS = (
    "question",
    "query",
    "query_str",
    "user_input",
    "user_query",
    "input",
    "inputs",
    "prompt",
    "messages",
    "message",
    "text",
    "content",
    "kwargs",
)
_ANSWERS = (
    "answer",
    "response",
    "output",
    "outputs",
    "output_text",
    "result",
    "choices",
    "generations",
    "messages",
    "message",
    "completion",
    "text",
    "content",
    "kwargs",
)
"""The usual names of fields, most telling first; ``kwargs`` holds what LangChain serialises."""
_PASSAGES = ("documents", "nodes")
"""What a splitter or an index is given: nobody asks it anything."""
ASKING, ANSWERING = ("user", "human"), ("assistant", "ai", "model")
_SPEAKERS = (*ASKING, *ANSWERING, "system", "developer", "tool", "function")
_MOST_DEPTH = 8


def question_in(value: Any) -> str | None:
    """Return the question: a text, the last message of a user, or the text in a usual field; None without one."""
    return _text(value, _QUESTIONS, ASKING, _MOST_DEPTH)


def answer_in(value: Any) -> str | None:
    """Return the answer, in the same way; of messages the last one of an assistant."""
    return _text(value, _ANSWERS, ANSWERING, _MOST_DEPTH)


def message_text(message: Mapping[str, Any]) -> str | None:
    """Return what a message says, a text as it stands; None where it has none, as one that calls a tool."""
    content = message.get("content")
    if isinstance(content, str):
        return content if content.strip() else None
    return _content(message, _ANSWERS, _SPEAKERS, _MOST_DEPTH)


def _text(value: Any, names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    value = unpack(value)
    if isinstance(value, str):
        return value.strip() or None
    if not depth or not isinstance(value, list | Mapping):
        return None
    if isinstance(value, list):
        return _of_list(value, names, roles, depth)
    if speaker_of(value) is not None:
        return _of_list([value], names, roles, depth)
    for name in names:
        found = _text(value[name], names, roles, depth - 1) if name in value else None
        if found is not None:
            return found
    name, *others = value or [""]
    return None if others or name in _PASSAGES else _text(value.get(name), names, roles, depth - 1)


def _of_list(items: list[Any], names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    """Of messages the last one of these roles; of parts of a message their texts; of any list its only item."""
    messages = [each for each in items if isinstance(each, Mapping) and speaker_of(each) is not None]
    if messages:
        said = [each for each in messages if speaker_of(each) in roles]
        return _content(said[-1], names, roles, depth) if said else None
    parts = [each for each in items if isinstance(each, Mapping) and each.get("type") in ("text", "output_text")]
    if parts:
        return "".join(text for each in parts if isinstance(text := each.get("text", each.get("content")), str)) or None
    return _text(items[0], names, roles, depth - 1) if len(items) == 1 else None


def _content(message: Mapping[str, Any], names: Sequence[str], roles: Sequence[str], depth: int) -> str | None:
    for name in ("content", "parts", "contents", "text"):
        if name in message:
            inner = message[name]
            # a text is taken as it stands: an answer may be JSON
            found = (inner.strip() or None) if isinstance(inner, str) else _text(inner, names, roles, depth - 1)
            if found is not None:
                return found
    return None


def speaker_of(message: Mapping[str, Any]) -> str | None:
    """Who speaks, where the object is a message."""
    for name in ("role", "type"):
        role = message.get(name)
        if isinstance(role, str) and role.lower() in _SPEAKERS:
            return role.lower()
    return None
