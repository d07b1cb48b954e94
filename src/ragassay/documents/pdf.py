"""PDF to text and blocks. A PDF knows places and sizes, no structure: headings, paragraphs and lists are inferred.

Tables are read where rules part their cells; the cells of others become lines of text.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ragassay.documents import ocr
from ragassay.documents.key_values import ProseWriter
from ragassay.documents.parsed import (
    LINE_BREAK,
    ParsedText,
    Piece,
    TextBuilder,
    UnreadableError,
    clean_characters,
    code_text,
    running_text,
    split_number,
)
from ragassay.documents.pdf_layout import Box, Chunk, Rows, Rules, add_space, in_reading_order, tables
from ragassay.documents.rows import add_rows
from ragassay.records import BlockKind

if TYPE_CHECKING:
    from pypdf import PageObject

_EDGE_LINES = 2
"""Lines at the top and at the bottom of a page among which running heads are sought."""
_RUNNING_SHARE, _FEWEST_RUNNING = 0.3, 3
_SAME_PLACE = 6.0
"""Points: a running head stands at the same height on each page."""
_PAGE_NUMBER = re.compile(
    r"(?:page|seite)?\s*[-–]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–]?(?:\s*(?:/|of|von)\s*\d{1,4})?", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\. ?){5,}\s*(?:\d+|[ivxlc]+)\s*$")
"""The dots between an entry of a table of contents and its page."""
_LEFTOVER = re.compile(r"\.(?:docx?|tex|indd|pdf|pptx?|rtf|odt|dvi|qxd)\b|^untitled|^microsoft", re.IGNORECASE)
_MONOSPACED = re.compile(r"courier|consol|mono|menlo|cmtt|typewriter|nimbusmon|inconsolata", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|cmbx|demi|[-+]?medi\b", re.IGNORECASE)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_SAME_HEIGHT = 0.35
"""Of the type's size: sub- and superscripts are raised by less than a line."""
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
class _Line:
    """What stands at one height of a page. x, y: where it starts, in points from the lower left corner.

    size: of most of its type. rows: of the table that stands there instead.
    """

    x: float
    y: float
    size: float
    starts_page: bool = False
    pieces: list[Piece] = field(default_factory=list)
    rows: Rows | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def is_all(self, kind: str) -> bool:
        """Return whether everything in it is "literal" or "strong" type."""
        marked = [getattr(piece, kind) for piece in self.pieces if piece.text.strip()]
        return bool(marked) and all(marked)


def read_pdf(data: bytes) -> ParsedText:
    """Read the text of a PDF, and as much structure as its layout shows.

    Raises UnreadableError where it is protected by a password or has no text.
    """
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every flaw that it mends
    if b"%PDF-" not in data[:1024]:
        raise UnreadableError("it is not a PDF file, despite its name")
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("it is protected by a password")
        pages = [_lines_of_page(page) for page in reader.pages]
        chars = [sum(len(line.text) if not line.rows else _STAMPED for line in lines) for lines in pages]
        scans = [number for number, page in enumerate(reader.pages) if chars[number] < _STAMPED and len(page.images)]
        title = " ".join(((reader.metadata.title if reader.metadata else None) or "").split())
    except (FileNotDecryptedError, DependencyError):
        raise UnreadableError("it is encrypted") from None
    notes = _recognise(data, pages, scans) if scans else []
    lines, repeated = _without_running_heads(pages)
    if not any(line.rows or line.text.strip() for line in lines) and not repeated:
        raise UnreadableError(" ".join(["it has no text.", *notes]).removesuffix("."))
    parsed = _write(lines, "" if _LEFTOVER.search(title) else title, repeated)
    has_contents = any(_LEADERS.search(line.text) for page in pages for line in page)
    if has_contents:
        notes.append("Left out: lines of its table of contents.")
    if repeated:
        notes.append("Lines repeated at the top or bottom of pages are kept once, at the end.")
    return replace(parsed, notes=tuple(notes))


_STAMPED = 40
"""Characters below which the text of a page with a picture is a stamp or a number on a scan."""


def _recognise(data: bytes, pages: list[list[_Line]], scans: Sequence[int]) -> list[str]:
    """Put the lines of scanned pages in their places; return what is to be said of them."""
    try:
        found = {number: _lines(ocr.recognise(data, number), []) for number in scans}
    except ModuleNotFoundError:
        way = "install 'ragassay[ocr]' with pip, or convert the file with ocrmypdf"
        return [f"Left out: pages that are scans or pictures ({len(scans):,}); to read their text, {way}."]
    for number, lines in found.items():
        pages[number] = lines or pages[number]
    count = sum(map(bool, found.values()))
    return [f"Recognised: the text of pages that are scans or pictures ({count:,} of {len(scans):,})."]


def _lines_of_page(page: PageObject) -> list[_Line]:
    """Return the lines of a page in the order of its content."""
    chunks: list[Chunk] = []
    rules = Rules()

    def visit(
        text: str, place: list[float], matrix: list[float], font: dict[str, Any] | None, font_size: float
    ) -> None:
        text = clean_characters(text).translate(_LIGATURES).replace("\n", " ")
        text = text.replace("/quotesingle.ts1", "'").replace("/grave.ts1", "`")  # names of what LaTeX sets in code
        if not text.strip():
            return
        x = matrix[4] * place[0] + matrix[5] * place[2] + place[4]
        y = matrix[4] * place[1] + matrix[5] * place[3] + place[5]
        size = round(abs(font_size * (matrix[3] or matrix[0]) * (place[3] or place[0])), 1)
        name = str((font or {}).get("/BaseFont", ""))
        piece = Piece(text, literal=bool(_MONOSPACED.search(name)), strong=bool(_BOLD.search(name)))
        chunks.append(Chunk(x, y, size, piece))

    def draw(operator: bytes, operands: list[Any], matrix: list[float], _: list[float]) -> None:
        with suppress(TypeError, ValueError):  # a damaged rule is none
            rules.draw(operator, operands, matrix)

    add_space(page)
    page.extract_text(visitor_text=visit, visitor_operand_before=draw)
    return _lines(in_reading_order(chunks), tables(rules, chunks))


def _lines(chunks: Sequence[Chunk], found: Sequence[tuple[Box, Rows]]) -> list[_Line]:
    lines: list[_Line] = []
    sizes: list[Counter[float]] = []
    for chunk in chunks:
        table = next((rows for place, rows in found if place.holds(chunk)), None)
        if table is not None and any(line.rows is table for line in lines):
            continue
        is_new = not lines or abs(lines[-1].y - chunk.y) > _SAME_HEIGHT * max(chunk.size, lines[-1].size)
        if is_new or table is not None or lines[-1].rows is not None:
            lines.append(_Line(x=chunk.x, y=chunk.y, size=chunk.size, starts_page=not lines, rows=table))
            sizes.append(Counter())
        if table is None:
            lines[-1].pieces.append(chunk.piece)
        sizes[-1][chunk.size] += len(chunk.piece.text)
    for line, counted in zip(lines, sizes, strict=True):
        line.size = counted.most_common(1)[0][0]
    return lines


def _without_running_heads(pages: Sequence[Sequence[_Line]]) -> tuple[list[_Line], list[str]]:
    """Return the lines without page numbers, contents and what repeats; and each text that repeats, as it first stands.

    A line at the edge of a page repeats if one at the same height of enough pages is the same, or the same but for
    numbers that grow with the pages, or begins or ends with such a number: those name the chapter and are kept without.
    """
    labels: dict[int, dict[tuple[str, int], str]] = {}  # by line: what may repeat, and what is kept of it
    for number, lines in enumerate(pages):
        by_height = sorted((line for line in lines if line.rows is None), key=lambda line: line.y)
        for line in by_height[:_EDGE_LINES] + by_height[-_EDGE_LINES:]:
            text, place = line.text.strip(), round(line.y / _SAME_PLACE)
            counting = "".join(
                f"#{int(part) - number}" if part.isdecimal() else part for part in re.split(r"(\d{1,9})", text)
            )
            ends = [text.partition(" ")[::2], text.rpartition(" ")[::-2]]
            numbered = [(int(end) - number, rest) for end, rest in ends if rest and re.fullmatch(r"\d{1,9}", end)]
            labels[id(line)] = {
                **{(f"#{growth}", place): rest for growth, rest in numbered},
                (text, place): text,
                (counting, place): text,
            }
    seen = Counter(key for lines in pages for key in {key for line in lines for key in labels.get(id(line), ())})
    needed = max(_FEWEST_RUNNING, _RUNNING_SHARE * len(pages))
    kept: list[_Line] = []
    repeated: dict[tuple[str, int] | str, str] = {}
    for number, lines in enumerate(pages):
        for line in lines:
            text, of_line = line.text.strip(), labels.get(id(line), {})
            *_, counts = of_line or [("", 0)]
            is_number = bool(of_line) and _PAGE_NUMBER.fullmatch(text) is not None
            if is_number and text.isdecimal():  # that of the page, or one that grows with the pages
                is_number = int(text) == number + 1 or seen[counts] > 1
            if is_number or _LEADERS.search(text):
                continue
            running = next((key for key in of_line if seen[key] >= needed), None)
            if running is None:
                kept.append(line)
            else:
                repeated.setdefault(counts if running == counts else of_line[running], of_line[running])
    return kept, list(repeated.values())


def _write(lines: Sequence[_Line], title: str, repeated: Sequence[str]) -> ParsedText:
    """Write all lines, and behind them what repeats and does not stand in them.

    The title is the one given, else the largest heading of the first page.
    """
    if not lines:
        return ParsedText(title=title, text="\n\n".join(repeated))
    writer = _LeafWriter(title)
    for leaf in _leaves(lines):
        writer.add(leaf)
    builder = writer.builder
    headings = [at for at, block in enumerate(builder.blocks[:10]) if block.kind in ("title", "heading")]
    if not title and headings:
        at = min(headings, key=lambda at: builder.blocks[at].level)
        builder.blocks[at] = replace(builder.blocks[at], kind="title")
        title = builder.text_of(builder.blocks[at])
    said = _words(builder.build(title).text + title)
    for text in repeated:
        if _words(text) not in said:
            builder.add_text("paragraph", " ".join(text.split()))
    return builder.build(title)


def _words(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


@dataclass(slots=True)
class _Measures:
    """size: of the body's type. spacing: of its lines. width: characters of a full line. headings: their sizes."""

    size: float
    spacing: float
    width: float
    headings: list[float]


@dataclass(slots=True)
class _Leaf:
    kind: BlockKind  # "cell" for a table
    x: float
    lines: list[_Line] = field(default_factory=list)
    level: int = 0


def _measure(lines: Sequence[_Line]) -> _Measures:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    size = sizes.most_common(1)[0][0]
    gaps = sorted(above.y - below.y for above, below in pairwise(lines) if 0 < above.y - below.y < 4 * size)
    body = sorted(len(line.text) for line in lines if line.size == size)
    return _Measures(
        size=size,
        spacing=gaps[int(_LINES_WITHIN * len(gaps))] if gaps else 1.2 * size,
        width=body[int(0.9 * (len(body) - 1))] if body else 80,
        headings=sorted({line.size for line in lines if line.size >= _LARGER * size}, reverse=True),
    )


def _leaves(lines: Sequence[_Line]) -> list[_Leaf]:
    measures = _measure(lines)
    leaves: list[_Leaf] = []
    previous: _Line | None = None
    for line in lines:
        kind, level = _kind(line, previous, measures)
        last = leaves[-1] if leaves else None
        if last is None or previous is None or not _continues(last, previous, line, kind, level, measures):
            last = _Leaf(kind, line.x, level=level)
            leaves.append(last)
        last.lines.append(line)
        previous = line
    return leaves


def _kind(line: _Line, previous: _Line | None, measures: _Measures) -> tuple[BlockKind, int]:
    text = line.text.strip()
    if line.rows is not None:
        return "cell", 0
    if line.is_all("literal"):
        return "code", 0
    if len(text) <= _LONGEST_HEADING and any(sign.isalpha() for sign in text):
        if line.size in measures.headings:
            return "heading", min(1 + measures.headings.index(line.size), 5)
        apart = previous is None or line.starts_page or abs(previous.y - line.y) > _WIDER_GAP * measures.spacing
        is_short = len(text) < _SHORT_LINE * measures.width
        if line.is_all("strong") and apart and is_short and not _SENTENCE_END.search(text):
            return "heading", min(len(measures.headings) + 1, 6)
    if _BULLET.match(line.text):
        return "item", 0
    return ("step" if _NUMBERED.match(line.text) else "paragraph"), 0


def _continues(leaf: _Leaf, previous: _Line, line: _Line, kind: BlockKind, level: int, measures: _Measures) -> bool:
    """Return whether a line belongs to the leaf that the line before it belongs to."""
    gap = previous.y - line.y
    if kind == "cell":  # the part of the table on the next page
        return leaf.kind == "cell" and gap < 0 and len((line.rows or [[]])[0]) == len((previous.rows or [[]])[0])
    if kind == "code":
        return leaf.kind == "code" and not line.starts_page and gap < 3 * measures.spacing
    if kind == "heading":
        return leaf.kind == "heading" and leaf.level == level and not line.starts_page and gap < 1.6 * line.size
    if kind in ("item", "step") or leaf.kind in ("code", "heading", "cell"):
        return False
    ended = _SENTENCE_END.search(previous.text) is not None
    if line.starts_page or gap < 0:  # a new page or column
        return not ended
    if gap > _WIDER_GAP * measures.spacing:
        return False
    if leaf.kind in ("item", "step"):
        return line.x >= leaf.x
    indented = line.x > leaf.x + 0.5 * measures.size and previous is not leaf.lines[0]
    return not (ended and (indented or len(previous.text) < _SHORT_LINE * measures.width))


class _LeafWriter:
    def __init__(self, title: str) -> None:
        self.builder = TextBuilder()
        self._prose = ProseWriter(self.builder)
        self._title = title
        self._group = self._row = -1
        self._last: BlockKind | None = None

    def add(self, leaf: _Leaf) -> None:
        pieces = _joined(leaf.lines)
        if leaf.kind == "cell":
            heads = (leaf.lines[0].rows or [[]])[0]
            add_rows(self.builder, [heads, *(row for line in leaf.lines for row in line.rows or () if row != heads)])
        elif leaf.kind == "code":
            left = min(line.x for line in leaf.lines)
            indents = [" " * round((line.x - left) / max(0.6 * line.size, 1)) for line in leaf.lines]
            code = "\n".join(indent + line.text for indent, line in zip(indents, leaf.lines, strict=True))
            self.builder.add_text("code", code_text(code))
        elif leaf.kind == "heading":
            heading = running_text(pieces).text
            number = split_number(heading)
            is_title = number.title == self._title and not any(block.kind == "title" for block in self.builder.blocks)
            self.builder.lead.append(heading[: number.length])
            kind: BlockKind = "title" if is_title else "heading"
            self.builder.add_text(kind, number.title, level=leaf.level)
        elif leaf.kind in ("item", "step"):
            if self._last != leaf.kind:
                self._group, self._row = self.builder.new_group(), -1
            self._row += 1
            marker = (_BULLET if leaf.kind == "item" else _NUMBERED).match("".join(piece.text for piece in pieces))
            text = _without_start(pieces, marker.end() if marker else 0)
            if marker and leaf.kind == "step":
                self.builder.lead.append(f"{marker.group().strip()} ")
            separator = "\n" if self._row else "\n\n"
            self._prose.add(leaf.kind, text, separator=separator, group=self._group, row=self._row)
        else:
            if len(leaf.lines) > 1 and all(
                re.match(r"[A-Z][^:]{0,40}:\s+\S", line.text.strip()) for line in leaf.lines
            ):
                pieces = [piece for line in leaf.lines for piece in (*line.pieces, LINE_BREAK)]
            self._prose.add("paragraph", pieces)
        self._last = leaf.kind


def _joined(lines: Sequence[_Line]) -> list[Piece]:
    """Return the pieces of lines that flow on; a word parted at the end of a line is put together."""
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


def _without_start(pieces: Sequence[Piece], length: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        taken = min(length, len(piece.text))
        length -= taken
        kept.append(piece._replace(text=piece.text[taken:]) if taken else piece)
    return kept
