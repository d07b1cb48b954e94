"""A Chinese passage as the rules read it: entries, lists, tables and sentences, each with the heading above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ragassay.models.embedded.chinese.clauses import HAN, sentences_of
from ragassay.models.embedded.reading.analysis import head_and_rows
from ragassay.records import Block
from ragassay.tasks.statements import Passage

_KEY = rf"[{HAN}][{HAN}A-Za-z（）()/、]{{1,11}}"
_PAIR = re.compile(rf"(?:^|(?<=[\s，,；;]))(?P<key>{_KEY}|[{HAN}]\s+[{HAN}])\s*[：:]\s*")
_LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value. quote: both, verbatim. group: entries that stand together; -1 for one by itself."""

    key: str
    value: str
    quote: str
    group: int
    section: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list. lead: the line that introduces it, or its heading. ordered: numbered steps."""

    lead: str
    lead_quote: str
    items: tuple[str, ...]
    section: str
    ordered: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header row; quotes: each row verbatim."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    quotes: tuple[str, ...]
    section: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of running text, verbatim. place: counted through the passage."""

    text: str
    section: str
    place: int


@dataclass(slots=True)
class Page:
    """All of it, in the order of the text."""

    passage: Passage
    entries: list[Entry] = field(default_factory=list)
    lists: list[Listing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    terms: list[Entry] = field(default_factory=list)


def read_page(passage: Passage) -> Page:
    """Reads a passage by its blocks; one without blocks is running text."""
    page = Page(passage)
    blocks = passage.blocks or (Block(kind="paragraph", start=0, end=len(passage.text)),)
    section = passage.section[-1] if passage.section else ""
    before: Block | None = None
    for (group, _), run in groupby(enumerate(blocks), key=lambda each: _run_key(blocks, each[0])):
        members = [block for _, block in run]
        section = _read_run(page, members, group, section, before)
        before = members[-1]
    return page


def _run_key(blocks: Sequence[Block], place: int) -> tuple[int, int]:
    """Blocks of one group make a run; others stand alone."""
    block = blocks[place]
    return (block.group, -1) if block.group >= 0 else (-1, place)


def _read_run(page: Page, members: list[Block], group: int, section: str, before: Block | None) -> str:
    """Takes blocks that belong together into the page. Returns the heading that holds from here on."""
    text = page.passage.text
    first = members[0]
    if first.kind in ("title", "heading"):
        return _bare(text[first.start : first.end]) if first.kind == "heading" else section
    if first.kind in ("item", "step"):
        _read_list(page, members, section, before)
    elif first.kind in ("header_cell", "cell"):
        _read_table(page, members, section)
    elif first.kind in ("key", "value"):
        _read_record(page, members, group, section)
    elif first.kind in ("term", "definition"):
        page.terms += _pairs_of_rows(text, members, "term", "definition", group, section)
    elif first.kind in ("paragraph", "quote"):
        _read_prose(page, text[first.start : first.end], section)
    return section


def _bare(heading: str) -> str:
    """A heading without its number and brackets: ``一、`` ``3.1`` ``第 2 章`` ``【…】``."""
    plain = re.sub(
        r"^(?:第\s?[\d一二三四五六七八九十]+\s?[章节条部分]+|[\d.]+|[（(]?[一二三四五六七八九十]+[)）、.])[、.\s]*",
        "",
        heading,
    )
    plain = re.sub(r"[（(][^（）()]{1,6}[)）]$", "", plain.strip(" 【】[]：:*#　"))
    return plain.strip()


def _read_list(page: Page, members: list[Block], section: str, before: Block | None) -> None:
    text = page.passage.text
    top = min(block.level for block in members)
    items = tuple(text[block.start : block.end] for block in members if block.level == top)
    introduces = before is not None and before.kind in ("paragraph", "heading") and text[before.end - 1] in "：:"
    lead = text[before.start : before.end].split("\n")[-1] if before is not None and introduces else ""
    lead = sentences_of(lead)[-1] if lead else ""
    page.lists.append(Listing(lead.strip("：: "), lead, items, section, members[0].kind == "step"))
    for item in items:
        pairs = list(_inline_pairs(item, -1, section))
        page.entries += pairs if len(pairs) == 1 and len(item) <= _LONGEST_VALUE else []
        if not pairs:
            _add_sentences(page, item, section)


def _read_table(page: Page, members: list[Block], section: str) -> None:
    text = page.passage.text
    header, _, body = head_and_rows(text, members)
    if not body:
        return
    page.tables.append(
        Table(
            header,
            tuple(tuple(text[cell.start : cell.end].strip() for cell in row) for row in body),
            tuple(text[row[0].start : row[-1].end] for row in body),
            section,
        )
    )


def _read_record(page: Page, members: list[Block], group: int, section: str) -> None:
    text = page.passage.text
    for entry in _pairs_of_rows(text, members, "key", "value", group, section):
        inline = list(_inline_pairs(entry.quote, group, section))
        page.entries += inline if len(inline) > 1 else [entry]
        if len(inline) <= 1 and len(entry.value) > _LONGEST_VALUE:
            _add_sentences(page, entry.value, entry.key)


def _pairs_of_rows(text: str, members: list[Block], left: str, right: str, group: int, section: str) -> Iterator[Entry]:
    for _, row in groupby(members, key=lambda block: block.row):
        cells = list(row)
        keys = [block for block in cells if block.kind == left]
        values = [block for block in cells if block.kind == right]
        if keys and values:
            quote = text[keys[0].start : values[-1].end]
            value = text[values[0].start : values[-1].end]
            yield Entry(_bare(text[keys[0].start : keys[-1].end]), value.strip(), quote, group, section)


def _read_prose(page: Page, text: str, section: str) -> None:
    for line in text.split("\n"):
        pairs = list(_inline_pairs(line, -1, section))
        if len(pairs) > 1:
            page.entries += pairs
        else:
            _add_sentences(page, line, section)


def _add_sentences(page: Page, text: str, section: str) -> None:
    for sentence in sentences_of(text):
        page.sentences.append(Sentence(sentence, section, len(page.sentences)))


def _inline_pairs(line: str, group: int, section: str) -> Iterator[Entry]:
    """Pairs of one line: ``姓名：王某  性别：男  年龄：59岁``."""
    marks = list(_PAIR.finditer(line))
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(line)
        value = line[mark.end() : end].rstrip(" ，,；;。　\t")
        if value and len(value) <= _LONGEST_VALUE and "。" not in value:
            quote = line[mark.start() : mark.end() + len(value)]
            yield Entry(re.sub(r"\s", "", mark["key"]), value, quote, group, section)
