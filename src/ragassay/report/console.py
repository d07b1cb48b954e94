"""Tables and lines for the terminal: compact, plain when piped, deaf to markup and escapes in what users wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.report.safe_text import visible

_SPACES = {0x202F: " ", 0xA0: " "}
_ASCII_SIGNS = {0x2212: "-", 0x2013: "-", 0x2026: "..."}


def text(console: Console, content: str, style: str = "") -> Text:
    """One line in characters that the console can write, and none that steer it."""
    line = " ".join(visible(content).translate(_SPACES).split())
    encoding = console.encoding
    if not encoding.lower().startswith("utf"):
        line = line.translate(_ASCII_SIGNS).encode(encoding, "backslashreplace").decode(encoding)
    return Text(line, style=style)


def print_line(console: Console, content: str, style: str = "") -> None:
    console.print(text(console, content, style), soft_wrap=True)


def print_table(console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A title, the rows, and an empty line; the first column to the left, the others, numbers mostly, to the right."""
    print_line(console, title, "bold")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(text(console, column), justify="right" if place else "left", overflow="fold")
    for row in rows:
        table.add_row(*(text(console, cell) for cell in row))
    console.print(table)
    console.print()
