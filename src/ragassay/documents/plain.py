"""Plain text to text and blocks: the structure that people type without a markup language; and tables of CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO

from ragassay.documents.key_values import ProseWriter, find_pair
from ragassay.documents.parsed import ParsedText, RunningText, TextBuilder, UnreadableError, split_number
from ragassay.documents.rows import add_rows
from ragassay.text import CJK

_WIKI_HEADING = re.compile(r"\s*(={1,6})\s*([^=\s](?:.*?[^=\s])?)\s*\1\s*")
_UNDERLINE = re.compile(r"\s*(={3,}|-{3,}|~{3,}|\^{3,}|#{3,})\s*")
_RULE = re.compile(r"\s*(?:[-=*_~#+.]\s?){3,}\s*")
_BULLET = re.compile(r"(\s*)(?:[-*•‣▪◦–]|o(?=\s\s))\s+(?=\S)")
_NUMBERED = re.compile(
    r"(\s*)(?:(?:\(?\d{1,3}[.)]|\(?[a-z][)]|[a-z]\.)\s+"
    r"|(?:\d{1,3}、|（\d{1,3}）|[（(][一二三四五六七八九十]+[)）])\s*)(?=\S)"
)
_STARTS_IN_CJK, _ENDS_IN_CJK = re.compile(rf"[{CJK}]"), re.compile(rf"[{CJK}，。、；]")
_SENTENCE_END = re.compile(r"[.!?。！？:：;,]\s*\Z")
_LONGEST_HEADING = 80
_NARROWEST_WRAP, _WIDEST_LINE = 40, 130
"""Characters: hard-wrapped text seldom has wider lines; longer lines are paragraphs."""
_TAB = 4


def read_plain(source: str) -> ParsedText:
    """Read a plain text. The title is the heading or the short line by itself that it starts with."""
    reader = _PlainReader()
    stanzas: list[list[str]] = [[]]
    for line in source.split("\n"):
        if line.strip():
            stanzas[-1].append(line.expandtabs(_TAB).rstrip())
        elif stanzas[-1]:
            stanzas.append([])
    stanzas = [lines for lines in stanzas if lines]
    title = _lone_title(stanzas)
    if title:
        reader.builder.add_text("title", title, level=1)
        stanzas[0].pop(0)
    for lines in stanzas:
        reader.add(lines)
    blocks = reader.builder.blocks
    if not title and blocks and blocks[0].kind == "heading" and not _WIKI_HEADING.fullmatch(stanzas[0][0]):
        blocks[0] = replace(blocks[0], kind="title")
        title = reader.builder.first_heading()
    return reader.builder.build(title)


def _lone_title(stanzas: Sequence[Sequence[str]]) -> str:
    """Return the first line, if it is short, no sentence, and stands apart from what follows."""
    if not stanzas or (len(stanzas) == 1 and len(stanzas[0]) == 1):
        return ""
    line = " ".join(stanzas[0][0].split())
    is_plain_line = find_pair(_running(line)) is None and not _BULLET.match(stanzas[0][0])
    if len(stanzas[0]) > 1 or len(line) > _LONGEST_HEADING or _SENTENCE_END.search(line) or not is_plain_line:
        return ""
    return "" if _WIKI_HEADING.fullmatch(line) or _RULE.fullmatch(line) or _NUMBERED.match(line) else line


@dataclass(slots=True)
class _OpenList:
    """A list that the next item may continue. indents: by nesting level. end: of the text when it got its last item."""

    group: int
    indents: list[int]
    row: int = -1
    end: int = -1


class _PlainReader:
    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._prose = ProseWriter(self.builder)
        self._list: _OpenList | None = None
        self._last_numbered = -1

    def add(self, lines: Sequence[str]) -> None:
        """Add the lines of one stanza."""
        numbered = (at for at in reversed(range(len(lines))) if _NUMBERED.match(lines[at]))
        self._last_numbered = next(numbered, -1)
        separator = "\n\n"
        at = 0
        while at < len(lines):
            at += (
                self._heading(lines[at : at + 3])
                or self._items(lines, at, separator)
                or self._paragraph(lines, at, separator)
            )
            separator = "\n"

    def _heading(self, lines: Sequence[str]) -> int:
        """Add the heading that the lines start with; how many lines it took. lines: three are enough to tell."""
        line = lines[0]
        wiki = _WIKI_HEADING.fullmatch(line)
        if wiki:
            return self._add_heading(wiki.group(2), len(wiki.group(1)), 1)
        if _RULE.fullmatch(line):
            return 1
        if len(line) > _LONGEST_HEADING:
            return 0
        text = line.strip()
        underline = _UNDERLINE.fullmatch(lines[1]) if len(lines) > 1 else None
        if underline and len(underline.group(1)) >= len(text) * 0.7:
            return self._add_heading(text, 1 if underline.group(1)[0] in "=#" else 2, 2)
        if _is_capitals_heading(text) and len(lines) <= 2:
            return self._add_heading(text, 2, 1)
        return 0

    def _add_heading(self, text: str, level: int, taken: int) -> int:
        self._list = None
        number = split_number(text)
        self.builder.lead.append(text[: number.length])
        self.builder.add_text("heading", " ".join(number.title.split()), level=level)
        return taken

    def _items(self, lines: Sequence[str], at: int, separator: str) -> int:
        """Add the item that a line starts, with its continuation lines. Returns how many lines it took."""
        match = _BULLET.match(lines[at])
        ordered = match is None
        match = match or _NUMBERED.match(lines[at])
        open_list = self._list if self._list is not None and self._list.end == len(self.builder) else None
        # A numbered line by itself may be a heading or a date: a list has a second one, or is open already.
        if match is None or (ordered and open_list is None and self._last_numbered <= at):
            return 0
        indent = len(match.group(1))
        end = at + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indent and not _is_item(lines[end]):
            end += 1
        text = " ".join([lines[at][match.end() :], *(line.strip() for line in lines[at + 1 : end])])
        self._list = place = open_list or _OpenList(self.builder.new_group(), [indent])
        while len(place.indents) > 1 and indent < place.indents[-1]:
            place.indents.pop()
        if indent > place.indents[-1] + 1:
            place.indents.append(indent)
        place.row += 1
        if ordered and text:
            self.builder.lead.append(f"{match.group().strip()} ")
        self._prose.add_lines(
            "step" if ordered else "item",
            [_running(text)],
            separator="\n" if open_list else separator,
            level=len(place.indents) - 1,
            group=place.group,
            row=place.row,
        )
        place.end = len(self.builder)
        return end - at

    def _paragraph(self, lines: Sequence[str], at: int, separator: str) -> int:
        end = at + 1
        while end < len(lines) and not _starts_something(lines[end : end + 2]):
            end += 1
        runs: list[list[RunningText]] = []  # lines by themselves, but neighbouring pairs together, as a record
        in_pairs = False
        for text in _unwrap(lines[at:end]):
            line = _running(text)
            is_pair = find_pair(line) is not None
            if is_pair and in_pairs:
                runs[-1].append(line)
            else:
                runs.append([line])
            in_pairs = is_pair
        for running in runs:
            self._prose.add_lines("paragraph", running, separator=separator)
            separator = "\n"
        return end - at


def _starts_something(lines: Sequence[str]) -> bool:
    line = lines[0]
    if _WIKI_HEADING.fullmatch(line) or _BULLET.match(line) or _RULE.fullmatch(line):
        return True
    if len(lines) > 1 and len(line) <= _LONGEST_HEADING and _UNDERLINE.fullmatch(lines[1]):
        return True
    return len(lines) > 1 and all(map(_is_item, lines))


def _is_item(line: str) -> bool:
    return bool(_BULLET.match(line) or _NUMBERED.match(line))


def _is_capitals_heading(text: str) -> bool:
    letters = [sign for sign in text if sign.isalpha()]
    is_short = len(letters) >= 4 and len(text.split()) <= 10
    return is_short and all(sign.isupper() for sign in letters) and not _SENTENCE_END.search(text)


def _running(text: str) -> RunningText:
    return RunningText(" ".join(text.split()), [], 0)


def _unwrap(lines: Sequence[str]) -> list[str]:
    """Join the lines of hard-wrapped paragraphs; leave lines that were meant as lines."""
    width = max(map(len, lines))
    if len(lines) < 2 or not _NARROWEST_WRAP <= width <= _WIDEST_LINE:
        return list(lines)
    breaks = range(len(lines) - 1)
    first_words = [next(iter(line.split(maxsplit=1)), "") for line in lines]
    full = sum(len(lines[at]) + 1 + len(first_words[at + 1]) > width for at in breaks)
    if full < 0.8 * len(breaks):
        return list(lines)
    joined = [lines[0]]
    for line in lines[1:]:
        if not (_STARTS_IN_CJK.match(line.lstrip()) and _ENDS_IN_CJK.match(joined[-1][-1:])):
            joined.append(" ")
        joined.append(line.strip())
    return ["".join(joined)]


_DELIMITERS = ",;\t"
_SEEN_ROWS = 100
"""From which the delimiter is told."""


def read_delimited(source: str, name: str) -> ParsedText:
    """Read rows as a table or as records (``rows.py``). name: of the file."""
    builder = TextBuilder()
    add_rows(builder, _rows(source, max(_DELIMITERS, key=lambda each: _fit(source, each))))
    title = re.sub(r"[_\W]+", " ", name).strip()
    return builder.build(title)


def _rows(source: str, delimiter: str) -> list[list[str]]:
    """The rows that hold something, cells on one line each. Raises UnreadableError for a quotation that never ends."""
    try:
        read = csv.reader(StringIO(source, newline=""), delimiter=delimiter, strict=True)
        rows = [[" ".join(cell.split()) for cell in row] for row in read]
    except csv.Error as error:
        raise UnreadableError(f"its rows cannot be told apart: {error}") from None
    return [row for row in rows if any(row)]


def _fit(source: str, delimiter: str) -> tuple[int, int]:
    """(rows with as many cells as the first, cells of the first), which the right delimiter has most of."""
    try:
        sample = "\n".join(source.splitlines()[:_SEEN_ROWS])
        widths = [len(row) for row in csv.reader(StringIO(sample, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        return 0, 0
    return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)
