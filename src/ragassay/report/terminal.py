"""Draws blocks in the terminal: compact, plain when piped, deaf to markup and escapes in what users wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich import box
from rich.cells import cell_len
from rich.console import Console, OverflowMethod
from rich.table import Table as RichTable
from rich.text import Text as RichText

from ragassay.report.blocks import Block, Column, Headline, Section, Style, Table, Text, Tiles, Written, laid_out
from ragassay.report.safe_text import excerpt, open_console, visible
from ragassay.report.wording import count

_SPACES = {0x202F: " ", 0xA0: " "}
_ASCII_SIGNS = {0x2212: "-", 0x2013: "-", 0x2026: "..."}
_STYLES: dict[Style, str] = {
    "plain": "", "strong": "bold", "note": "", "warning": "bold yellow", "good": "bold green", "bad": "bold red",
}  # fmt: skip
CELL_CHARS = 400
_GAP = 3
_WIDEST, _NARROWEST, _LONGEST_WORD = 34, 16, 48
"""Characters of a text in the first column, in another, and of a word that stay in one line: longer ones are folded."""


def show(blocks: Iterable[Block], console: Console | None = None, *, stderr: bool = False) -> None:
    """Print what is not for pages alone; figures and lists of items are."""
    console = console or open_console(stderr=stderr)
    after_line = False
    for block in blocks:
        if isinstance(block, Headline):
            print_line(console, block.title, _STYLES[block.style])
            for each in block.lead:
                print_line(console, each)
        elif isinstance(block, Tiles) and block.on != "page":
            for tile in block.tiles:
                print_line(console, f"{tile.name}: {tile.value}{f' ({tile.note})' if tile.note else ''}")
        elif isinstance(block, Section) and block.is_part:
            if after_line:
                console.print()
            print_line(console, block.title, "bold")
        elif isinstance(block, Text) and block.on != "page" and block.each:
            if block.is_cut and after_line:
                console.print()
            if block.title:
                print_line(console, block.title, "bold")
            for each in block.each:
                if block.verbatim:
                    _print_verbatim(each, console, is_cut=block.is_cut)
                else:
                    print_line(console, each, _STYLES[block.style])
        elif isinstance(block, Table) and block.on != "page" and not block.folded and block.rows:
            if after_line:
                console.print()
            _print_table(block, console)
        else:
            continue
        after_line = not isinstance(block, Table)


def line(console: Console, content: str, style: str = "") -> RichText:
    """Return one line in characters that the console can write, and none that steer it."""
    return RichText(_writable(" ".join(visible(content).translate(_SPACES).split()), console), style=style)


def _writable(text: str, console: Console) -> str:
    if console.encoding.lower().startswith("utf"):
        return text
    return text.translate(_ASCII_SIGNS).encode(console.encoding, "backslashreplace").decode(console.encoding)


def _print_verbatim(text: str, console: Console, *, is_cut: bool) -> None:
    """Set in by two spaces, so that nothing in it can pass for a line of ours."""
    cut: OverflowMethod = "ellipsis" if console.encoding.lower().startswith("utf") else "crop"
    for each in visible(text).split("\n"):
        console.print(
            RichText(_writable(f"  {each}".rstrip(), console)), soft_wrap=True, overflow=cut if is_cut else None
        )


def print_line(console: Console, content: str, style: str = "") -> None:
    console.print(line(console, content, style), soft_wrap=True)


def _print_table(table: Table, console: Console) -> None:
    """A title, the rows, and an empty line; a table that is too wide goes on below, with its first column again."""
    if table.title:
        print_line(console, table.title, "bold")
    cells, below = laid_out(replace(table, rows=table.rows[: table.most or None]))
    texts = [[line(console, _text(each)).plain for each in row] for row in cells]
    names = [line(console, head.name).plain for head in table.heads]
    least = _least(table.heads, [names, *texts])
    longest = [max(map(cell_len, of)) for of in zip(names, *texts, strict=True)]
    for places in _parts(least, console.width, _named_by(table.heads, texts)):
        widths = _widths([least[place] for place in places], [longest[place] for place in places], console.width)
        drawn = RichTable(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_header=any(each.name for each in table.heads)
        )
        for place, width in zip(places, widths, strict=True):
            column = table.heads[place]
            drawn.add_column(
                line(console, column.name),
                justify="left" if column.kind == "text" else "right",
                overflow="fold",
                width=width,
            )
        for number, row in enumerate(texts):
            style = "bold" if table.has_total and number == len(table.rows) - 1 else ""
            drawn.add_row(*(line(console, row[place], style) for place in places))
        console.print(drawn)
        console.print()
    for reason, holders in below.items():
        print_line(console, f"{'; '.join(holders)}: {reason}")
    if below:
        console.print()
    if len(table.rows) > len(texts):
        print_line(console, f"{count(len(table.rows) - len(texts))} more{f' in {table.rest}' if table.rest else ''}")
        console.print()


def _least(heads: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the characters that each column needs at least: numbers and words in one line, texts folded.

    rows: their names among them.
    """
    found = []
    for place, head in enumerate(heads):
        texts = [row[place] for row in rows]
        longest = max(map(cell_len, texts))
        if head.kind == "text":
            word = min(_LONGEST_WORD, max(cell_len(word) for text in texts for word in text.split() or [""]))
            longest = max(word, min(longest, _NARROWEST if place else _WIDEST))
        found.append(longest)
    return found


def _named_by(heads: Sequence[Column], rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first columns tell the rows apart; 1 where texts do not."""
    texts = next((place for place, head in enumerate(heads) if head.kind != "text"), len(heads))
    return next((n for n in range(1, texts + 1) if len({tuple(row[:n]) for row in rows}) == len(rows)), 1)


def _parts(least: Sequence[int], width: int, names: int) -> Iterator[list[int]]:
    """Yield columns that stand side by side, always with those that name the row, or the first if these are wide."""
    names = names if sum(least[:names]) + _GAP * names <= width // 2 else 1
    begun = sum(least[:names]) + _GAP * (names - 1)
    part, used = [*range(names)], begun
    for place in range(names, len(least)):
        if used + _GAP + least[place] > width and len(part) > names:
            yield part
            part, used = [*range(names)], begun
        part.append(place)
        used += _GAP + least[place]
    yield part


def _widths(least: Sequence[int], longest: Sequence[int], width: int) -> list[int]:
    """Return the characters of each column: the least, and what the console has besides, for the shortest texts first.

    All are given, since rich would narrow columns below what they need and cut their cells.
    """
    widths = list(least)
    left = max(0, width - sum(least) - _GAP * (len(least) - 1))
    waiting = [place for place, most in enumerate(longest) if most > least[place]]
    for number, place in enumerate(sorted(waiting, key=lambda place: longest[place] - least[place])):
        more = min(longest[place] - least[place], left // (len(waiting) - number))
        widths[place] += more
        left -= more
    return widths


def _text(cell: Written) -> str:
    if cell.missing:
        return cell.missing if cell.missing == "\u2013" else f"\u2013 {cell.missing}"
    beside = "; ".join(each for each in (cell.interval, cell.coverage) if each)
    text = " ".join(each for each in (cell.text, f"({beside})" if beside else "", cell.note) if each)
    return excerpt(text, CELL_CHARS)
