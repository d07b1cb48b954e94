"""Contexts that nobody asks questions about: navigation, lists of links, legal notices, indexes."""

from __future__ import annotations

import re
from bisect import bisect_left

from ragassay.records import Document

FEWEST_CHARS = 150
"""Of prose, definitions, cells and values, code left out."""
_HEADINGS = re.compile(
    r"references|external links?|see also|further reading|bibliography|notes and references|footnotes|citations"
    r"|works cited|(?:table of )?contents|index|general index|site ?map|related (?:articles|pages|links|topics)"
    r"|navigation|(?:in|on) this (?:article|page|section)|licen[cs]e|licensing|legal notices?|copyright(?: notice)?"
    r"|disclaimer|trademarks?|imprint|impressum|contributors|list of (?:figures|tables|examples)"
    r"|参考文献|参考资料|外部链接|参见|目录|版权声明",
    re.IGNORECASE,
)
_LEGAL = (
    "permission is hereby granted",
    'provided "as is"',
    "provided “as is”",
    "without warranty of any kind",
    "all rights reserved.",
    "licensed under the",
    "redistribution and use in source",
    "hereby grant you",
    "hereby grants you",
    "terms and conditions for use",
    "terms and conditions for copying",
    "in no event shall",
)
"""Turns of phrase of licences, in lower case; a text with two of them is one."""
_STRUCTURED = frozenset(("definition", "cell", "value", "step", "quote"))
MOST_LINKS = 0.6
"""Share of a page's characters inside links above which it is an index or a table of contents."""


def is_trivial_heading(heading: str) -> bool:
    """Whether a section is called something like "References" or "Contents"."""
    return _HEADINGS.fullmatch(heading.strip(" :.")) is not None


def is_trivial(document: Document, start: int, end: int) -> bool:
    """Whether a stretch gives nothing to ask about: too short, mostly links, a list of mere names, a legal notice."""
    if end - start < FEWEST_CHARS or float(document.metadata.get("link_share", "0")) > MOST_LINKS:
        return True
    text = document.text[start:end].lower()
    if sum(text.count(phrase) for phrase in _LEGAL) >= 2:
        return True
    return _chars_with_content(document, start, end) < FEWEST_CHARS


def _chars_with_content(document: Document, start: int, end: int) -> int:
    """Characters that say something: sentences, and the cells, values and definitions that a question may ask for."""
    if not document.blocks:
        return end - start
    total = 0
    blocks = document.blocks
    for index in range(bisect_left(blocks, start + 1, key=lambda block: block.end), len(blocks)):
        block = blocks[index]
        if block.start >= end:
            break
        length = min(block.end, end) - max(block.start, start)
        if block.kind in _STRUCTURED or (block.kind in ("paragraph", "item") and length >= 40):
            total += length
    return total
