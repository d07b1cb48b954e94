"""Results as Python shows them: printed as in the terminal, in notebooks as on pages, and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import fields
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Block, Figure, Headline, Missing, Noted, Section, Table, Text, Tiles, Value
from ragassay.report.items import Cases, Items, table_data

WIDTH, LINES = 100, 8
"""Of what ``print`` shows."""


def printed(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Return what the terminal prints, as plain text, whatever the environment says of colours."""
    from rich.console import Console

    from ragassay.report.terminal import show

    page = StringIO()  # rich would show it in a notebook at once, in place of writing it to the file
    show(blocks, Console(file=page, width=width, force_terminal=False, force_jupyter=False, color_system=None))
    return page.getvalue()


class Shown:
    """A result that prints as in the terminal, in notebooks as on a page; its ``repr`` leaves out what is long."""

    __slots__ = ()

    def blocks(self) -> Iterable[Block]:
        return [Text(repr(self))]

    def __str__(self) -> str:
        """Return the first lines of it."""
        shown = printed(self.blocks()).splitlines()
        lines = [part for each in shown if each.strip(" ─") for part in wrap(each, WIDTH, subsequent_indent="  ")]
        more = f"... {len(lines) - LINES} more lines; a notebook shows all, as_data() holds it"
        return "\n".join(lines if len(lines) <= LINES + 1 else [*lines[:LINES], more])

    def _repr_html_(self) -> str:
        from ragassay.report.html import render_fragment

        return render_fragment(self.blocks())

    def as_data(self) -> list[dict[str, Any]]:
        """Return the same as plain data, an object a block, for programs that draw it themselves."""
        return as_data(self.blocks())

    def __repr__(self) -> str:
        held = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(f'{name}={_brief(value)}' for name, value in held.items())})"


def _brief(value: Any) -> str:
    if value is None or isinstance(value, str | int | float | Path):
        return repr(value)[:WIDTH]
    return f"<{len(value)}>" if isinstance(value, Sized) else f"<{type(value).__name__}>"


def fields_of(found: Any) -> dict[str, Any]:
    return {each.name: getattr(found, each.name) for each in fields(found)}


def as_data(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """Return one object a block; of a figure what it draws, of items their rows."""
    return [_block(each) for each in blocks]


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Headline():
            return {"block": "headline", "title": block.title, "lead": list(block.lead)}
        case Section():
            return {"block": "section", "title": block.title}
        case Text():
            return {"block": "text", "title": block.title, "lines": list(block.each), "style": block.style}
        case Table():
            columns = [{"name": each.name, "format": each.kind} for each in block.heads]
            rows = [[_value(value) for value in row] for row in block.rows]
            return {"block": "table", "title": block.title, "columns": columns, "rows": rows}
        case Figure():
            from ragassay.report.figures import values_of

            return {**_block(values_of(block.panels)), "block": "figure", "title": block.title}
        case Tiles():
            return {"block": "tiles", "tiles": [each._asdict() for each in block.tiles]}
        case Cases():
            return {"block": "cases", "examples": [{"id": name, "note": note} for name, note in block.chosen]}
        case Items():
            return {"block": "items", **table_data(block)}


def _value(value: Value) -> Any:
    match value:
        case Noted():
            return {"value": _value(value.value), "note": value.note}
        case Missing():
            return {"value": None, "reason": value.reason}
        case Estimate():
            named = {name: getattr(value, name) for name in ("value", "low", "high", "n", "total")}
            reason = getattr(value, "reason", None)
            return {**named, "reason": reason} if reason else named
        case _:
            return value
