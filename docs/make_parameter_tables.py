"""Writes the tables of parameters in docs/systems.md and docs/sweeps.md from the parameters themselves.

.venv/bin/python docs/make_parameter_tables.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_type_hints

from pydantic.fields import FieldInfo

from ragassay.documents.chunkers import CHUNKERS, DEFAULT_OVERLAPS, DEFAULT_SIZES
from ragassay.rag.setting import Setting
from ragassay.rag.space import Space
from ragassay.systems.options import Options, RagOptions

DOCS = Path(__file__).parent
BEGIN, END = "<!-- Made by docs/make_parameter_tables.py -->", "<!-- End of what is made -->"


def system_table() -> str:
    """The options of --system rag."""
    rows = ["Option | Default | Meaning", "---|---|---"]
    for name, field in RagOptions.model_fields.items():
        if name not in Options.model_fields:
            rows.append(f"`{name}` | {_usual(name, field.default)} | {_described(name, field)}")
    return "\n".join(rows)


def sweep_table() -> str:
    """The parameters of a sweep's grid that are no option of --system rag, or have other defaults."""
    rows = ["Parameter | Values | If left out", "---|---|---"]
    hints = get_type_hints(Setting, include_extras=True)
    for each in fields(Space):
        info = next(part for part in hints[each.name].__metadata__ if isinstance(part, FieldInfo))
        assert each.default is not MISSING
        option = RagOptions.model_fields.get(each.name)
        tried = _tried(each.name, each.default)
        if option is None or tried != _usual(each.name, option.default):
            rows.append(f"`{each.name}` | {info.description} | {tried}")
    return "\n".join(rows)


def page(name: str, table: str) -> str:
    """A page of the documentation with its table made anew."""
    text = (DOCS / name).read_text("utf-8")
    before, rest = text.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END, 1)[1]}"


def pages() -> Iterator[tuple[Path, str]]:
    yield DOCS / "systems.md", page("systems.md", system_table())
    yield DOCS / "sweeps.md", page("sweeps.md", sweep_table())


def _described(name: str, field: FieldInfo) -> str:
    """Pydantic keeps the description of an annotated type with the field, unless it may be None."""
    if field.description:
        return field.description
    for part in getattr(field.annotation, "__args__", ()):
        for info in getattr(part, "__metadata__", ()):
            if isinstance(info, FieldInfo) and info.description:
                return info.description
    raise ValueError(f"{name} has no description")


def _usual(name: str, value: Any) -> str:
    if name == "chunk_size":
        return ", ".join(f"{DEFAULT_SIZES[chunker][1]}" for chunker in CHUNKERS)
    if name == "overlap":
        return _overlaps()
    return _shown(value)


def _tried(name: str, values: Any) -> str:
    if name == "chunk_size":
        return "; ".join(", ".join(map(str, DEFAULT_SIZES[chunker])) for chunker in CHUNKERS)
    if name == "overlap":
        return _overlaps()
    return ", ".join(_shown(value) for value in values)


def _overlaps() -> str:
    usual = ", ".join(str(DEFAULT_OVERLAPS[chunker]) for chunker in CHUNKERS)
    return f"{usual}, but at most a quarter of a chunk"


def _shown(value: Any) -> str:
    if value in (None, "", ()):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, int | float) else f"`{value}`"


if __name__ == "__main__":
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
