"""From the lines of a PDF to headings, paragraphs, lists and listings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ragassay.corpus.code_text import code_text
from ragassay.corpus.key_values import ProseWriter
from ragassay.corpus.parsed import LINE_BREAK, ParsedText, Piece, TextBuilder, running_text, split_number
from ragassay.corpus.pdf_lines import Line
from ragassay.records import Block, BlockKind

_LARGER = 1.12
"""Type this much larger than the body's is a heading's."""
_LONGEST_HEADING = 150
_WIDER_GAP = 1.35
"""Times the usual distance of lines: a new paragraph."""
_LINES_WITHIN = 0.3
"""Quantile of the distances of lines that is surely one within a paragraph, however short the paragraphs."""
_SHORT_LINE = 0.8
"""Of a full line's length: a line that ends a sentence and is shorter ends its paragraph."""
_BULLET = re.compile(r"\s*[•▪◦‣●■–·*-]\s*(?=\S|$)")
_NUMBERED = re.compile(r"\s*\(?(?:\d{1,2}|[a-z])[.)]\s+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?:。！？：][\"”’)]*\s*\Z")


@dataclass(slots=True)
class _Measures:
    """size: of the body's type. spacing: of its lines. width: characters of a full line. headings: their sizes."""

    size: float
    spacing: float
    width: float
    headings: list[float]


@dataclass(slots=True)
class _Leaf:
    kind: BlockKind
    x: float
    lines: list[Line] = field(default_factory=list)
    level: int = 0


def write_lines(lines: Sequence[Line], title: str, repeated: Sequence[str]) -> ParsedText:
    """The text of all lines, behind them what repeats on the pages and does not stand in them.

    The title is the one given, else the largest heading of the first page.
    """
    if not lines:
        return ParsedText(title=title, text="\n\n".join(repeated))
    measures = _measure(lines)
    writer = _LeafWriter(title)
    for leaf in _leaves(lines, measures):
        writer.add(leaf)
    builder = writer.builder
    if not title:
        at = _largest_heading(builder.blocks)
        if at is not None:
            builder.blocks[at] = replace(builder.blocks[at], kind="title")
            title = builder.text_of(builder.blocks[at])
    said = builder.build(title).text
    for text in repeated:
        line = " ".join(text.split())
        if line not in said and line != title:
            builder.add_text("paragraph", line)
    return builder.build(title)


def _measure(lines: Sequence[Line]) -> _Measures:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    size = sizes.most_common(1)[0][0]
    gaps = sorted(above.y - below.y for above, below in pairwise(lines) if 0 < above.y - below.y < 4 * size)
    body = sorted(len(line.text) for line in lines if line.size == size)
    headings = sorted({line.size for line in lines if line.size >= _LARGER * size}, reverse=True)
    return _Measures(
        size=size,
        spacing=gaps[int(_LINES_WITHIN * len(gaps))] if gaps else 1.2 * size,
        width=body[int(0.9 * (len(body) - 1))] if body else 80,
        headings=headings,
    )


def _leaves(lines: Sequence[Line], measures: _Measures) -> list[_Leaf]:
    leaves: list[_Leaf] = []
    previous: Line | None = None
    for line in lines:
        kind, level = _kind(line, previous, measures)
        last = leaves[-1] if leaves else None
        if last is None or previous is None or not _continues(last, previous, line, kind, level, measures):
            last = _Leaf(kind, line.x, level=level)
            leaves.append(last)
        last.lines.append(line)
        previous = line
    return leaves


def _kind(line: Line, previous: Line | None, measures: _Measures) -> tuple[BlockKind, int]:
    text = line.text.strip()
    if line.is_all("literal"):
        return "code", 0
    if len(text) <= _LONGEST_HEADING and any(sign.isalpha() for sign in text):
        if line.size in measures.headings:
            return "heading", min(1 + measures.headings.index(line.size), 5)
        apart = previous is None or line.starts_page or abs(previous.y - line.y) > _WIDER_GAP * measures.spacing
        if (
            line.is_all("strong")
            and apart
            and not _SENTENCE_END.search(text)
            and len(text) < _SHORT_LINE * measures.width
        ):
            return "heading", min(len(measures.headings) + 1, 6)
    if _BULLET.match(line.text):
        return "item", 0
    return ("step" if _NUMBERED.match(line.text) else "paragraph"), 0


def _continues(leaf: _Leaf, previous: Line, line: Line, kind: BlockKind, level: int, measures: _Measures) -> bool:
    """Whether a line belongs to the leaf that the line before it belongs to."""
    gap = previous.y - line.y
    wide = gap > _WIDER_GAP * measures.spacing
    if kind == "code":
        return leaf.kind == "code" and not line.starts_page and gap < 3 * measures.spacing
    if kind == "heading":
        return leaf.kind == "heading" and leaf.level == level and not line.starts_page and gap < 1.6 * line.size
    if kind in ("item", "step") or leaf.kind in ("code", "heading"):
        return False
    ended = _SENTENCE_END.search(previous.text) is not None
    if line.starts_page or gap < 0:  # a new page or column
        return not ended
    if wide:
        return False
    if leaf.kind in ("item", "step"):
        return line.x >= leaf.x
    indented = line.x > leaf.x + 0.5 * measures.size and previous is not leaf.lines[0]
    short = len(previous.text) < _SHORT_LINE * measures.width
    return not (ended and (short or indented))


class _LeafWriter:
    def __init__(self, title: str) -> None:
        self.builder = TextBuilder()
        self._prose = ProseWriter(self.builder)
        self._title = title
        self._group = -1
        self._row = -1
        self._last: BlockKind | None = None

    def add(self, leaf: _Leaf) -> None:
        """Adds a leaf to the text."""
        if leaf.kind == "code":
            self.builder.add_text("code", code_text("\n".join(_indented(line, leaf) for line in leaf.lines)))
        elif leaf.kind == "heading":
            text, _, _ = running_text(_joined(leaf.lines))
            heading = split_number(text).title
            is_title = heading == self._title and not any(block.kind == "title" for block in self.builder.blocks)
            self.builder.add_text("title" if is_title else "heading", heading, level=leaf.level)
        elif leaf.kind in ("item", "step"):
            self._add_item(leaf)
        else:
            pieces = _joined(leaf.lines)
            self._prose.add("paragraph", _with_line_breaks(leaf.lines) if _are_records(leaf.lines) else pieces)
        self._last = leaf.kind

    def _add_item(self, leaf: _Leaf) -> None:
        if self._last != leaf.kind:
            self._group, self._row = self.builder.new_group(), -1
        pieces = _joined(leaf.lines)
        marker = _BULLET if leaf.kind == "item" else _NUMBERED
        text = "".join(piece.text for piece in pieces)
        match = marker.match(text)
        separator = "\n" if self._row >= 0 else "\n\n"
        self._row += 1
        self._prose.add(
            leaf.kind,
            _without_start(pieces, match.end() if match else 0),
            separator=separator,
            group=self._group,
            row=self._row,
        )


def _indented(line: Line, leaf: _Leaf) -> str:
    left = min(other.x for other in leaf.lines)
    return " " * round((line.x - left) / max(0.6 * line.size, 1)) + line.text


def _joined(lines: Sequence[Line]) -> list[Piece]:
    """The pieces of lines that flow on; a word parted at the end of a line is put together."""
    pieces: list[Piece] = []
    for line in lines:
        if pieces:
            last = pieces[-1]
            if re.search(r"[^\W\d_]-\s*\Z", last.text) and re.match(r"\s*[a-z]", line.text):
                pieces[-1] = last._replace(text=last.text.rstrip()[:-1])
            else:
                pieces.append(Piece("\n"))
        pieces += line.pieces
    return pieces


def _are_records(lines: Sequence[Line]) -> bool:
    return len(lines) > 1 and all(re.match(r"[A-Z][^:]{0,40}:\s+\S", line.text.strip()) for line in lines)


def _with_line_breaks(lines: Sequence[Line]) -> list[Piece]:
    return [piece for line in lines for piece in (*line.pieces, LINE_BREAK)]


def _without_start(pieces: Sequence[Piece], length: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        taken = min(length, len(piece.text))
        length -= taken
        kept.append(piece._replace(text=piece.text[taken:]) if taken else piece)
    return kept


def _largest_heading(blocks: Sequence[Block]) -> int | None:
    """Where among the first blocks the highest heading stands; there is a title already if one is marked so."""
    headings = [at for at, block in enumerate(blocks[:10]) if block.kind in ("title", "heading")]
    return min(headings, key=lambda at: blocks[at].level, default=None)
