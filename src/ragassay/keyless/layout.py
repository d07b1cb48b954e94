"""What a page lays out beside running text: records, terms, tables and lists, with the offsets of each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from ragassay.keyless.page import Page
from ragassay.records import Block

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value, or a term with its definition; start, end: of both. group: of the record."""

    name: str
    text: str
    start: int
    end: int
    group: int
    section: str
    heading: Stretch | None


class Row(NamedTuple):
    """A row of a table. cells: as text, one for each column."""

    cells: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Table:
    """header: names of the columns, head: where they stand. number: over the page. is_whole: no row was left out."""

    header: tuple[str, ...]
    head: Stretch
    rows: tuple[Row, ...]
    section: str
    number: int
    is_whole: bool

    def spans(self, *rows: Row) -> tuple[Stretch, ...]:
        """The header and these rows, as evidence."""
        return (self.head, *sorted({(row.start, row.end) for row in rows}))


@dataclass(frozen=True, slots=True)
class Listing:
    """Items of the outermost level. lead: the paragraph right above the list. is_alone: with it, all of its section."""

    items: tuple[Stretch, ...]
    lead: Stretch | None
    section: str
    heading: Stretch | None
    is_alone: bool


@lru_cache(maxsize=1)
def records(page: Page) -> list[Entry]:
    """``Key: value`` lines."""
    return list(_entries(page, "key", "value"))


@lru_cache(maxsize=1)
def terms(page: Page) -> list[Entry]:
    """Terms with their definitions."""
    return list(_entries(page, "term", "definition"))


_NAMED = re.compile(r"(?P<name>\S[^:.–—?]{0,48}?)(?:: | [–—-] )(?=\S)")


@lru_cache(maxsize=1)
def pairs(page: Page) -> list[Entry]:
    """What stands in pairs without being marked so: rows of two columns without heads, items "Name: description"."""
    found: list[Entry] = []
    cells: dict[int, list[Block]] = defaultdict(list)
    for block, section, heading in _below_headings(page):
        text = _text(page, block)
        if block.kind in {"item", "step"}:
            if named := _NAMED.match(text):
                place = block.start, block.end, -1000 - block.group
                found.append(Entry(named["name"], text[named.end() :], *place, section, heading))
        elif block.kind in {"cell", "header_cell"}:
            cells[block.group].append(block)
            if block.column == 1 and cells[block.group][-2:-1]:
                name = cells[block.group][-2]
                found.append(Entry(_text(page, name), text, name.start, block.end, -block.group, section, heading))
    headed = {
        -group
        for group, of in cells.items()
        if any(c.column > 1 or (c.kind, c.column) == ("header_cell", 1) for c in of)
    }
    sizes = Counter(entry.group for entry in found)
    return [each for each in found if each.group not in headed and sizes[each.group] > 1 and each.name and each.text]


@lru_cache(maxsize=1)
def tables(page: Page) -> list[Table]:
    """Tables that have one row of heads."""
    groups: dict[int, list[Block]] = defaultdict(list)
    sections: dict[int, str] = {}
    for block, section, _ in _below_headings(page):
        if block.kind in {"cell", "header_cell"}:
            groups[block.group].append(block)
            sections.setdefault(block.group, section)
    found = (_table(page, cells, sections[group], number) for number, (group, cells) in enumerate(groups.items(), 1))
    return [table for table in found if table is not None]


@lru_cache(maxsize=1)
def lists(page: Page) -> list[Listing]:
    """Lists of items or steps."""
    found: list[Listing] = []
    for (section, heading), inside in groupby(_below_headings(page), key=lambda below: below[1:]):
        below = [block for block, *_ in inside if block.kind not in {"heading", "title"}]
        before: Block | None = None
        for is_list, run in groupby(below, key=lambda block: block.kind in {"item", "step"}):
            blocks = list(run)
            if is_list:
                outermost = tuple((each.start, each.end) for each in blocks if each.level == blocks[0].level)
                lead = (before.start, before.end) if before is not None and before.kind == "paragraph" else None
                is_alone = len(below) == len(blocks) + (lead is not None)
                found.append(Listing(outermost, lead, section, heading, is_alone))
            before = blocks[-1]
    return found


def _below_headings(page: Page) -> Iterator[tuple[Block, str, Stretch | None]]:
    """Each block with the heading above it and where that stands; a heading comes with itself."""
    section, heading = "", None
    for block in page.document.blocks:
        if block.kind == "heading":
            section, heading = _text(page, block), (block.start, block.end)
        yield block, section, heading


def _text(page: Page, block: Block) -> str:
    return page.document.text[block.start : block.end].strip()


def _entries(page: Page, name_kind: str, text_kind: str) -> Iterator[Entry]:
    names: dict[tuple[int, int], tuple[Block, str, Stretch | None]] = {}
    texts: dict[tuple[int, int], list[Block]] = defaultdict(list)
    for block, section, heading in _below_headings(page):
        if block.kind == name_kind:
            names.setdefault((block.group, block.row), (block, section, heading))
        elif block.kind == text_kind and (block.group, block.row) in names:
            texts[block.group, block.row].append(block)
    for place, blocks in texts.items():
        name, section, heading = names[place]
        text = page.document.text[blocks[0].start : blocks[-1].end].strip()
        label = _text(page, name).strip(" :")
        if text and label and name.start < blocks[-1].end:
            yield Entry(label, text, name.start, blocks[-1].end, place[0], section, heading)


def _table(page: Page, cells: list[Block], section: str, number: int) -> Table | None:
    rows = [list(row) for _, row in groupby(cells, key=lambda cell: cell.row)]
    head, body = rows[0], rows[1:]
    columns = [cell.column for cell in head]
    if len(head) < 2 or any(cell.kind != "header_cell" for cell in head) or head[0].row > 0:
        return None
    if any(cell.kind == "header_cell" for row in body for cell in row[1:] or row):
        return None  # heads in two rows, or between rows
    whole = tuple(
        Row(tuple(_text(page, cell) for cell in row), row[0].start, row[-1].end)
        for row in body
        if [cell.column for cell in row] == columns
    )
    header = tuple(_text(page, cell) for cell in head)
    is_whole = len(whole) == len(body)
    return Table(header, (head[0].start, head[-1].end), whole, section, number, is_whole) if whole else None
