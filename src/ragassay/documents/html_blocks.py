"""Turn a page's elements, shown one after the other, into blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from selectolax.lexbor import LexborNode

from ragassay.documents.key_values import ProseWriter, split_lines
from ragassay.documents.parsed import LINE_BREAK, ParsedText, Piece, TextBuilder, code_text, running_text, split_number
from ragassay.documents.tables import Cell, Grid, Place
from ragassay.records import BlockKind

BLOCK_TAGS = frozenset(
    """
    p div section article main body address center details summary figure figcaption form fieldset legend hr header
    aside blockquote ul ol li dl dt dd table caption thead tbody tfoot tr td th pre h1 h2 h3 h4 h5 h6 listing xmp
    """.split()
)
ADMONITIONS = frozenset("note tip warning caution important admonition attention danger hint seealso".split())
_LITERAL_TAGS = frozenset("code kbd samp tt var".split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FIELD_LISTS = frozenset("field-list docinfo".split())
"""Classes of definition lists that are records of keys and values (docutils)."""
_PERMALINK_SIGNS = frozenset("§¶#🔗⚓")
_MANY_LINKS = 0.3
"""Share of a page's characters inside links from which on it is told in the metadata."""
_SUPERSCRIPT = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_NESTING = ("li", "dd", "dt", "key", "value")
"""What is inside them starts on the next line, without a blank line between."""
_LEAVES: Mapping[str, BlockKind] = {"dt": "term", "dd": "definition", "quote": "quote"}

_NUMBERINGS: Mapping[str, Literal["1", "a", "A", ""]] = {
    "decimal": "1", "arabic": "1", "loweralpha": "a", "lowerlatin": "a", "upperalpha": "A", "upperlatin": "A",
    "lowerroman": "", "upperroman": "",
}  # fmt: skip
"""What the first item shows, by a list's class (docutils) or style, hyphens left out."""
_LIST_STYLE = re.compile(r"\bliststyle(?:type)?\s*:([^;!]*)")
_DEEPEST_INDENT = 8
"""Levels: without a limit, the text would grow with the square of the depth of its lists."""
_WHOLE = re.compile(r"\s*\+?(\d{1,5})\s*", re.ASCII)
_OWN_NUMBER = re.compile(
    r"\s*(?:§|[(（]?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlc]+|[IVXLC]+)(?:[.)]\s|[、）])|(?:\d+|[A-Z])(?:\.\d+)+\s)"
)
"""How an item begins that holds its number itself: "1. ", "(a) ", "1.1 "."""

_Kind = Literal[
    "page", "list", "li", "dl", "dt", "dd", "record", "key", "value", "table", "cell", "heading", "label", "caption",
    "quote", "code",
]  # fmt: skip


@dataclass(slots=True)
class _Context:
    """An open element that gives the text inside it a meaning.

    number: of the next item of a list, -1 if unknown. numbering: its first number, empty if it shows none.
    leads: how much led the next block when it was opened.
    used: something was added for it already (an item's text, a row's first cell, a list's first item).
    grid, place: of a table, and of a cell in it.
    """

    kind: _Kind
    depth: int
    group: int = -1
    row: int = -1
    level: int = 0
    ordered: bool = False
    number: int = -1
    numbering: str = ""
    leads: int = 0
    used: bool = False
    header: bool = False
    grid: Grid = field(default_factory=Grid)
    place: Place | None = None


class BlockWriter:
    """Gathers running text, and adds it as a block whenever an element that starts a new line begins or ends."""

    def __init__(self, title: str) -> None:
        self._builder = TextBuilder()
        self._prose = ProseWriter(self._builder)
        self._title = title
        self._title_seen = False
        self._pieces: list[Piece] = []
        self._contexts = [_Context("page", 0)]
        self._open: Counter[_Kind] = Counter()
        self._depth = 0
        self._gap = 2
        self._label = ""
        self._literal: list[str] = []
        self._literal_depth = 0
        self._strong_depth = 0
        self._superscript = False
        self._anchors: list[bool] = []
        self._link_start = 0
        self._chars = 0
        self._link_chars = 0
        self._admonition_depths: list[int] = []

    def finish(self, metadata: Mapping[str, str]) -> ParsedText:
        """Return the text of all that was shown."""
        self._flush()
        share = self._link_chars / max(self._chars, 1)
        links = {"link_share": f"{share:.2f}"} if share > _MANY_LINKS else {}
        return self._builder.build(self._title or self._builder.first_heading(), {**metadata, **links})

    def text(self, data: str) -> None:
        """Take a stretch of text, white space as in the source."""
        self._chars += len(data)
        if any(self._anchors):
            self._link_chars += len(data)
        if self._superscript and data.strip("0123456789+-n") == "":
            data = data.translate(_SUPERSCRIPT)
        if self._literal_depth:
            self._literal.append(data)
        else:
            self._pieces.append(Piece(data, strong=self._strong_depth > 0))

    def enter(self, tag: str, classes: Sequence[str], node: LexborNode) -> None:
        """Begin an element."""
        self._depth += 1
        if tag in BLOCK_TAGS:
            self._enter_block(tag, classes, node)
        elif tag in _LITERAL_TAGS:
            self._literal_depth += self._contexts[-1].kind != "code"
        elif tag in ("strong", "b"):
            self._strong_depth += 1
        elif tag == "br":
            self._pieces.append(Piece("\n") if self._contexts[-1].kind == "code" else LINE_BREAK)
        elif tag == "a":
            # one without an address is a target; written <a id="x"/>, it stays open up to the end of the page
            self._anchors.append("href" in node.attributes)
            self._link_start = len(self._pieces)
        elif tag == "sup":
            self._superscript = True

    def leave(self, tag: str) -> None:
        """End the element that began last of those still open."""
        if tag in BLOCK_TAGS:
            self._leave_block(tag)
        elif tag in _LITERAL_TAGS and self._literal_depth:
            self._literal_depth -= 1
            if not self._literal_depth:
                self._pieces.append(Piece("".join(self._literal), literal=True, strong=self._strong_depth > 0))
                self._literal.clear()
        elif tag in ("strong", "b"):
            self._strong_depth -= 1
        elif tag == "a":
            self._anchors.pop()
            if len(self._pieces) == self._link_start + 1 and self._pieces[-1].text in _PERMALINK_SIGNS:
                self._pieces.pop()
        elif tag == "sup":
            self._superscript = False
        if self._admonition_depths and self._admonition_depths[-1] == self._depth:
            self._admonition_depths.pop()
        self._depth -= 1

    def _enter_block(self, tag: str, classes: Sequence[str], node: LexborNode) -> None:
        if classes and not ADMONITIONS.isdisjoint(classes) and tag in ("div", "aside", "section", "blockquote"):
            self._admonition_depths.append(self._depth)
        inner = self._contexts[-1]
        if inner.kind == "cell":  # whose blocks are lines of its text: lists have no numbers there
            self._pieces.append(LINE_BREAK)
            return
        self._flush()
        if inner.kind != "table" and (inner.kind != "value" or inner.used):
            self._gap = max(self._gap, 1 if inner.kind in _NESTING else 2)
        if tag in _HEADINGS:
            self._push("label" if self._admonition_depths else "heading", level=_HEADINGS[tag])
        elif tag == "p" and "admonition-title" in classes:
            self._push("label")
        elif tag == "p" and "title" in classes:
            self._push("caption")
        elif tag in ("ul", "ol"):
            self._enter_list(node, is_ordered=tag == "ol")
        elif tag == "dl":
            level = self._open["dl"] + self._open["record"]
            is_record = not _FIELD_LISTS.isdisjoint(classes)
            self._push("record" if is_record else "dl", group=self._builder.new_group(), level=level)
        elif tag == "li":
            self._enter_item(inner, node)
        elif tag in ("dt", "dd"):
            self._enter_term_or_definition(tag == "dt", inner)
        elif tag in ("pre", "listing", "xmp") or "cmdsynopsis" in classes:
            self._push("code", group=inner.group, row=inner.row)
        elif tag == "blockquote":
            self._push("quote")
        elif tag == "table":
            if node.css_first("table table") is None and "presentation" not in (node.attributes.get("role") or ""):
                self._push("table", group=self._builder.new_group())
        elif inner.kind == "table":
            self._enter_table_part(tag, node, inner)

    def _enter_list(self, node: LexborNode, *, is_ordered: bool) -> None:
        attributes = node.attributes
        self._push(
            "list",
            group=self._builder.new_group(),
            level=self._open["list"],
            ordered=is_ordered,
            number=_whole(attributes.get("start"), 1),
            numbering=_numbering(attributes, "1") if is_ordered and "reversed" not in attributes else "",
        )

    def _enter_item(self, inner: _Context, node: LexborNode) -> None:
        if inner.kind != "list":
            self._push("li", group=self._builder.new_group(), row=0)
            return
        self._gap = 1 if inner.used or inner.level else 2
        inner.row += 1
        inner.used = True
        self._push("li", group=inner.group, row=inner.row, level=inner.level, ordered=inner.ordered)
        if inner.numbering:
            number = _whole(node.attributes.get("value"), inner.number)
            self._builder.lead.append(_numbered(number, _numbering(node.attributes, inner.numbering)))
            inner.number = number + 1 if number >= 0 else -1

    def _enter_term_or_definition(self, is_term: bool, inner: _Context) -> None:
        if inner.kind == "record":
            inner.row += is_term
            self._gap = 0 if not is_term and not inner.used else 1 if inner.row else 2
            inner.used = not is_term
            self._push("key" if is_term else "value", group=inner.group, row=inner.row)
        if inner.kind != "dl":
            return
        self._gap = 1
        if is_term:
            if inner.used or inner.row < 0:  # a new entry
                inner.row += 1
                inner.used = False
                self._gap = 1 if self._open["li"] or self._open["dd"] else 2
        else:
            inner.row = max(inner.row, 0)
            inner.used = True
        self._push("dt" if is_term else "dd", group=inner.group, row=inner.row, level=inner.level)

    def _enter_table_part(self, tag: str, node: LexborNode, table: _Context) -> None:
        if tag in ("thead", "tbody", "tfoot"):
            table.grid.next_section()
        elif tag == "caption":
            self._push("caption", group=table.group)
        elif tag == "tr":
            self._gap = 1 if table.row >= 0 else 2
            table.row += 1
            table.used = False
            table.grid.next_row()
        elif tag in ("td", "th"):
            for column, cell in table.grid.from_above():
                self._add_cell(table, column, cell)
            attributes = node.attributes
            place = table.grid.place(attributes.get("colspan"), attributes.get("rowspan"), is_alone=_is_alone(node))
            self._push("cell", header=tag == "th" or place.full_width, place=place)

    def _leave_block(self, tag: str) -> None:
        inner = self._contexts[-1]
        if inner.kind == "cell" and inner.depth != self._depth:
            self._pieces.append(LINE_BREAK)
            return
        if inner.kind == "cell" and inner.place is not None:
            text, literals, _ = running_text(self._pieces)
            self._pieces.clear()
            table = self._contexts[-2]
            for column, cell in table.grid.spread(Cell(text, literals, inner.header), inner.place):
                self._add_cell(table, column, cell)
        else:
            self._flush()
        if tag == "tr" and inner.kind == "table":
            for column, cell in inner.grid.from_above(rest=True):
                if cell.text:
                    self._add_cell(inner, column, cell)
        if inner.depth == self._depth:
            self._open[self._contexts.pop().kind] -= 1
            del self._builder.lead[inner.leads :]
        outer = self._contexts[-1].kind
        if outer != "table":
            self._gap = max(self._gap, 1 if outer in (*_NESTING, "list", "dl", "record") else 2)

    def _add_cell(self, table: _Context, column: int, cell: Cell) -> None:
        self._builder.separate(" | " if table.used else "\n" * self._gap)
        table.used = True
        kind: BlockKind = "header_cell" if cell.header else "cell"
        self._builder.add_text(
            kind, cell.text, cell.literals, separator="", group=table.group, row=table.row, column=column
        )
        self._gap = 1

    def _push(self, kind: _Kind, **options: Any) -> None:
        self._open[kind] += 1
        self._contexts.append(_Context(kind, self._depth, leads=len(self._builder.lead), **options))

    def _flush(self) -> None:
        """Add the running text gathered so far as what the innermost context makes it."""
        if not self._pieces:
            return
        pieces, self._pieces = self._pieces, []
        inner = self._contexts[-1]
        if self._builder.lead and _OWN_NUMBER.match("".join(piece.text for piece in pieces)):
            self._builder.lead.clear()
        if inner.kind == "code":
            text = code_text("".join(piece.text for piece in pieces))
            self._added("code", text, [], inner)
        elif inner.kind == "heading":
            self._add_heading(pieces, inner.level)
        elif inner.kind == "label":
            self._label = running_text(pieces).text.rstrip(":")
        elif inner.kind in ("key", "value"):
            self._add_field(pieces, inner)
        elif inner.kind == "caption":  # of a table, or DocBook's title of a page, table or example
            text, literals, _ = running_text(pieces)
            self._added("title" if self._is_title(text) else "paragraph", text, literals, inner)
        else:
            self._add_leaf(pieces, inner)

    def _added(
        self, kind: BlockKind, text: str, literals: Sequence[tuple[int, int]], inner: _Context, column: int = -1
    ) -> bool:
        has_added = self._builder.add_text(
            kind, text, literals, separator="\n" * self._gap, group=inner.group, row=inner.row, column=column
        )
        self._gap = 1 if has_added else self._gap
        return has_added

    def _is_title(self, text: str) -> bool:
        is_title = not self._title_seen and text.lower() == self._title.lower()
        self._title_seen = self._title_seen or is_title
        return is_title

    def _add_leaf(self, pieces: Sequence[Piece], inner: _Context) -> None:
        kind: BlockKind = _LEAVES.get(inner.kind, "paragraph")
        if inner.kind == "li" and not inner.used:
            kind = "step" if inner.ordered else "item"
        separator = "\n" * self._gap
        if inner.kind == "li":
            separator += "   " * min(inner.level, _DEEPEST_INDENT)
        if self._label and any(piece.text.strip() for piece in pieces):
            self._builder.lead.append(f"{self._label}: ")
            self._label = ""
        place: dict[str, int] = {"level": inner.level, "group": inner.group, "row": inner.row}
        if kind in ("term", "definition"):  # pairs are not looked for; each line of a term is a term: "-a", "--all"
            added = False
            for line in split_lines(pieces) if kind == "term" else [pieces]:
                if self._builder.add(kind, line, separator=separator, **place):
                    added, separator = True, "\n"
        else:
            added = self._prose.add(kind, pieces, separator=separator, **place)
        if added:
            inner.used = True
            self._gap = 1

    def _add_heading(self, pieces: Sequence[Piece], level: int) -> None:
        text, literals, _ = running_text(pieces)
        number = split_number(text.rstrip("¶§# "))
        length = len(number.title)
        literals = [
            (max(start - number.length, 0), end - number.length)
            for start, end in literals
            if number.length < end <= number.length + length
        ]
        kind: BlockKind = "title" if self._is_title(number.title) else "heading"
        if number.title.strip():
            self._builder.lead.append(text[: number.length])
            self._builder.add_text(kind, number.title, literals, level=level)
            self._gap = 2

    def _add_field(self, pieces: Sequence[Piece], inner: _Context) -> None:
        text, literals, _ = running_text(pieces)
        if inner.kind == "key":
            text = text.rstrip(": ")
            self._added("key", text, [span for span in literals if span[1] <= len(text)], inner, column=0)
            self._builder.unmarked(": ")
            self._gap = 0
        elif self._added("value", text, literals, inner, column=1):
            inner.used = True


def _is_alone(cell: LexborNode) -> bool:
    """Return whether the first cell of a row is its only one."""
    following = cell.next
    while following is not None and following.tag not in ("td", "th"):
        following = following.next
    return following is None


def _whole(given: str | None, default: int) -> int:
    """Return the number given, -1 if it is not a whole number from 0 on; default: where none is given."""
    match = _WHOLE.fullmatch(given or str(default))
    return int(match[1]) if match else -1


def _numbering(attributes: Mapping[str, str | None], default: str) -> str:
    """Return the first number that a list or an item shows; empty where none, or none that is known."""
    if not attributes:
        return default
    styles = _LIST_STYLE.findall((attributes.get("style") or "").lower().replace("-", ""))
    names = styles[-1].split() if styles else (attributes.get("class") or "").lower().split()
    known = [_NUMBERINGS[name] for name in names if name in _NUMBERINGS]
    if styles or known:
        return known[0] if known else ""
    numbering = attributes.get("type") or default
    return numbering if numbering in _NUMBERINGS.values() else ""


def _numbered(number: int, numbering: str) -> str:
    """Return "3. " or "c. ", since texts speak of step 3; empty where the item has no number that is known."""
    if numbering == "1":
        return f"{number}. " if number >= 0 else ""
    return f"{chr(ord(numbering) + number - 1)}. " if numbering and 0 < number <= 26 else ""
