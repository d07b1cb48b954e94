"""Chat models of LangChain and LLMs of LlamaIndex as models, known by their shape: neither library is needed.

LangChain: ``ainvoke`` or ``invoke``, which give a message with ``content``. LlamaIndex: ``acomplete`` or ``complete``,
which give a completion with ``text``. Both take a prompt as one text, and so does an ``ask`` of any other object.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ragassay.models.user_code import attribute_of

_METHODS = ("ainvoke", "invoke", "acomplete", "complete", "ask")
"""Asynchronous ones first: several calls are in flight then."""
_MODEL_NAMES = ("model_name", "model", "deployment_name", "model_id")
_LONGEST_NAME = 60
_COUNTS = ("input_tokens", "output_tokens")
"""Of the ``usage_metadata`` of LangChain's messages."""


class Said(NamedTuple):
    """text: None where there is none. usage: tokens as OpenAI's protocol names them; None where nobody counted."""

    text: str | None
    usage: Mapping[str, int] | None


def entry_of(target: Any) -> Callable[[str], Any]:
    """What is called with a prompt: a method by which such objects are asked, else the target itself."""
    if not inspect.isroutine(target) and not inspect.isclass(target):
        for name in _METHODS:
            method = attribute_of(target, name)
            if inspect.isroutine(method):
                return method
    return target  # type: ignore[no-any-return]


def said_by(reply: Any) -> Said:
    """The text of what was given back: a text, a message, a completion, or parts of content."""
    if isinstance(reply, str):
        return Said(reply, None)
    content = attribute_of(reply, "content")
    if content is None:
        content = attribute_of(reply, "text")
    counted = attribute_of(reply, "usage_metadata")
    given = [counted.get(name) for name in _COUNTS] if isinstance(counted, Mapping) else []
    numbers = [each for each in given if isinstance(each, int)]
    usage = dict(zip(("prompt_tokens", "completion_tokens"), numbers, strict=True)) if len(numbers) == 2 else None
    return Said(_text(content), usage)


def model_of(target: Any) -> str:
    """The name of the model behind an object, where it says it, such as ``gpt-4o-mini``; else empty."""
    places = (target, attribute_of(target, "metadata"))
    names = (attribute_of(place, name) for place in places if place is not None for name in _MODEL_NAMES)
    return next((name[:_LONGEST_NAME] for name in names if isinstance(name, str) and name), "")


def settings_of(target: Any) -> str | None:
    """A hash of the plain settings of an object of a library; None where there are none to see."""
    try:
        held = {name: value for name, value in vars(target).items() if not name.startswith("_")}
        told = json.dumps(held, sort_keys=True, default=lambda value: type(value).__name__)
    except Exception:  # noqa: BLE001 - the code of others may raise anything
        return None
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest() if held else None


def _text(content: Any) -> str | None:
    if isinstance(content, list):  # parts of a message: texts, or mappings with a text
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None
