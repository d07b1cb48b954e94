"""The reply of a language model that was asked for one JSON object of a type (docs/decisions/reading-replies.md).

Valid JSON goes straight to pydantic. In anything else, objects and lists are looked for, one is chosen and fitted to
the type: wrappings, a list in place of its object and spellings of names are put right, values stay as they are.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from ragassay.models.loose_json import Parsed, Value, objects_in
from ragassay.tasks.base import TaskData

Data = TypeVar("Data", bound=TaskData)

_THOUGHTS: Final = re.compile(r"\s*<think(?:ing)?>")
_EDGE_OF_THOUGHTS: Final = re.compile(r"<(/?)think(?:ing)?>")
# the opening tag may be part of the chat's template: then the closing one is alone, on a line of its own
_END_OF_THOUGHTS: Final = re.compile(r"(?m)^[ \t]*</think(?:ing)?>[ \t]*$")
_OPENING: Final = re.compile(r"[\s\ufeff]*(?:```[\w-]*\s*)?")
_REST: Final = re.compile(r"\s*(?:```)?\s*\Z")
# in what the line after an object begins with; further down these are the words of any text
_TAKEN_BACK: Final = re.compile(
    r"(?i)\s*(?:```)?\s*[^\n]{0,60}?\b(?:wait|actually|correct(?:ed|ion)|revised|mistake|instead|sorry)\b"
)
_END_OF_LINE: Final = re.compile(r"[ \t]*(?:[\r\n`]|$)")
_INDENT: Final = 40
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LABEL: Final = re.compile(r"[A-Za-z0-9_-]{0,24}")
_DOTS: Final = ('"..."', '"…"')

_MAX_WRAPPINGS: Final = 3
_LONE_DOTS: Final = re.compile(r"\s*(?:\.{3,}|…)\s*")
_MOST_CHARS: Final = 500_000
_MOST_OBJECTS: Final = 2_000
"""Of text that is not valid JSON: no model writes more at once. It bounds how long a reply holds up the others."""


class UnreadableReply(ValueError):  # noqa: N818 - what the reply is
    """A reply without an answer that can be used. The message is one sentence that the model itself can act on."""


def read_reply(text: str, reply_type: type[Data], *, prompt: str = "") -> Data:
    """Return the one object of ``reply_type`` that a reply gives. Raises UnreadableReply, and nothing else.

    prompt: what the model was sent. An object that stands in it word for word is a quotation and no answer, unless it
    has no words (numbers, flags, labels) and the reply is nothing else. The time is linear.
    """
    try:
        data = reply_type.model_validate_json(text)
    except ValueError:
        pass  # no JSON, no Unicode, or not the type
    else:
        may_be_quoted = text.lstrip()[:1] in prompt and _packed(text) in _packed(prompt)
        if not may_be_quoted and not any(dots in text for dots in _DOTS):
            return data
    return _answer(without_thoughts(_SURROGATE.sub("\ufffd", text)), reply_type, _packed(prompt))


def without_thoughts(text: str) -> str:
    """Return what follows the thoughts that a reply opens with, the outermost ones: inside there are drafts."""
    end = depth = 0
    for edge in _EDGE_OF_THOUGHTS.finditer(text):
        if depth == 0 and not _THOUGHTS.fullmatch(text, end, edge.end()):
            break
        depth += -1 if edge[1] else 1
        end = edge.end()
    if depth:
        raise UnreadableReply("the reply was cut off while thinking: no answer follows the thoughts")
    if end:
        return text[end:]
    for mark in _END_OF_THOUGHTS.finditer(text):
        end = mark.end()
    return text[end:]


def _answer(text: str, reply_type: type[Data], prompt: str) -> Data:
    """Return the object that the text opens with, unless it is taken back; else the last that fits. prompt: packed."""
    found: tuple[Data, Parsed] | None = None
    fields = _listed(reply_type.model_fields)
    problem = f"no JSON object with {fields} in the reply" if text.strip() else "the reply is empty"
    if len(text) > _MOST_CHARS:
        raise UnreadableReply(f"the reply is no JSON and has more than {_MOST_CHARS:,} characters")
    opening = _end(_OPENING, text, 0)
    for n_before, parsed in enumerate(objects_in(text)):
        if n_before == _MOST_OBJECTS:
            raise UnreadableReply(f"the reply has more than {_MOST_OBJECTS:,} brackets before its answer")
        if found and found[1].start == opening and not _TAKEN_BACK.match(text, found[1].end):
            break
        value = _unwrapped(parsed.value, reply_type)
        if parsed.start != opening and not _may_be_answer(value, parsed, text, reply_type):
            continue
        try:
            found = _checked(value, parsed, text, reply_type, prompt), parsed
        except _Misfit as misfit:
            problem = str(misfit)
            if parsed.end == len(text) and parsed.ending != "closed":
                # nobody knows what it would have been, and what came before was not the last word
                found = None
    if found is None:
        raise UnreadableReply(problem)
    return found[0]


def _may_be_answer(value: Value, parsed: Parsed, text: str, reply_type: type[TaskData]) -> bool:
    """Return whether what stands amid other text is meant for the type: an object with a field, or a list."""
    if isinstance(value, dict):
        return _has_field(value, reply_type) or (parsed.ending == "cut" and not value)
    if _list_field(reply_type) is None:
        return False
    before = text[max(0, parsed.start - _INDENT) : parsed.start].rstrip(" \t")
    after = _END_OF_LINE.match(text, parsed.end)
    return before[-1:] in ("", "\n", ":") and (parsed.ending == "cut" or after is not None)


def _checked(value: Value, parsed: Parsed, text: str, reply_type: type[Data], prompt: str) -> Data:
    """Return the value as the type; raises _Misfit with a sentence."""
    if parsed.ending == "cut":
        raise _Misfit("the reply was cut off before its JSON object was complete")
    if parsed.ending == "broken":
        near = " ".join(text[parsed.end : parsed.end + 30].split())
        raise _Misfit(f"the JSON object in the reply breaks off before {near!r}")
    unclosed = parsed.ending == "unclosed"
    try:
        data = _fit(value, reply_type)
    except _Misfit as misfit:
        raise _Misfit(f"the JSON object in the reply does not {'end' if unclosed else 'fit'}: {misfit}") from None
    if unclosed and data.model_fields_set != set(reply_type.model_fields):
        raise _Misfit("the JSON object in the reply does not end, and fields that it may have are not there")
    whole = parsed.start == _end(_OPENING, text, 0) and _REST.match(text, parsed.end) is not None
    if _packed(json.dumps(value, ensure_ascii=False)) in prompt and not (whole and _is_wordless(value)):
        raise _Misfit("the reply repeats a JSON object of the prompt and has none of its own")
    return data


def _packed(text: str) -> str:
    """Return the text without spaces and line breaks, which differ between copies of one JSON object."""
    return text.replace(" ", "").replace("\n", "").replace("\r", "").replace("\t", "")


def _is_wordless(value: Value) -> bool:
    return all(not isinstance(leaf, str) or _LABEL.fullmatch(leaf) for leaf in _leaves(value))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


class _Misfit(Exception):  # noqa: N818 - says why, like the error that it becomes
    """A value is not of the type; the message names the first thing that is wrong."""


def _fit(value: Value, reply_type: type[Data]) -> Data:
    """Return the value as ``reply_type``; raises _Misfit."""
    if isinstance(value, list):
        name = _list_field(reply_type)
        value = {name: value} if name else value
    if not isinstance(value, dict):
        raise _Misfit(f"it is a list, not an object with {_listed(reply_type.model_fields)}")
    if not _has_field(value, reply_type):
        raise _Misfit(f"its fields are {_listed(value)} and not {_listed(reply_type.model_fields)}")
    if any(isinstance(leaf, str) and _LONE_DOTS.fullmatch(leaf) for leaf in _leaves(value)):
        raise _Misfit("it has dots in place of a text")
    try:
        return reply_type.model_validate(_renamed(value, reply_type))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place, message = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise _Misfit(f"{place}: {message}" if place else message) from None


def _unwrapped(value: Value, reply_type: type[BaseModel]) -> Value:
    """Return the object inside objects and lists that hold nothing else; else the value itself."""
    inner = value
    for _ in range(_MAX_WRAPPINGS):
        if isinstance(inner, dict) and _has_field(inner, reply_type):
            return inner
        if not isinstance(inner, (dict, list)) or len(inner) != 1:
            break
        (inner,) = inner.values() if isinstance(inner, dict) else inner
    return inner if isinstance(inner, dict) and _has_field(inner, reply_type) else value


def _list_field(reply_type: type[BaseModel]) -> str | None:
    """Return the field that a bare list stands for: the one that is a list, where no other field is required."""
    lists = [name for name, field in reply_type.model_fields.items() if _item_type(field.annotation) is not None]
    required = {name for name, field in reply_type.model_fields.items() if field.is_required()}
    return lists[0] if len(lists) == 1 and required <= set(lists) else None


def _has_field(value: Value, reply_type: type[BaseModel]) -> bool:
    """Return whether an object has a field of the type, under whatever spelling of its name."""
    names = _spellings(reply_type)
    return isinstance(value, dict) and any(_spelled(key) in names for key in value)


def _leaves(value: Value) -> list[Value]:
    """Return what a value holds besides objects and lists."""
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


def _listed(names: Iterable[str]) -> str:
    """Return names as a message has them, the first few of many."""
    shown = [repr(name if len(name) <= 40 else f"{name[:40]}...") for name in names]
    return ", ".join([*shown[:6], "..."] if len(shown) > 6 else shown) or "none"


def _renamed(value: Value, wanted: Any) -> Any:
    """Return the value with the keys of its objects spelled as the type's fields; keys of no field stay."""
    if get_origin(wanted) is Annotated:
        return _renamed(value, get_args(wanted)[0])
    entry_type = _item_type(wanted)
    if entry_type is not None and isinstance(value, list):
        return [_renamed(item, entry_type) for item in value]
    if not (isinstance(value, dict) and isinstance(wanted, type) and issubclass(wanted, BaseModel)):
        return value
    names = _spellings(wanted)
    renamed = {}
    for key, each in value.items():
        name = key if key in wanted.model_fields else names.get(_spelled(key), key)
        # the right spelling goes first where there are two
        if name == key or name not in value:
            field = wanted.model_fields.get(name)
            renamed[name] = _renamed(each, field.annotation) if field else each
    return renamed


@functools.lru_cache(maxsize=256)
def _spellings(model: type[BaseModel]) -> Mapping[str, str]:
    return {_spelled(name): name for name in model.model_fields}


def _item_type(wanted: Any) -> Any:
    """Return what a list holds, or None where no list is wanted."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return _item_type(arguments[0])
    if origin is list or (origin is tuple and arguments[1:] == (Ellipsis,)):
        return arguments[0]
    return None


def _spelled(key: str) -> str:
    """Return a name of a field under its letters and digits alone."""
    return "".join(character for character in key.casefold() if character.isalnum())
