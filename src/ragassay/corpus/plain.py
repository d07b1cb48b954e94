"""Plain text to text and blocks: the structure that people type without a markup language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragassay.corpus.key_values import PSEUDO_HEADING_LEVEL, ProseWriter, find_pair
from ragassay.corpus.parsed import ParsedText, RunningText, TextBuilder, split_number
from ragassay.text import CJK

_WIKI_HEADING = re.compile(r"\s*(={1,6})\s*([^=\s](?:.*?[^=\s])?)\s*\1\s*")
_UNDERLINE = re.compile(r"\s*(={3,}|-{3,}|~{3,}|\^{3,}|#{3,})\s*")
_RULE = re.compile(r"\s*(?:[-=*_~#+.]\s?){3,}\s*")
_BULLET = re.compile(r"(\s*)(?:[-*•‣▪◦–]|o(?=\s\s))\s+(?=\S)")
_NUMBERED = re.compile(r"(\s*)(?:\(?\d{1,3}[.)]|\(?[a-z][)]|[a-z]\.)\s+(?=\S)")
_CJK_NUMBERED = re.compile(r"(\s*)(?:\d{1,3}、|（\d{1,3}）|[（(][一二三四五六七八九十]+[)）])\s*(?=\S)")
_LABEL = re.compile(
    r"(?:[A-Z][\w'’&/-]*(?: (?:[A-Z(][\w'’&/)-]*|and|or|of|the|for|in|to|on|a|an|with|at|by)){0,6}"
    rf"|[{CJK}（）、]{{2,12}})[:：]"
)
"""A few words in title case, or a few Han characters, and a colon."""
_STARTS_IN_CJK, _ENDS_IN_CJK = re.compile(rf"[{CJK}]"), re.compile(rf"[{CJK}，。、；]")
_SENTENCE_END = re.compile(r"[.!?。！？:：;,]\s*\Z")
_LONGEST_HEADING = 80
_WIDEST_LINE = 130
"""Characters: hard-wrapped text seldom has wider lines; longer lines are paragraphs."""
_NARROWEST_WRAP = 40
_TAB = 4


def read_plain(source: str) -> ParsedText:
    """Text and structure of a plain text. The title is the heading or the short line by itself that it starts with."""
    reader = _PlainReader()
    stanzas = _stanzas(source)
    title = _lone_title(stanzas)
    if title:
        reader.builder.add_text("title", title, level=1)
        stanzas[0].pop(0)
    for lines in stanzas:
        if lines:
            reader.add(lines)
    blocks = reader.builder.blocks
    if not title and blocks and blocks[0].kind == "heading" and not _WIKI_HEADING.fullmatch(stanzas[0][0]):
        blocks[0] = replace(blocks[0], kind="title")
        title = reader.builder.first_heading()
    return reader.builder.build(title)


def _lone_title(stanzas: Sequence[Sequence[str]]) -> str:
    """The first line, if it is short, no sentence, and stands apart from what follows."""
    if not stanzas or (len(stanzas) == 1 and len(stanzas[0]) == 1):
        return ""
    line = " ".join(stanzas[0][0].split())
    apart = len(stanzas[0]) == 1 or _LABEL.fullmatch(stanzas[0][1].strip())
    is_plain_line = find_pair(_running(line)) is None and not _BULLET.match(stanzas[0][0])
    if not apart or len(line) > _LONGEST_HEADING or _SENTENCE_END.search(line) or not is_plain_line:
        return ""
    return "" if _WIKI_HEADING.fullmatch(line) or _RULE.fullmatch(line) or _NUMBERED.match(line) else line


def _stanzas(source: str) -> list[list[str]]:
    """Lines between blank lines."""
    stanzas: list[list[str]] = [[]]
    for line in source.split("\n"):
        if line.strip():
            stanzas[-1].append(line.expandtabs(_TAB).rstrip())
        elif stanzas[-1]:
            stanzas.append([])
    return [lines for lines in stanzas if lines]


@dataclass(slots=True)
class _OpenList:
    """A list that the next item may continue. rows: next row by nesting level; indents: by nesting level."""

    group: int
    indents: list[int]
    row: int = -1


class _PlainReader:
    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._prose = ProseWriter(self.builder)
        self._list: _OpenList | None = None
        self._last_numbered = -1

    def add(self, lines: Sequence[str]) -> None:
        """Adds the lines of one stanza."""
        numbered = (at for at in reversed(range(len(lines))) if _is_numbered(lines[at]))
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
        """Adds the heading that the lines start with; how many lines it took. lines: three are enough to tell."""
        line = lines[0]
        wiki = _WIKI_HEADING.fullmatch(line)
        if wiki:
            return self._add_heading(wiki.group(2), len(wiki.group(1)), 1)
        if _RULE.fullmatch(line):
            return 1
        if len(line) <= _LONGEST_HEADING:
            underline = _UNDERLINE.fullmatch(lines[1]) if len(lines) > 1 else None
            if underline and len(underline.group(1)) >= len(line.strip()) * 0.7:
                return self._add_heading(line.strip(), 1 if underline.group(1)[0] in "=#" else 2, 2)
            if _is_capitals_heading(line) and len(lines) <= 2:
                return self._add_heading(line.strip(), 2, 1)
            if len(lines) > 1 and _LABEL.fullmatch(line.strip()) and not _is_item(lines[1]):
                return self._add_label(line.strip())
        return 0

    def _add_heading(self, text: str, level: int, taken: int) -> int:
        self._list = None
        self.builder.add_text("heading", " ".join(split_number(text).title.split()), level=level)
        return taken

    def _add_label(self, line: str) -> int:
        """A line such as "Past history:" above what it names."""
        self._add_heading(line.rstrip(":： "), PSEUDO_HEADING_LEVEL, 1)
        self.builder.unmarked(line[-1])
        return 1

    def _items(self, lines: Sequence[str], at: int, separator: str) -> int:
        """Adds the item that a line starts, with its continuation lines. Returns how many lines it took."""
        match = _BULLET.match(lines[at])
        ordered = match is None
        match = match or _NUMBERED.match(lines[at]) or _CJK_NUMBERED.match(lines[at])
        if match is None or (ordered and not self._may_be_step(at)):
            return 0
        indent = len(match.group(1))
        end = at + 1
        while end < len(lines) and _continues_item(lines[end], indent):
            end += 1
        text = " ".join([lines[at][match.end() :], *(line.strip() for line in lines[at + 1 : end])])
        group, row, level, first = self._place(indent)
        self._prose.add_lines(
            "step" if ordered else "item",
            [_running(text)],
            separator=separator if first else "\n",
            level=level,
            group=group,
            row=row,
        )
        self._list_end = len(self.builder)
        return end - at

    def _may_be_step(self, at: int) -> bool:
        """A numbered line by itself may be a heading or a date: a list has a second one, or is open already."""
        if self._list is not None and self._list_end == len(self.builder):
            return True
        return self._last_numbered > at

    def _place(self, indent: int) -> tuple[int, int, int, bool]:
        open_list = self._list
        first = open_list is None or self._list_end != len(self.builder)
        if open_list is None or first:
            open_list = self._list = _OpenList(self.builder.new_group(), [indent])
        while len(open_list.indents) > 1 and indent < open_list.indents[-1]:
            open_list.indents.pop()
        if indent > open_list.indents[-1] + 1:
            open_list.indents.append(indent)
        open_list.row += 1
        return open_list.group, open_list.row, len(open_list.indents) - 1, first

    def _paragraph(self, lines: Sequence[str], at: int, separator: str) -> int:
        end = at + 1
        while end < len(lines) and not _starts_something(lines[end : end + 2]):
            end += 1
        texts = _unwrap(lines[at:end])
        for running in _runs(texts):
            self._prose.add_lines("paragraph", running, separator=separator)
            separator = "\n"
        return end - at


def _starts_something(lines: Sequence[str]) -> bool:
    line = lines[0]
    if _WIKI_HEADING.fullmatch(line) or _BULLET.match(line) or _RULE.fullmatch(line):
        return True
    underline = _UNDERLINE.fullmatch(lines[1]) if len(lines) > 1 else None
    if underline and len(line) <= _LONGEST_HEADING:
        return True
    return len(lines) > 1 and all(_is_item(line) for line in lines)


def _continues_item(line: str, indent: int) -> bool:
    return len(line) - len(line.lstrip()) > indent and not (_BULLET.match(line) or _NUMBERED.match(line))


def _is_item(line: str) -> bool:
    return bool(_BULLET.match(line)) or _is_numbered(line)


def _is_numbered(line: str) -> bool:
    return bool(_NUMBERED.match(line) or _CJK_NUMBERED.match(line))


def _is_capitals_heading(line: str) -> bool:
    text = line.strip()
    letters = [sign for sign in text if sign.isalpha()]
    return (
        len(letters) >= 4
        and len(text.split()) <= 10
        and all(sign.isupper() for sign in letters)
        and not _SENTENCE_END.search(text)
    )


def _running(text: str) -> RunningText:
    return RunningText(" ".join(text.split()), [], 0)


def _runs(texts: Sequence[str]) -> list[list[RunningText]]:
    """Lines by themselves, but neighbouring "Key: value" lines together, so that they are seen as a record."""
    runs: list[list[RunningText]] = []
    in_pairs = False
    for text in texts:
        line = _running(text)
        is_pair = find_pair(line) is not None
        if runs and is_pair and in_pairs:
            runs[-1].append(line)
        else:
            runs.append([line])
        in_pairs = is_pair
    return runs


def _unwrap(lines: Sequence[str]) -> list[str]:
    """Joins the lines of hard-wrapped paragraphs; leaves lines that were meant as lines."""
    if len(lines) < 2:
        return list(lines)
    width = max(map(len, lines))
    if not _NARROWEST_WRAP <= width <= _WIDEST_LINE:
        return list(lines)
    breaks = range(len(lines) - 1)
    full = sum(len(lines[at]) + 1 + len(_first_word(lines[at + 1])) > width for at in breaks)
    if full < 0.8 * len(breaks):
        return list(lines)
    joined = [lines[0]]
    for line in lines[1:]:
        if not (_STARTS_IN_CJK.match(line.lstrip()) and _ENDS_IN_CJK.match(joined[-1][-1:])):
            joined.append(" ")
        joined.append(line.strip())
    return ["".join(joined)]


def _first_word(line: str) -> str:
    words = line.split(maxsplit=1)
    return words[0] if words else ""
