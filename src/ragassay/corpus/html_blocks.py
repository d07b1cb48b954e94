"""Turns a page's elements, shown one after the other, into blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from selectolax.lexbor import LexborNode

from ragassay.corpus.code_text import code_text
from ragassay.corpus.html_contexts import NESTING, Context, ContextKind, leaf_kind
from ragassay.corpus.key_values import ProseWriter, split_lines
from ragassay.corpus.parsed import (
    LINE_BREAK,
    ParsedText,
    Piece,
    TextBuilder,
    running_text,
    split_number,
)
from ragassay.corpus.tables import Cell
from ragassay.records import BlockKind

BLOCK_TAGS = frozenset(
    """
    p div section article main body address center details summary figure figcaption form fieldset legend hr header
    aside blockquote ul ol li dl dt dd table caption thead tbody tfoot tr td th pre h1 h2 h3 h4 h5 h6 listing xmp
    """.split()
)
ADMONITIONS = frozenset("note tip warning caution important admonition attention danger hint seealso".split())
_LITERAL_TAGS = frozenset("code kbd samp tt var".split())
_STRONG_TAGS = frozenset("strong b".split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FIELD_LISTS = frozenset("field-list docinfo".split())
"""Classes of definition lists that are records of keys and values (docutils)."""
_DESCRIBED_CELLS = frozenset("func_signature column_definition".split())
"""Classes of paragraphs that name, in their cell, what the paragraphs after them describe (PostgreSQL's manual)."""
_PERMALINK_SIGNS = frozenset("§¶#🔗⚓")
_MANY_LINKS = 0.3
"""Share of a page's characters inside links from which on it is told in the metadata."""
_SUPERSCRIPT = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")


class BlockWriter:
    """Gathers running text, and adds it as a block whenever an element that starts a new line begins or ends."""

    def __init__(self, title: str) -> None:
        self._builder = TextBuilder()
        self._prose = ProseWriter(self._builder)
        self._title = title
        self._title_seen = False
        self._pieces: list[Piece] = []
        self._contexts = [Context("page", 0)]
        self._open: Counter[ContextKind] = Counter()
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
        """The text of all that was shown."""
        self._flush()
        share = self._link_chars / max(self._chars, 1)
        links = {"link_share": f"{share:.2f}"} if share > _MANY_LINKS else {}
        return self._builder.build(self._title or self._builder.first_heading(), {**metadata, **links})

    def text(self, data: str) -> None:
        """A stretch of text, white space as in the source."""
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
        """An element begins."""
        self._depth += 1
        if tag in BLOCK_TAGS:
            self._enter_block(tag, classes, node)
        elif tag in _LITERAL_TAGS:
            self._literal_depth += self._contexts[-1].kind != "code"
        elif tag in _STRONG_TAGS:
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
        """The element that began last of those still open ends."""
        if tag in BLOCK_TAGS:
            self._leave_block(tag)
        elif tag in _LITERAL_TAGS:
            self._leave_literal()
        elif tag in _STRONG_TAGS:
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

    def _leave_literal(self) -> None:
        if not self._literal_depth:
            return
        self._literal_depth -= 1
        if not self._literal_depth:
            self._pieces.append(Piece("".join(self._literal), literal=True, strong=self._strong_depth > 0))
            self._literal.clear()

    def _enter_block(self, tag: str, classes: Sequence[str], node: LexborNode) -> None:
        if classes and not ADMONITIONS.isdisjoint(classes) and tag in ("div", "aside", "section", "blockquote"):
            self._admonition_depths.append(self._depth)
        inner = self._contexts[-1]
        if self._in_cell():
            self._enter_in_cell(tag, classes, node)
            return
        self._flush()
        if inner.kind != "table" and (inner.kind != "value" or inner.used):
            self._widen_gap(1 if inner.kind in NESTING else 2)
        if tag in _HEADINGS:
            self._push("label" if self._admonition_depths else "heading", level=_HEADINGS[tag])
        elif tag == "p" and "admonition-title" in classes:
            self._push("label")
        elif tag == "p" and "title" in classes:
            self._push("caption")
        elif tag in ("ul", "ol"):
            self._push("list", group=self._builder.new_group(), level=self._open["list"], ordered=tag == "ol")
        elif tag == "dl":
            is_record = not _FIELD_LISTS.isdisjoint(classes)
            kind: ContextKind = "record" if is_record else "dl"
            self._push(kind, group=self._builder.new_group(), level=self._open["dl"] + self._open["record"])
        elif tag == "li":
            self._enter_item(inner)
        elif tag in ("dt", "dd"):
            self._enter_term_or_definition(tag, inner)
        elif tag in ("pre", "listing", "xmp") or "cmdsynopsis" in classes:
            self._push("code", group=inner.group, row=inner.row)
        elif tag == "blockquote":
            self._push("quote")
        elif tag == "table":
            if node.css_first("table table") is None and "presentation" not in (node.attributes.get("role") or ""):
                self._push("table", group=self._builder.new_group())
        elif tag in ("thead", "tbody", "tfoot") and inner.kind == "table":
            inner.grid.next_section()
        elif tag in ("tr", "td", "th", "caption") and inner.kind == "table":
            self._enter_table_part(tag, classes, node, inner)

    def _enter_item(self, inner: Context) -> None:
        if inner.kind != "list":
            self._push("li", group=self._builder.new_group(), row=0)
            return
        self._gap = 1 if inner.used or inner.level else 2
        inner.row += 1
        inner.used = True
        self._push("li", group=inner.group, row=inner.row, level=inner.level, ordered=inner.ordered)

    def _enter_term_or_definition(self, tag: str, inner: Context) -> None:
        if inner.kind == "record":
            inner.row += tag == "dt"
            self._gap = 0 if tag == "dd" and not inner.used else 1 if inner.row else 2
            inner.used = tag == "dd"
            self._push("key" if tag == "dt" else "value", group=inner.group, row=inner.row)
        if inner.kind != "dl":
            return
        if tag == "dt":
            new_entry = inner.used or inner.row < 0
            if new_entry:
                inner.row += 1
                inner.used = False
            self._gap = 2 if new_entry and not (self._open["li"] or self._open["dd"]) else 1
            self._push("dt", group=inner.group, row=inner.row, level=inner.level)
        else:
            inner.row = max(inner.row, 0)
            inner.used = True
            self._gap = 1
            self._push("dd", group=inner.group, row=inner.row, level=inner.level)

    def _enter_table_part(self, tag: str, classes: Sequence[str], node: LexborNode, table: Context) -> None:
        if tag == "caption":
            self._push("caption", group=table.group)
        elif tag == "tr":
            self._gap = 1 if table.row >= 0 else 2
            table.row += 1
            table.used = False
            table.grid.next_row()
        else:
            attributes = node.attributes
            for column, cell in table.grid.from_above():
                self._add_cell(table, column, cell)
            place = table.grid.place(attributes.get("colspan"), attributes.get("rowspan"), is_alone=_is_alone(node))
            is_header = tag == "th" or place.full_width
            self._push("cell", group=table.group, row=table.row, column=place.column, header=is_header)
            self._contexts[-1].place = place

    def _enter_in_cell(self, tag: str, classes: Sequence[str], node: LexborNode) -> None:
        cell = self._contexts[-1]
        if tag == "p" and not _DESCRIBED_CELLS.isdisjoint(classes):
            if not cell.described and not cell.header:
                self._gap = 2
            cell.described = True
            cell.used = False
        if not cell.described:
            self._pieces.append(LINE_BREAK)

    def _leave_block(self, tag: str) -> None:
        inner = self._contexts[-1]
        if inner.kind == "cell" and inner.depth != self._depth:
            if inner.described:
                self._flush()
            else:
                self._pieces.append(LINE_BREAK)
            return
        if inner.kind == "cell":
            self._close_cell(inner)
        else:
            self._flush()
        if tag == "tr" and inner.kind == "table":
            for column, cell in inner.grid.from_above(rest=True):
                if cell.text:
                    self._add_cell(inner, column, cell)
        if inner.depth == self._depth:
            self._open[self._contexts.pop().kind] -= 1
        outer = self._contexts[-1].kind
        if outer != "table":
            self._widen_gap(1 if outer in (*NESTING, "list", "dl", "record") else 2)

    def _close_cell(self, cell: Context) -> None:
        if cell.described:
            self._flush()
        text, literals, _ = running_text(self._pieces)
        self._pieces.clear()
        table = self._contexts[-2]
        if cell.place is not None:
            for column, each in table.grid.spread(Cell(text, literals, cell.header), cell.place):
                if not cell.described:
                    self._add_cell(table, column, each)

    def _add_cell(self, table: Context, column: int, cell: Cell) -> None:
        self._builder.separate(" | " if table.used else "\n" * self._gap)
        table.used = True
        self._builder.add_text(
            "header_cell" if cell.header else "cell",
            cell.text,
            cell.literals,
            separator="",
            group=table.group,
            row=table.row,
            column=column,
        )
        self._gap = 1

    def _push(
        self,
        kind: ContextKind,
        *,
        group: int = -1,
        row: int = -1,
        column: int = -1,
        level: int = 0,
        ordered: bool = False,
        header: bool = False,
    ) -> None:
        self._open[kind] += 1
        self._contexts.append(
            Context(kind, self._depth, group=group, row=row, column=column, level=level, ordered=ordered, header=header)
        )

    def _in_cell(self) -> bool:
        return self._contexts[-1].kind == "cell"

    def _widen_gap(self, lines: int) -> None:
        self._gap = max(self._gap, lines)

    def _flush(self) -> None:
        """Adds the running text gathered so far as what the innermost context makes it."""
        if not self._pieces:
            return
        pieces, self._pieces = self._pieces, []
        inner = self._contexts[-1]
        if inner.kind == "code":
            self._add_code(pieces, inner)
        elif inner.kind == "heading":
            self._add_heading(pieces, inner.level)
        elif inner.kind == "label":
            self._label = running_text(pieces).text.rstrip(":")
        elif inner.kind in ("key", "value"):
            self._add_field(pieces, inner)
        elif inner.kind == "caption":
            self._add_caption(pieces, inner)
        else:
            self._add(leaf_kind(inner, pieces), pieces, inner)

    def _add(self, kind: BlockKind, pieces: Sequence[Piece], inner: Context) -> None:
        separator = "\n" * self._gap
        if self._label and any(piece.text.strip() for piece in pieces):
            self._builder.separate(separator)
            self._builder.unmarked(f"{self._label}: ")
            self._label, separator = "", ""
        if kind in ("term", "definition", "header_cell", "code"):
            added = self._add_lines(kind, pieces, inner, separator)
        else:
            added = self._prose.add(
                kind, pieces, separator=separator, level=inner.level, group=inner.group, row=inner.row
            )
        if added:
            inner.used = True
            self._gap = 1

    def _add_lines(self, kind: BlockKind, pieces: Sequence[Piece], inner: Context, separator: str) -> bool:
        """Adds leaves without looking for pairs. Each line of a term is a term: "-a", then "--all"."""
        added = False
        for line in split_lines(pieces) if kind == "term" else [pieces]:
            column = inner.column if kind == "header_cell" else -1
            if self._builder.add(
                kind, line, separator=separator, level=inner.level, group=inner.group, row=inner.row, column=column
            ):
                added, separator = True, "\n"
        return added

    def _add_heading(self, pieces: Sequence[Piece], level: int) -> None:
        text, literals, _ = running_text(pieces)
        text = text.rstrip("¶§# ")
        number = split_number(text)
        text = number.title
        literals = [
            (max(start - number.length, 0), end - number.length)
            for start, end in literals
            if number.length < end <= number.length + len(text)
        ]
        is_title = not self._title_seen and text.lower() == self._title.lower()
        self._title_seen = self._title_seen or is_title
        kind: BlockKind = "title" if is_title else "heading"
        if self._builder.add_text(kind, text, literals, separator="\n\n", level=level):
            self._gap = 2

    def _add_field(self, pieces: Sequence[Piece], inner: Context) -> None:
        text, literals, _ = running_text(pieces)
        if inner.kind == "key":
            text = text.rstrip(": ")
            literals = [span for span in literals if span[1] <= len(text)]
            self._builder.add_text(
                "key", text, literals, separator="\n" * self._gap, group=inner.group, row=inner.row, column=0
            )
            self._builder.unmarked(": ")
            self._gap = 0
        elif self._builder.add_text(
            "value", text, literals, separator="\n" * self._gap, group=inner.group, row=inner.row, column=1
        ):
            inner.used = True
            self._gap = 1

    def _add_caption(self, pieces: Sequence[Piece], inner: Context) -> None:
        """A table's caption, or the title that DocBook gives a page, table or example in a paragraph of that class."""
        text, literals, _ = running_text(pieces)
        is_title = not self._title_seen and text.lower() == self._title.lower()
        self._title_seen = self._title_seen or is_title
        kind: BlockKind = "title" if is_title else "paragraph"
        if self._builder.add_text(kind, text, literals, separator="\n" * self._gap, group=inner.group):
            self._gap = 1

    def _add_code(self, pieces: Sequence[Piece], inner: Context) -> None:
        text = code_text("".join(piece.text for piece in pieces))
        separator = "\n" * self._gap
        if self._builder.add_text("code", text, separator=separator, group=inner.group, row=inner.row):
            self._gap = 1


def _is_alone(cell: LexborNode) -> bool:
    """Whether the first cell of a row is its only one."""
    following = cell.next
    while following is not None and following.tag not in ("td", "th"):
        following = following.next
    return following is None
