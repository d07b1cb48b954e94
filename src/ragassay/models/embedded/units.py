"""A text as the rules read it: sentences, list items, table rows, key-value lines and headings, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ragassay.text import sentence_spans

UnitKind = Literal["sentence", "item", "row", "pair", "heading"]


class Unit(NamedTuple):
    """A verbatim stretch of a text that says one thing; start and end are offsets."""

    kind: UnitKind
    text: str
    start: int
    end: int


_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(r"\s*(?:[-*•‣–▪]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+")
_PAIR = re.compile(r"\s*[*_]{0,2}[^\W\d][^:\n.!?|]{0,48}?[*_]{0,2}:\s+\S")
_PAIR_CJK = re.compile(r"\s*[^：\n。|]{1,16}：\S")
_RULE = re.compile(r"\s*\|?[\s:|=+-]+\|?\s*$")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|={2,}.*={2,}\s*$)")
_MOST_PAIR_WORDS = 40


def units(text: str) -> list[Unit]:
    """The units of a text in their order; together they hold every character that is not space or ruling."""
    return list(_units(text))


def _units(text: str) -> Iterator[Unit]:
    for line in _LINE.finditer(text):
        raw = line.group()
        if not raw.strip() or _RULE.match(raw):
            continue
        kind = _line_kind(raw)
        start, end = _trim(text, line.start(), line.end())
        if kind in ("row", "heading", "pair"):
            yield Unit(kind, text[start:end], start, end)
            continue
        item = _ITEM.match(raw)
        start = line.start() + item.end() if item else start
        first = True
        for begin, stop in sentence_spans(text[start:end]):
            begin, stop = begin + start, stop + start
            yield Unit("item" if item and first else "sentence", text[begin:stop], begin, stop)
            first = False


def _line_kind(line: str) -> UnitKind:
    if line.count("|") >= 2 or line.count("\t") >= 2:
        return "row"
    if _HEADING.match(line):
        return "heading"
    if (_PAIR.match(line) or _PAIR_CJK.match(line)) and len(line.split()) <= _MOST_PAIR_WORDS:
        return "pair"
    return "sentence"


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def sentences(text: str) -> list[str]:
    """The sentences of a text; list items and lines count as sentences too."""
    return [unit.text for unit in _units(text)]
