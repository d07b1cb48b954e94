"""Read Jupyter notebooks, by way of the HTML that their cells stand for: Markdown, code, and outputs that are text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from ragassay.documents import decoding
from ragassay.documents.html import read_html
from ragassay.documents.markdown import to_html
from ragassay.documents.parsed import ParsedText, UnreadableError

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""Colours in the output of programs."""


def read_notebook(data: bytes) -> ParsedText:
    """Read the cells of a notebook in order. Raises UnreadableError where it is none."""
    try:
        notebook = json.loads(decoding.decode(data).text)
    except (ValueError, RecursionError):
        raise UnreadableError("it is not valid JSON, and so no notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not cells or not isinstance(cells, list):
        raise UnreadableError("it has no cells; one from before 2015 is renewed by jupyter nbconvert --to notebook")
    left_out: set[str] = set()
    html = "".join(_cell(cell, left_out) for cell in cells if isinstance(cell, dict))
    parsed = read_html(f"<main>{html}</main>")
    return replace(parsed, notes=(*parsed.notes, *left_out))


def _cell(cell: dict[str, Any], left_out: set[str]) -> str:
    source = _text(cell.get("source"))
    if cell.get("cell_type") == "markdown":
        return _balanced(to_html(source))
    outputs = cell.get("outputs") if isinstance(cell.get("outputs"), list) else []
    shown = [_output(each, left_out) for each in outputs or () if isinstance(each, dict)]
    return "".join([f"<pre>{escape(source)}</pre>", *shown])


def _output(output: dict[str, Any], left_out: set[str]) -> str:
    """Write an output: a table as one, other text as it stands; nothing, and a word of it, where it is no text."""
    if output.get("output_type") == "error":
        return f"<pre>{escape(str(output.get('ename')))}: {escape(_text(output.get('evalue')))}</pre>"
    data = output["data"] if isinstance(output.get("data"), dict) else output
    table, plain = _text(data.get("text/html")), _text(data.get("text/plain", data.get("text")))
    if "<table" in table:
        return _balanced(table)
    if markdown := _text(data.get("text/markdown")):
        return _balanced(to_html(markdown))
    if not plain or any(str(kind).startswith("image/") for kind in data):
        left_out.add("Left out: outputs that are not text, such as images.")
        return ""
    return f"<pre>{escape(_TERMINAL.sub('', plain))}</pre>"


def _text(source: object) -> str:
    """Return a text that may stand as a list of its lines."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _balanced(html: str) -> str:
    """Return a fragment whose elements end in it: one left open would change what comes after."""
    body = LexborHTMLParser(html).body
    return "" if body is None else body.inner_html or ""
