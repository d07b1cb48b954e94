"""The structure of a passage as records: keys, terms, tables, lists, and what stands under each heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby, takewhile
from typing import NamedTuple

from ragassay.models.embedded.reading.profiles import Profile, profile_of
from ragassay.models.embedded.reading.themes import is_page_or_name, without_heading
from ragassay.records import Block
from ragassay.tasks.statements import Passage
from ragassay.text import sentence_spans

_DEICTIC = re.compile(
    r"\b(?:it|its|he|she|they|them|him|we|us|our|you|your|i|my|me|this|these|those|here|such|former|latter|"
    r"above|below|following|"
    r"respectively|another|aforementioned|said|their|his|her|hers|theirs|itself|himself|herself|themselves|"
    r"thereby|thus|therefore|however|"
    r"then|now|currently|recently|today|yesterday|tomorrow|ago|later|previously|earlier|subsequently|also|too|"
    r"others?|same|both)\b",
    re.IGNORECASE,
)
_NEEDS_A_NAME = re.compile(
    r"\bthe (?:university|club|team|side|company|school|college|band|group|city|country|court|party|film|book|"
    r"album|show|series|project|programme|"
    r"program|station|church|building|league|firm|town|village|village|island|region|area|site|event|"
    r"tournament|season|competition|squad|army|regiment)\b"
    r"(?! (?:of|for|at|in) (?:the )?[A-Z]| of|['’]s| [A-Z])"
)
"""'the club': some club that was named before, which a reader of the question alone cannot know."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A named piece of structure with its text: a key and its value, a term and its definition.

    quote: name and text together, verbatim.
    """

    name: str
    text: str
    quote: str
    group: int
    section: str


@dataclass(frozen=True, slots=True)
class Table:
    """rows: cells as text. header: names of the columns. quotes: the verbatim line of each row."""

    section: str
    header: tuple[str, ...]
    header_quote: str
    rows: tuple[tuple[str, ...], ...]
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedItems:
    """The items of a list, verbatim, and the heading that it stands below."""

    section: str
    items: tuple[str, ...]


class Analysis:
    """A passage taken apart, each kind of structure when it is first asked for."""

    def __init__(self, passage: Passage, profile: Profile) -> None:
        self.passage = passage
        self.profile = profile

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """The sentences of the running text, verbatim, by the heading above them."""
        passage = self.passage
        found: dict[str, list[str]] = defaultdict(list)
        heading = passage.section[-1] if passage.section else ""
        for block in passage.blocks or (Block(kind="paragraph", start=0, end=len(passage.text)),):
            text = passage.text[block.start : block.end]
            if block.kind == "heading":
                heading = text.strip()
            elif block.kind == "paragraph":
                inside = [(a - block.start, b - block.start) for a, b in passage.literals]
                inside = [(a, b) for a, b in inside if a >= 0 and b <= len(text)]
                found[heading].extend(text[start:end] for start, end in sentence_spans(text, inside))
        return found

    @cached_property
    def keys(self) -> tuple[Entry, ...]:
        """``Key: value`` lines."""
        return tuple(_entries(self.passage, "key", "value"))

    @cached_property
    def terms(self) -> tuple[Entry, ...]:
        """Terms with their definitions."""
        return tuple(_entries(self.passage, "term", "definition"))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Tables with a header row."""
        return tuple(_tables(self.passage))

    @cached_property
    def lists(self) -> tuple[ListedItems, ...]:
        """Lists of the outermost level."""
        return tuple(_lists(self.passage))

    @property
    def theme_is_a_name(self) -> bool:
        """Whether the text itself calls something by the theme, so that 'in <theme>' means a thing and no heading."""
        theme = self.profile.theme
        if theme.startswith(("the ", "“")):
            return theme.startswith("“") or is_page_or_name(theme)
        if not theme or re.search(r"[_\d]|^[a-z]", theme):
            return bool(theme)
        return theme in without_heading(self.passage.text, theme)


@lru_cache(maxsize=256)
def analyse(passage: Passage, theme: str) -> Analysis:
    """Takes a passage apart; remembered, since several tasks ask for the same passage."""
    return Analysis(passage, profile_of(theme, passage.title, passage.opening or passage.text))


def is_self_contained(text: str) -> bool:
    """Whether a stretch of text makes sense alone: nothing in it points to what stands elsewhere."""
    for match in _DEICTIC.finditer(text):
        word = match.group().lower()
        if word in {"other", "others"} and text[max(0, match.start() - 6) : match.start()].lower().endswith("each "):
            continue
        return False
    if _NEEDS_A_NAME.search(text):
        return False
    return balanced(text)


def balanced(text: str) -> bool:
    """Whether brackets and double quotes come in pairs."""
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}", "“”")) and text.count('"') % 2 == 0


def _entries(passage: Passage, name_kind: str, text_kind: str) -> list[Entry]:
    """Keys with their values, or terms with their definitions, by the row of their group."""
    names: dict[tuple[int, int], list[Block]] = defaultdict(list)
    texts: dict[tuple[int, int], list[Block]] = defaultdict(list)
    sections: dict[tuple[int, int], str] = {}
    heading = passage.section[-1] if passage.section else ""
    for block in passage.blocks:
        place = (block.group, block.row)
        if block.kind == "heading":
            heading = passage.text[block.start : block.end].strip()
        elif block.kind == name_kind:
            names[place].append(block)
            sections[place] = heading
        elif block.kind == text_kind:
            texts[place].append(block)
    found = []
    for place, name_blocks in names.items():
        if place not in texts:
            continue
        name = ", ".join(passage.text[block.start : block.end].strip(" :") for block in name_blocks)
        text_start = texts[place][0].start
        text_end = texts[place][-1].end
        found.append(
            Entry(
                name=name,
                text=passage.text[text_start:text_end].strip(),
                quote=passage.text[name_blocks[0].start : text_end].strip(),
                group=place[0],
                section=sections[place],
            )
        )
    return found


def _tables(passage: Passage) -> list[Table]:
    groups: dict[int, list[Block]] = defaultdict(list)
    sections: dict[int, str] = {}
    heading = passage.section[-1] if passage.section else ""
    for block in passage.blocks:
        if block.kind == "heading":
            heading = passage.text[block.start : block.end].strip()
        elif block.kind in {"cell", "header_cell"}:
            groups[block.group].append(block)
            sections.setdefault(block.group, heading)
    found = []
    for group, blocks in groups.items():
        header, header_quote, whole = head_and_rows(passage.text, blocks)
        if len(header) >= 2 and len(whole) >= 2:
            found.append(
                Table(
                    section=sections[group],
                    header=header,
                    header_quote=header_quote,
                    rows=tuple(tuple(passage.text[b.start : b.end].strip() for b in row) for row in whole),
                    quotes=tuple(passage.text[row[0].start : row[-1].end] for row in whole),
                )
            )
    return found


class HeadAndRows(NamedTuple):
    """names: of the columns. quote: all rows of heads, verbatim. rows: those that have a cell in each named column."""

    names: tuple[str, ...]
    quote: str
    rows: list[list[Block]]


def head_and_rows(text: str, cells: Sequence[Block]) -> HeadAndRows:
    """Parts the cells of a table, in order. A column below several heads, "Captain" and "Name", is "Captain, Name"."""
    rows = [list(row) for _, row in groupby(cells, key=lambda cell: cell.row)]
    heads = list(takewhile(lambda row: all(cell.kind == "header_cell" for cell in row), rows))
    if not heads or heads[0][0].row > 0:
        return HeadAndRows((), "", [])
    names: dict[int, list[str]] = {}
    for cell in sorted(chain.from_iterable(heads), key=lambda cell: (cell.column, cell.row)):
        name = text[cell.start : cell.end].strip()
        if name not in names.setdefault(cell.column, []):
            names[cell.column].append(name)
    whole = [row for row in rows[len(heads) :] if [cell.column for cell in row] == list(names)]
    return HeadAndRows(tuple(map(", ".join, names.values())), text[heads[0][0].start : heads[-1][-1].end], whole)


def _lists(passage: Passage) -> list[ListedItems]:
    """Lists of the outermost level."""
    found: list[ListedItems] = []
    heading = passage.section[-1] if passage.section else ""
    for is_list, run in groupby(passage.blocks, key=lambda block: block.kind in _LISTED):
        blocks = list(run)
        if is_list:
            outermost = [block for block in blocks if block.level == blocks[0].level]
            items = tuple(passage.text[block.start : block.end].strip() for block in outermost)
            found.append(ListedItems(heading, items))
        for block in blocks:
            if block.kind == "heading":
                heading = passage.text[block.start : block.end].strip()
    return found


_LISTED = frozenset({"item", "step"})
