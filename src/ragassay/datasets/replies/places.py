"""Places in a reply, such as ``data.hits[0].text`` or ``choices[0].message.content``; objects are read too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ragassay.errors import UsageError
from ragassay.models.llm.masking import one_line
from ragassay.models.user_code import attribute_of

EVERY = "[*]"
"""The step of a place that stands for each item of a list."""
_STEP = re.compile(r"""\.?([^.\[\]]+)|\[(-?\d{1,6})\]|(\[\*\])|\["([^"]+)"\]""")

_SIGNS = frozenset(".[]")
_WRAPPERS = ("answer", "data", "result", "output", "response", "prediction", "message", "generator", "llm", "retriever")
MOST_COUNT = 10**12
"""A larger number is no count of tokens and no place in a text."""
MOST_DEPTH = 3
"""Objects within objects in which an answer is looked for."""
MISSING: Any = object()
"""Stands for what is not there; None is a value."""

Place = tuple[str | int, ...]
"""Names of fields, numbers of list items and ``EVERY``, from the outermost in."""


class UnreadableAnswerError(ValueError):
    """What came back holds neither an answer nor chunks where they should be."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where answer and chunks stand in a reply; None: by their usual names."""

    answer: Place | None = None
    chunks: Place | None = None


USUAL = Places()


def parse_place(text: str, option: str) -> Place:
    """Return the steps of a place, in JSONPath with or without its ``$``; ``["a.b"]`` has a dot. Raises UsageError."""
    rest = text.strip().removeprefix("$")
    steps: list[str | int] = []
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None:
            raise UsageError(f"{option}: invalid place {text!r}; write it as data.answer or hits[0].text")
        steps.append(int(match[2]) if match[2] is not None else match[3] or match[4] or match[1])
        at = match.end()
    if not steps:
        raise UsageError(f"{option}: must not be empty; write a place such as data.answer or hits[0].text")
    return tuple(steps)


def written_place(place: Place) -> str:
    """Return the place as users write it: ``parse_place`` reads it again."""
    steps = [f"[{each}]" if isinstance(each, int) else _written_name(each) for each in place]
    return "".join(steps).removeprefix(".")


def _written_name(name: str) -> str:
    if name == EVERY:
        return name
    is_plain = name == name.strip() and not name.startswith("$") and _SIGNS.isdisjoint(name)
    return f".{name}" if is_plain else f'["{name}"]'


def at_place(value: Any, place: Place) -> Any:
    """Return what stands at a place; MISSING where nothing does. With ``[*]`` a list of what stands in the items."""
    for number, step in enumerate(place):
        if step == EVERY:
            return _of_every(value, place[number + 1 :])
        value = item_of(value, step) if isinstance(step, int) else field_of(value, step)
        if value is MISSING:
            return MISSING
    return value


def unpacked_at(value: Any, place: Place) -> Any:
    """As ``at_place``, where objects and lists may be written as text within others."""
    for number, step in enumerate(place):
        value = unpack(value)
        if step == EVERY:
            return at_place(value, place[number:])
        value = at_place(value, (step,))
    return value


def unpack(value: Any) -> Any:
    """Return the JSON value in a text that is one, as exports write objects; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _of_every(value: Any, rest: Place) -> Any:
    if not is_list(value):
        return MISSING
    found = [each for item in value if (each := at_place(item, rest)) is not MISSING]
    return [each for inner in found for each in inner] if EVERY in rest else found


def field_of(value: Any, name: str) -> Any:
    """Return a field of a mapping or an attribute of an object; MISSING where there is none, or a method."""
    if isinstance(value, Mapping):
        return value.get(name, MISSING)
    if value is None or isinstance(value, str | bytes | int | float | Sequence):
        return MISSING
    found = attribute_of(value, name, MISSING)
    return MISSING if callable(found) else found


def item_of(value: Any, number: int) -> Any:
    """Return an item of a list; MISSING where it ends before."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes) and -len(value) <= number < len(value):
        return value[number]
    return MISSING


def fields_seen(value: Any) -> str:
    """Return what a reply holds, for messages: names of fields, at most eight, never values."""
    if isinstance(value, Mapping):
        names = ", ".join(one_line(str(name)[:40]) for name in list(value)[:8])
        return f"the fields {names}" if names else "no fields"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return f"a list of {len(value)}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a number"
    return "nothing" if value is None else f"something of type {type(value).__name__}"


def required(value: Any, place: Place, what: str) -> Any:
    """Return what stands at a place that the user named. Raises UnreadableAnswerError where nothing does."""
    found = at_place(value, place)
    if found is MISSING:
        raise UnreadableAnswerError(f"the reply has no {what} at {written_place(place)}; it has {fields_seen(value)}")
    return found


def wrapped(value: Any, depth: int) -> Iterator[Any]:
    """Return what is wrapped in a reply, one level deeper."""
    for name in _WRAPPERS if depth else ():
        inner = field_of(value, name)
        is_inside = inner is not MISSING and inner is not None and inner is not value
        if is_inside and not isinstance(inner, str | int | float):
            yield inner


def is_count(value: Any) -> bool:
    """Return whether it may be a number of tokens, or a place in a text."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(0 <= value <= MOST_COUNT)


def is_number(value: Any) -> bool:
    """Return whether a float can hold it: no NaN, no infinity; JSON has integers of any length. Numpy's count."""
    try:
        return (
            isinstance(value, int | float | np.integer | np.floating)
            and not isinstance(value, bool)
            and isfinite(value)
        )
    except OverflowError:
        return False


def is_list(value: Any) -> bool:
    """Return whether it is a list, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def id_of(value: Any) -> str:
    """Return a name of a trace, span or session as text; empty where there is none."""
    return str(value) if isinstance(value, str) or is_count(value) else ""


def count_of(value: Any) -> int | None:
    """Return a number of tokens; Parquet and JSON may have it as a whole float, or as text."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= 15:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if is_count(value) else None


def dollars_of(value: Any) -> float | None:
    """Return a cost, or seconds; None for what is no number, or negative."""
    try:
        value = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return float(value) if is_number(value) and value >= 0 else None
