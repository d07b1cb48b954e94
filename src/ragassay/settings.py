"""Files in which users write settings: names with values, as YAML, TOML or JSON."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.errors import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError

_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "path_type": "a path",
}
_RANGES = {
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
    "greater_than": ("above", "gt"),
    "less_than": ("below", "lt"),
}
_DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){200}""")
_NUMBER = re.compile(r"'-?[\d.]+'")
_MOST_VALUES = 100_000
_SHOWN = 60
"""Characters of a value in a message."""


def read_settings(path: Path) -> dict[str, Any]:
    """What a file holds; what it is can be told from the end of its name, YAML if from nothing else.

    Raises InputError for a file that cannot be read, or holds no names with values.
    """
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); give a YAML, TOML or JSON file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    if path.suffix.lower() == ".toml":
        return parsed_toml(text, str(path))
    is_json = path.suffix.lower() == ".json"
    try:
        value = json.loads(text) if is_json else _yaml(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid {'JSON' if is_json else 'YAML'} ({_fault(error)})") from None
    if not isinstance(value, dict):
        raise InputError(f"{path} must hold names with values; the documentation of the command shows an example")
    return value


def parsed_toml(text: str, where: str) -> dict[str, Any]:
    """What a TOML file holds. Raises InputError, one sentence that begins with ``where``."""
    try:
        if _DEEP_KEY.search(text):  # the parser keeps each beginning of a key: with 20 000 parts, 2 GB
            raise RecursionError
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not valid TOML ({_fault(error)})") from None


def _fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    said = " ".join(str(error).split())[:200]
    return "a number has too many digits" if said.startswith("Exceeds the limit") else said


def _yaml(text: str) -> Any:
    import yaml  # imported late: most commands read none

    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    if _values(value, {}) > max(_MOST_VALUES, len(text)):
        raise ValueError("its aliases repeat too much")
    return value


def _values(value: Any, known: dict[int, int]) -> int:
    """How many values there are in one, those of an alias each time. known: id to count."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = 0  # for one that holds itself
        inner = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_values(each, known) for each in inner)
    return known[id(value)]


def fault_of(error: ValidationError, name: str) -> str:
    """What is wrong with the first value at fault, in words. name: what the value is of, for "unknown NAME"."""
    first = error.errors()[0]
    given = repr(first["input"])[:_SHOWN]
    if _NUMBER.fullmatch(given):
        given = given.strip("'")
    context = first.get("ctx", {})
    if first["type"] == "literal_error":
        return f"unknown {name} {given}; choose {context['expected'].replace(chr(39), '')}"
    if first["type"] in _KINDS:
        return f"must be {_KINDS[first['type']]}, not {given}"
    if first["type"] in _RANGES:
        words, bound = _RANGES[first["type"]]
        return f"must be {words} {context[bound]:g}, not {given}"
    if first["type"] == "unexpected_keyword_argument":
        return f"unknown key {first['loc'][-1]!r}; correct it, or leave it out"
    if first["type"] == "string_too_short":
        return "must not be empty"
    said = first["msg"].removeprefix("Value error, ")
    return said[:1].lower() + said[1:]
