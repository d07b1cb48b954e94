"""Draws blocks as one self-contained page: no network, every text escaped, only its own style and script run."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ragassay.report import figures
from ragassay.report.blocks import (
    Block,
    Figure,
    Headline,
    Section,
    Table,
    Text,
    Tiles,
    Value,
    Written,
    laid_out,
    written,
)
from ragassay.report.items import Cases, Items, embedded, packed
from ragassay.report.safe_text import excerpt, visible
from ragassay.version import __version__

_SCRIPT = ("items.js", "page.js")


class Cell(NamedTuple):
    """shade: 0 to 4."""

    text: Written
    is_number: bool
    shade: int


class Row(NamedTuple):
    """is_first: it begins a group of rows."""

    cells: Sequence[Cell]
    is_first: bool
    is_total: bool


class Part(NamedTuple):
    """A section of a page with what is in it."""

    id: str
    title: str
    is_folded: bool
    blocks: Sequence[Block]


class _Drawing:
    """Draws blocks; counts figures and tables of one page, so that each has an id of its own."""

    def __init__(self) -> None:
        self._number = 0

    @staticmethod
    def kind(block: Block) -> str:
        return type(block).__name__.lower()

    def identity(self) -> str:
        self._number += 1
        return f"b{self._number}"

    @staticmethod
    def laid_out(table: Table) -> tuple[list[Row], dict[str, list[str]]]:
        """Return the rows, and reasons that stand below them."""
        cells, below = laid_out(table)
        repeats = len({row[0].text for row in cells}) < len(cells)
        rows = []
        for number, (texts, values) in enumerate(zip(cells, table.rows, strict=True)):
            is_total = table.has_total and number == len(cells) - 1
            is_first = number > 0 and (is_total or (repeats and texts[0] != cells[number - 1][0]))
            counts = [_count(value) if table.shaded else 0 for value in values[1:-1]]
            shades = [0, *(min(4, 1 + 4 * each // sum(counts)) if each else 0 for each in counts), 0]
            row = [
                Cell(*each) for each in zip(texts, (head.kind != "text" for head in table.heads), shades, strict=False)
            ]
            rows.append(Row(row, is_first, is_total))
        return rows, below

    def figure(self, figure: Figure) -> list[tuple[str, Markup]]:
        return [
            (name, figures.draw(chart, f"{self.identity()}-figure", f"{figure.title} {name}".strip()))
            for name, chart in figure.panels
        ]

    beginning = staticmethod(lambda text: excerpt(text, 300).removesuffix(" …"))
    legend = staticmethod(lambda figure: figures.legend([chart for _, chart in figure.panels]))
    values = staticmethod(lambda figure: figures.values_of(figure.panels))
    packed_table = staticmethod(lambda table: Markup(_deflated(_table_data(table))))
    items_data = staticmethod(lambda items: Markup(embedded(items)))
    items_details = staticmethod(lambda items: Markup(packed(items)))


def _count(value: Value) -> int:
    return round(value) if isinstance(value, int | float) else 0


def _table_data(table: Table) -> dict[str, object]:
    """Return a table that the page sorts: of each cell [text, what stands smaller below, what it is sorted by]."""
    rows = [
        [_sorted_cell(written(value, column), value) for value, column in zip(row, table.heads, strict=True)]
        for row in table.rows
    ]
    columns = [[visible(each.name), each.kind != "text"] for each in table.heads]
    return {"title": table.title, "columns": columns, "rows": rows}


def _sorted_cell(cell: Written, value: Value) -> list[object]:
    below = " ".join(each for each in (cell.interval, cell.coverage, cell.note) if each)
    number = getattr(value, "value", value)
    return [visible(cell.text or cell.missing), visible(below), visible(number) if isinstance(number, str) else number]


def _deflated(data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode())).decode()


@cache
def _environment() -> Environment:
    """Every expression in a template passes ``_printable`` and is then escaped, unless it is markup made here."""
    return Environment(
        loader=PackageLoader("ragassay.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else visible(str(value))


def render_page(
    kind: str,
    blocks: Sequence[Block],
    *,
    title: str = "",
    version: str = __version__,
    settings: Mapping[str, str] | None = None,
    versions: Mapping[str, str] | None = None,
) -> str:
    """Return a whole page as text, to be written as UTF-8.

    kind: of what it is about, as ``sweep``. title: of the window, else the first headline. version: of ragassay, which
    makes it; versions: of all that took part.
    """
    head = next((each for each in blocks if isinstance(each, Headline)), Headline(title))
    css, script = asset("page.css") + asset("items.css"), page_script()
    page = {"kind": kind, "title": title, "version": version, "settings": settings or {}, "versions": versions or {}}
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            head=head,
            parts=list(_parts(each for each in blocks if each is not head)),
            draw=_Drawing(),
            css=Markup(css),
            script=Markup(script),
            policy=content_security_policy(css, script),
        )
    )


def render_fragment(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML without a page around them, for notebooks: without items, and what is for pages."""
    shown = [each for each in blocks if not isinstance(each, Items | Cases) and getattr(each, "on", "") != "page"]
    module = _environment().get_template("blocks.html.j2").make_module({"draw": _Drawing()})
    return str(module.all_of(shown))  # type: ignore[attr-defined]


def _parts(blocks: Iterable[Block]) -> Iterator[Part]:
    """Cut blocks at sections; what is empty is left out."""
    begun, held, ids = Section(""), list[Block](), set[str]()
    for block in [*blocks, Section("")]:
        if not isinstance(block, Section) or block.is_part:
            if not _is_empty(block):
                held.append(block)
            continue
        if any(not isinstance(each, Section) for each in held):
            name = "".join(each if each.isalnum() else "-" for each in begun.title.lower()) or "first"
            while name in ids:
                name += "-"
            ids.add(name)
            yield Part(name, begun.title, begun.is_folded, held)
        begun, held = block, []


def _is_empty(block: Block) -> bool:
    if isinstance(block, Cases | Tiles):
        return not (block.chosen if isinstance(block, Cases) else block.tiles)
    if isinstance(block, Text):
        return block.on == "terminal" or not block.each
    return isinstance(block, Table) and (block.on == "terminal" or not block.rows)


def asset(name: str) -> str:
    """Return a style sheet or script of the page as text."""
    return files("ragassay.report").joinpath("templates", name).read_text(encoding="utf-8")


def page_script() -> str:
    """Return the script of every page."""
    return "".join(map(asset, _SCRIPT))


def content_security_policy(css: str, script: str) -> str:
    """Return a policy by which only the page's own style and script run, known by their hashes."""
    return (
        f"default-src 'none'; style-src {_source(css)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def script_sources() -> str:
    """Return the hash of the script that pages of this version have, for a policy."""
    return _source(page_script())


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
