"""From what a reply holds to the type that was asked for: wrappings, a list in place of its object, names of fields.

Values stay as they are; what pydantic does not take for the type's values does not fit.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from ragassay.models.reading_replies.loose_json import Value

Data = TypeVar("Data", bound=BaseModel)

_MAX_WRAPPINGS: Final = 3
_DOTS: Final = re.compile(r"\s*(?:\.{3,}|…)\s*")


class Misfit(Exception):  # noqa: N818 - says why, like the error that it becomes
    """A value is not of the type; the message names the first thing that is wrong."""


def fit(value: Value, reply_type: type[Data]) -> Data:
    """The value as ``reply_type``; raises Misfit."""
    if isinstance(value, list):
        name = list_field(reply_type)
        value = {name: value} if name else value
    if not isinstance(value, dict):
        raise Misfit(f"it is a list, not an object with {listed(reply_type.model_fields)}")
    if not has_field(value, reply_type):
        raise Misfit(f"its fields are {listed(value)} and not {listed(reply_type.model_fields)}")
    if any(isinstance(leaf, str) and _DOTS.fullmatch(leaf) for leaf in leaves(value)):
        raise Misfit("it has dots in place of a text")
    try:
        return reply_type.model_validate(_renamed(value, reply_type))
    except ValidationError as error:
        raise Misfit(_first_problem(error)) from None


def unwrapped(value: Value, reply_type: type[BaseModel]) -> Value:
    """The object inside objects and lists that hold nothing else; else the value itself."""
    inner = value
    for _ in range(_MAX_WRAPPINGS):
        if isinstance(inner, dict) and has_field(inner, reply_type):
            return inner
        if not isinstance(inner, (dict, list)) or len(inner) != 1:
            break
        (inner,) = inner.values() if isinstance(inner, dict) else inner
    return inner if isinstance(inner, dict) and has_field(inner, reply_type) else value


def list_field(reply_type: type[BaseModel]) -> str | None:
    """The field that a bare list stands for: the one that is a list, where no other field is required."""
    lists = [name for name, field in reply_type.model_fields.items() if item_type(field.annotation) is not None]
    required = {name for name, field in reply_type.model_fields.items() if field.is_required()}
    return lists[0] if len(lists) == 1 and required <= set(lists) else None


def has_field(value: Value, reply_type: type[BaseModel]) -> bool:
    """Whether an object has a field of the type, under whatever spelling of its name."""
    names = _spellings(reply_type)
    return isinstance(value, dict) and any(spelled(key) in names for key in value)


def leaves(value: Value) -> list[Value]:
    """What a value holds besides objects and lists."""
    found: list[Value] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
        else:
            found.append(each)
    return found


def listed(names: Iterable[str]) -> str:
    """Names as a message has them, the first few of many."""
    shown = [repr(name if len(name) <= 40 else f"{name[:40]}...") for name in names]
    return ", ".join([*shown[:6], "..."] if len(shown) > 6 else shown) or "none"


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _renamed(value: Value, wanted: Any) -> Any:
    """The value with the keys of its objects spelled as the type's fields; keys of no field stay."""
    if get_origin(wanted) is Annotated:
        return _renamed(value, get_args(wanted)[0])
    entry_type = item_type(wanted)
    if entry_type is not None and isinstance(value, list):
        return [_renamed(item, entry_type) for item in value]
    if not (isinstance(value, dict) and isinstance(wanted, type) and issubclass(wanted, BaseModel)):
        return value
    names = _spellings(wanted)
    renamed = {}
    for key, each in value.items():
        name = key if key in wanted.model_fields else names.get(spelled(key), key)
        # the right spelling goes first where there are two
        if name == key or name not in value:
            field = wanted.model_fields.get(name)
            renamed[name] = _renamed(each, field.annotation) if field else each
    return renamed


@functools.lru_cache(maxsize=256)
def _spellings(model: type[BaseModel]) -> Mapping[str, str]:
    return {spelled(name): name for name in model.model_fields}


def item_type(wanted: Any) -> Any:
    """What a list holds, or None where no list is wanted."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return item_type(arguments[0])
    if origin is list or (origin is tuple and arguments[1:] == (Ellipsis,)):
        return arguments[0]
    return None


def spelled(key: str) -> str:
    """A name of a field under its letters and digits alone."""
    return "".join(character for character in key.casefold() if character.isalnum())
