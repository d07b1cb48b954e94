"""Schemas on disk: TOML, since people edit them, comments are kept, and reading it needs nothing but Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragassay.errors import InputError, UsageError
from ragassay.settings import parsed_toml
from ragassay.synthesis.scenario.schema import Schema
from ragassay.synthesis.scenario.validation import first_fault

_FOLDER = "schemas"
_INLINE_CHARS = 100


def shipped_schemas() -> list[tuple[str, str]]:
    """Name and language of every schema that comes with the package."""
    folder = resources.files("ragassay.synthesis.scenario") / _FOLDER
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return [(name, language) for name, _, language in (each.partition(".") for each in names)]


def shipped_text(name: str, language: str) -> str:
    """The file of a shipped schema, comments and all. Raises UsageError that lists them."""
    if (name, language) not in shipped_schemas():
        known = ", ".join(f"{each} ({code})" for each, code in shipped_schemas())
        raise UsageError(
            f"--schema: no file and no shipped schema named {name!r} in {language!r}; shipped schemas: {known}"
        )
    file = resources.files("ragassay.synthesis.scenario") / _FOLDER / f"{name}.{language}.toml"
    return file.read_text(encoding="utf-8")


def load_schema(name: str, language: str = "en") -> tuple[Schema, str]:
    """A schema and its text, by the path of a file or else by the name of a shipped one.

    Raises InputError that names file and field where it cannot be used, UsageError where there is none.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise InputError(f"{path} cannot be read: {reason}") from None
        return parse_schema(text, str(path)), text
    text = shipped_text(name, language)
    return parse_schema(text, f"{name}.{language}.toml"), text


_SAID = {
    "extra_forbidden": "unknown setting",
    "missing": "it is missing",
    "too_short": "it has too few entries",
}
"""What is said instead of pydantic's words, by its kind of error."""


def parse_schema(text: str, where: str) -> Schema:
    """A schema out of TOML. Raises InputError, one sentence that begins with ``where`` and the field."""
    data = parsed_toml(text, where)
    try:
        schema = Schema.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        said = _SAID.get(first["type"], first["msg"])
        raise InputError(f"{where}: {place}: {said[0].lower()}{said[1:]}") from None
    fault = first_fault(schema)
    if fault:
        raise InputError(f"{where}: {fault}")
    return schema


def schema_text(schema: Schema) -> str:
    """The schema as TOML, without settings that are as they are by default."""
    data = schema.model_dump(exclude_defaults=True)
    fields: Mapping[str, Mapping[str, Any]] = data.pop("fields")
    name_lists: Mapping[str, Sequence[str]] = data.pop("lists", {})
    lists = {key: data.pop(key) for key in list(data) if _is_tables(data[key])}
    lines = [*_settings(data)]
    if name_lists:
        lines += ["", "[lists]", *_settings(name_lists)]
    for name, element in fields.items():
        lines += _field(f"fields.{name}", element)
    for key, tables in lists.items():
        for table in tables:
            inner = {name: value for name, value in table.items() if _is_tables(value)}
            lines += ["", f"[[{key}]]", *_settings({k: v for k, v in table.items() if k not in inner})]
            for name, rows in inner.items():
                for row in rows:
                    lines += ["", f"[[{key}.{name}]]", *_settings(row)]
    return "\n".join(lines) + "\n"


def _field(place: str, element: Mapping[str, Any]) -> list[str]:
    """The table of a field, and those in it: values given another's, the fields of its records."""
    inner = {key: value for key, value in element.items() if isinstance(value, dict)}
    lines = ["", f"[{place}]", *_settings({key: value for key, value in element.items() if key not in inner})]
    for key, table in inner.items():
        if key == "fields":
            for name, each in table.items():
                lines += _field(f"{place}.fields.{name}", each)
        elif table:
            lines += ["", f"[{place}.{key}]", *(f"{_value(name)} = {_value(each)}" for name, each in table.items())]
    return lines


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], dict)


def _settings(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in values.items()]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML's basic strings are JSON's
    if isinstance(value, (list, tuple)):
        items = [_value(each) for each in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _INLINE_CHARS else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    return f"{value:g}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e6 else repr(value)
