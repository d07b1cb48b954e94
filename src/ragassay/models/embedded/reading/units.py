"""A text as the rules read it: sentences, list items, table rows, key-value lines and headings, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from ragassay.text import CJK, count_words, sentence_spans

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
_STOP = re.compile(r"[.!?…。！？；]")
_RULE = re.compile(r"\s*\|?[\s:|=+-]+\|?\s*$")
_RULING = frozenset(":|=+-")  # looked at first: most lines begin with something else, and a pattern costs more
_HEADING = re.compile(r"\s*(?:#{1,6}\s|={2,}.*={2,}\s*$)")
_MOST_PAIR_WORDS = 40
# A line that stands alone and has no full stop is a heading if it is short; lines that stand together are items.
_MOST_HEADING_WORDS = 12
_MOST_ITEM_WORDS = 30


def units(text: str) -> list[Unit]:
    """The units of a text in their order; together they hold every character that is not space or ruling."""
    return list(_units(text))


def _units(text: str) -> Iterator[Unit]:
    lines = [(line.start(), line.end(), line.group()) for line in _LINE.finditer(text) if not line.group().isspace()]
    for number, (start, end, raw) in enumerate(lines):
        if raw.lstrip()[0] in _RULING and _RULE.match(raw):
            continue
        before = number > 0 and lines[number - 1][1] + 1 == start
        after = number + 1 < len(lines) and end + 1 == lines[number + 1][0]
        yield from _line_units(text, start, end, _line_kind(raw, before or after, number + 1 == len(lines)))


def _line_units(text: str, start: int, end: int, kind: UnitKind) -> Iterator[Unit]:
    item = _ITEM.match(text, start, end)
    left = text[(item.end() if item else start) : end].lstrip()
    first, last = end - len(left), end - len(left) + len(left.rstrip())
    if kind != "sentence" and item is None:
        yield Unit(kind, text[first:last], first, last)
        return
    kind = "item" if item else kind
    line = text[first:last]
    if kind == "heading" or _STOP.search(line, 0, len(line) - 1) is None:
        yield Unit(kind, line, first, last)
        return
    for begin, stop in sentence_spans(line):
        yield Unit(kind, line[begin:stop], first + begin, first + stop)
        kind = "sentence"


def _line_kind(line: str, has_neighbour: bool, is_last: bool) -> UnitKind:
    words = len(line.split())
    if ("|" in line and (" | " in line or line.count("|") >= 2)) or line.count("\t") >= 2:
        return "row"
    plain = line.strip()
    if plain[0] in "#=" and _HEADING.match(line):
        return "heading"
    if words <= _MOST_PAIR_WORDS and ((":" in line and _PAIR.match(line)) or ("：" in line and _PAIR_CJK.match(line))):
        return "pair"
    whole = plain.endswith(_STOPS)
    if (
        not has_neighbour
        and not is_last
        and words <= _MOST_HEADING_WORDS
        and (not whole or plain.endswith(("?", "？")))
    ):
        return "heading"
    if has_neighbour and words <= _MOST_ITEM_WORDS and not whole:
        return "item"
    return "sentence"


_STOPS = (".", "!", "?", "。", "！", "？", "…", ":", "：", ";", ",")


def sentences(text: str) -> list[str]:
    """The sentences of a text; list items and lines count as sentences too."""
    return [unit.text for unit in _units(text)]


def list_around(found: Sequence[Unit], place: int) -> list[int]:
    """The places of the list that a unit belongs to or leads into; empty where there is none."""
    start = place if found[place].kind == "item" else place + 1
    while found[place].kind == "item" and start > 0 and found[start - 1].kind == "item":
        start -= 1
    end = start
    while end < len(found) and found[end].kind == "item":
        end += 1
    return list(range(start, end))


def section_under(found: Sequence[Unit], heading: int) -> list[Unit]:
    """The units between a heading and the next one."""
    return list(takewhile(lambda unit: unit.kind != "heading", found[heading + 1 :]))


FEWEST_COPIED = 4
"""Words of a sentence from which on it is no chance that a text has them in this order."""
_CJK_SIGN = re.compile(f"[{CJK}]")


def stands_in(answer: str, context: str) -> bool:
    """Whether each sentence of an answer is a stretch of the context, of several words: nothing is left to judge."""
    told = [" ".join(each.lower().split()).rstrip(".;。；") for each in sentences(answer)]
    text = " ".join(context.lower().split())
    return bool(told) and all(_length(each) >= FEWEST_COPIED and each in text for each in told)


def _length(sentence: str) -> int:
    """Words; in Chinese, which has no spaces between them, signs."""
    return count_words(sentence) if _CJK_SIGN.search(sentence) else len(sentence.split())
