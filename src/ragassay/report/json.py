"""Draws blocks as plain data, for programs that read what a page shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.report.blocks import Block, Figure, Headline, Missing, Noted, Section, Table, Text, Value
from ragassay.report.items import Items, table_data


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
            columns = [{"name": each.name, "format": each.kind, "unit": each.unit} for each in block.heads]
            rows = [[_value(value) for value in row] for row in block.rows]
            return {"block": "table", "title": block.title, "columns": columns, "rows": rows}
        case Figure():
            from ragassay.report.figures import values_of

            return {**_block(values_of(block.panels)), "block": "figure", "title": block.title}
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
