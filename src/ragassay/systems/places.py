"""Places in a reply, such as ``data.hits[0].text`` or ``choices[0].message.content``; objects are read too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.errors import UsageError
from ragassay.models.user_code import attribute_of

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(-?\d{1,6})\]")

MISSING: Any = object()
"""Stands for what is not there; None is a value."""

Place = tuple[str | int, ...]
"""Names of fields and numbers of list items, from the outermost in."""


def parse_place(text: str, option: str) -> Place:
    """The steps of a place; a leading ``$`` or ``$.``, as JSONPath has it, is passed over. Raises UsageError."""
    rest = text.strip().removeprefix("$")
    steps: list[str | int] = []
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None:
            raise UsageError(f"{option}: invalid place {text!r}; write it as data.answer or hits[0].text")
        steps.append(int(match[2]) if match[2] is not None else match[1])
        at = match.end()
    if not steps:
        raise UsageError(f"{option}: must not be empty; write a place such as data.answer or hits[0].text")
    return tuple(steps)


def at_place(value: Any, place: Place) -> Any:
    """What stands at a place; MISSING where there is nothing."""
    for step in place:
        value = item_of(value, step) if isinstance(step, int) else field_of(value, step)
        if value is MISSING:
            return MISSING
    return value


def field_of(value: Any, name: str) -> Any:
    """A field of a mapping or an attribute of an object; MISSING where there is none, or a method."""
    if isinstance(value, Mapping):
        return value.get(name, MISSING)
    if value is None or isinstance(value, str | bytes | int | float | Sequence):
        return MISSING
    found = attribute_of(value, name, MISSING)
    return MISSING if callable(found) else found


def item_of(value: Any, number: int) -> Any:
    """An item of a list; MISSING where it ends before."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes) and -len(value) <= number < len(value):
        return value[number]
    return MISSING


def fields_seen(value: Any) -> str:
    """What a reply holds, for messages: names of fields, at most eight, never values."""
    if isinstance(value, Mapping):
        names = ", ".join(str(name)[:40] for name in list(value)[:8])
        return f"the fields {names}" if names else "no fields"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return f"a list of {len(value)}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a number"
    return "nothing" if value is None else f"something of type {type(value).__name__}"
