"""Lists of a passage with the line that announces them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragassay.models.embedded.prose.markup import without_asides, without_markup
from ragassay.models.embedded.prose.whole_sentences import raw_blocks
from ragassay.tasks.statements import Passage
from ragassay.text import sentence_spans

_MARK = re.compile(r"\s*(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z][)])\s+(?=\S)")
LONGEST_ITEM = 30
"""Words. Of a longer item the first sentence is taken."""


@dataclass(frozen=True, slots=True)
class AnnouncedList:
    """lead: the words before the colon, without markup; empty where only a heading stands above.

    items: each with its span. whole: whether every item is taken in full.
    """

    lead: str
    lead_span: tuple[int, int] | None
    items: tuple[tuple[str, tuple[int, int]], ...]
    heading: tuple[str, ...]
    whole: bool


def lists_of(passage: Passage) -> Iterator[AnnouncedList]:
    """Runs of two to ten items."""
    blocks = passage.blocks or tuple(raw_blocks(passage.text))
    path: list[tuple[int, str]] = [(0, heading) for heading in passage.section]
    lead: tuple[str, tuple[int, int]] | None = None
    run: list[tuple[int, int]] = []
    for block in [*blocks, None]:
        if block is not None and block.kind in ("item", "step"):
            run.append((block.start, block.end))
            continue
        if run:
            made = _list(passage.text, lead, run, tuple(title for _, title in path))
            if made is not None:
                yield made
        run = []
        lead = None
        if block is None:
            return
        text = passage.text[block.start : block.end]
        if block.kind in ("heading", "title"):
            title = without_markup(re.sub(r"^#+\s*|\s*#*$|^=+\s*|\s*=+$", "", text.strip()))
            while path and path[-1][0] >= max(block.level, 1):
                path.pop()
            if not path or path[-1][1] != title:
                path.append((max(block.level, 1), title))
        elif text.rstrip().endswith(":"):
            lead = _last_sentence(passage.text, block.start, block.end)


def _last_sentence(text: str, start: int, end: int) -> tuple[str, tuple[int, int]] | None:
    flat = text[start:end].replace("\n", " ")
    spans = sentence_spans(flat)
    if not spans:
        return None
    first, last = spans[-1]
    words = without_asides(without_markup(flat[first:last]).replace("`", "")).rstrip(": ")
    return (words, (start + first, start + last)) if words else None


def _list(
    text: str, lead: tuple[str, tuple[int, int]] | None, run: list[tuple[int, int]], heading: tuple[str, ...]
) -> AnnouncedList | None:
    if not 2 <= len(run) <= 10:
        return None
    items: list[tuple[str, tuple[int, int]]] = []
    whole = True
    for start, end in run:
        flat = text[start:end].replace("\n", " ")
        mark = _MARK.match(flat)
        shift = mark.end() if mark else 0
        if "\n" in text[start:end] and _MARK.search(text[start + shift : end].partition("\n")[2]):
            return None
        spans = sentence_spans(flat[shift:])
        if not spans:
            return None
        first, last = spans[0][0], spans[-1][1]
        if len(flat[shift:].split()) > LONGEST_ITEM:
            last = spans[0][1]
            whole = False
        words = without_markup(flat[shift + first : shift + last])
        if not words or words.endswith(":") or "http" in words:
            return None
        items.append((words, (start + shift + first, start + shift + last)))
    return AnnouncedList(
        lead[0] if lead else "",
        lead[1] if lead else None,
        tuple(items),
        heading,
        whole,
    )
