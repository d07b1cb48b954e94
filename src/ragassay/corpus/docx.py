"""Word documents to text and blocks: headings, lists and tables as their styles and numbering say."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Set
from dataclasses import replace
from errno import EINVAL
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.corpus.code_text import code_text
from ragassay.corpus.docx_definitions import StyleNames, notes_by_reference, numbered_levels
from ragassay.corpus.docx_math import MATHS, math_text
from ragassay.corpus.docx_package import plain_package
from ragassay.corpus.key_values import ProseWriter
from ragassay.corpus.parsed import (
    LINE_BREAK,
    ParsedText,
    Piece,
    TextBuilder,
    UnreadableError,
    running_text,
    split_number,
)
from ragassay.corpus.tables import Cell, Grid
from ragassay.records import BlockKind

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table, _Cell, _Row
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

_UNSOUND = (zipfile.BadZipFile, SyntaxError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, EOFError)
"""What zipfile, lxml (SyntaxError) and python-docx raise on damaged files (``benchmarks/fuzz.py``)."""
_MONOSPACED = re.compile(r"courier|consolas|mono|menlo|code", re.IGNORECASE)
_CODE_STYLE = re.compile(r"code|source|listing|preformatted|verbatim", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"heading (\d)|überschrift (\d)|titre (\d)|标题 (\d)", re.IGNORECASE)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_AROUND = {
    *(f"{_W}{name}" for name in "sdt sdtContent customXml smartTag ins moveTo hyperlink fldSimple dir bdo".split()),
    *(f"{_MC}{name}" for name in ("AlternateContent", "Choice")),
}
"""Around paragraphs, rows, cells or runs: controls, accepted changes, links, fields, directions; not the fallbacks."""
_TABLE = {f"{_W}{name}" for name in ("tbl", "tr", "tc")}
_OF_TEXT = frozenset(f"{_W}{name}" for name in ("t", "tab", "br", "cr", "noBreakHyphen", "ptab"))
_REFERENCES = {f"{_W}footnoteReference": "footnote", f"{_W}endnoteReference": "endnote"}
_DRAWN = frozenset((f"{_W}drawing", f"{_W}pict", f"{_W}object", f"{_MC}AlternateContent"))
_INLINE = MATHS | {f"{_W}r"}
_HOLDS_MORE = "descendant-or-self::*[local-name() = 'object' or contains(@uri, '/chart') or contains(@uri, '/diagram')]"


def read_docx(path: Path) -> ParsedText:
    """Text and structure of a Word document. Raises UnreadableError when it is broken, encrypted or too large."""
    import docx
    from docx.exceptions import PythonDocxError
    from docx.opc.exceptions import OpcError
    from docx.oxml.exceptions import XmlchemyError

    with path.open("rb") as file:
        if file.read(4) == b"\xd0\xcf\x11\xe0":
            raise UnreadableError("it is encrypted or from before Word 2007; save it as .docx without a password")
    try:
        return _DocumentReader(docx.Document(plain_package(path))).read()
    except (OpcError, XmlchemyError, PythonDocxError, zlib.error, *_UNSOUND) as error:
        raise UnreadableError(f"it is not a valid Word document ({type(error).__name__})") from None
    except OSError as error:
        if error.errno != EINVAL:  # what a ZIP file says about its own places cannot be
            raise
        raise UnreadableError("it is not a valid Word document: its ZIP file is broken") from None


def _title_of(document: WordDocument) -> str:
    """As its properties say; empty where it has none: python-docx makes some up, with the title "Word Document"."""
    from docx.opc.parts.coreprops import CorePropertiesPart

    for relation in document.part.package.rels.values():
        if relation.reltype.endswith("/core-properties") and isinstance(relation.target_part, CorePropertiesPart):
            return " ".join((relation.target_part.core_properties.title or "").split())
    return ""


class _DocumentReader:
    def __init__(self, document: WordDocument) -> None:
        self._document = document
        self._builder = TextBuilder()
        self._prose = ProseWriter(self._builder)
        self._title = _title_of(document)
        self._styles = StyleNames(document)
        self._numbered = numbered_levels(document)
        self._list: tuple[str, int] | None = None
        self._row = -1
        self._code: list[str] = []
        self._notes = notes_by_reference(document)
        self._beside: list[Any] = []
        self._left_out: set[str] = set()

    def read(self) -> ParsedText:
        self._add_all(self._document.element.body)
        parsed = self._builder.build(self._title or self._builder.first_heading())
        return replace(parsed, notes=tuple(sorted(self._left_out)))

    def _add_all(self, container: Any) -> None:
        """Adds the paragraphs and tables in an element; behind each, the notes and text boxes that belong to it."""
        from docx.table import Table
        from docx.text.paragraph import Paragraph

        for element in _inside(container, {f"{_W}p", f"{_W}tbl"}):
            if element.tag == f"{_W}p" and len(element):
                self._add_paragraph(Paragraph(element, self._document._body))
            else:
                self._end_code()
                if element.tag == f"{_W}tbl":
                    self._add_table(Table(element, self._document._body))
            beside, self._beside = self._beside, []
            for each in beside:
                self._add_all(each)
        self._end_code()

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        pieces = list(self._pieces(paragraph))
        style = self._styles.of_paragraph(paragraph._p)
        if _CODE_STYLE.search(style):
            self._code.append("".join(piece.text for piece in pieces))
            return
        self._end_code()
        if not any(piece.text.strip() for piece in pieces):
            return
        heading = _HEADING_STYLE.match(style)
        lower = style.lower()
        if lower == "title" or heading:
            self._add_heading(pieces, int(next(filter(None, heading.groups()))) if heading else 0)
            return
        marker = self._list_marker(paragraph, lower)
        if marker is not None:
            self._add_item(pieces, *marker)
            return
        self._list = None
        if lower.startswith("toc ") or lower in ("header", "footer"):
            return
        self._prose.add("quote" if "quote" in lower else "paragraph", pieces)

    def _add_heading(self, pieces: list[Piece], level: int) -> None:
        self._list = None
        text, _, _ = running_text(pieces)
        number = split_number(text)
        is_title = level == 0 or (number.title == self._title and not self._builder.blocks)
        self._builder.add_text("title" if is_title else "heading", number.title, level=max(level, 1))

    def _add_item(self, pieces: list[Piece], list_id: str, level: int, ordered: bool) -> None:
        if self._list is None or self._list[0] != list_id:
            self._list = (list_id, self._builder.new_group())
            self._row = -1
            separator = "\n\n"
        else:
            separator = "\n"
        self._row += 1
        kind: BlockKind = "step" if ordered else "item"
        self._prose.add(kind, pieces, separator=separator, level=level, group=self._list[1], row=self._row)

    def _end_code(self) -> None:
        if self._code:
            self._builder.add_text("code", code_text("\n".join(self._code)))
            self._code.clear()

    def _add_table(self, table: Table) -> None:
        self._list = None
        group = self._builder.new_group()
        from docx.table import _Row

        rows = [_Row(element, table) for element in _inside(table._tbl, {f"{_W}tr"})]
        grid = Grid()
        above: dict[int, Cell] = {}
        heads = 0
        for row_number, row in enumerate(rows):
            cells = _own_cells(row)
            merged = [cell._tc.vMerge == "continue" for cell in cells]
            if heads == row_number < len(rows) - 1 and (_is_header(row, row_number) or (heads and any(merged))):
                heads += 1
            grid.next_row(row.grid_cols_before)
            first = True
            for cell, goes_on in zip(cells, merged, strict=True):
                place = grid.place(cell._tc.grid_span, None, is_alone=len(cells) == 1)
                text = above.get(place.column, Cell("")) if goes_on else self._cell(cell)
                for column, each in grid.spread(text, place):
                    above[column] = each
                    self._builder.separate(" | " if not first else "\n" if row_number else "\n\n")
                    first = False
                    self._builder.add_text(
                        "header_cell" if row_number < heads else "cell",
                        each.text,
                        each.literals,
                        separator="",
                        group=group,
                        row=row_number,
                        column=column,
                    )

    def _cell(self, cell: _Cell) -> Cell:
        pieces: list[Piece] = []
        for paragraph in _paragraphs(cell):
            pieces += [*self._pieces(paragraph), LINE_BREAK]
        text, literals, _ = running_text(pieces)
        return Cell(text, literals)

    def _pieces(self, paragraph: Paragraph) -> Iterator[Piece]:
        from docx.text.run import Run

        for element in _inside(paragraph._p, _INLINE):
            if element.tag in MATHS:
                yield Piece(math_text(element))
                continue
            run = Run(element, paragraph)
            if run.font.hidden:
                self._left_out.add("Left out: hidden text.")
                continue
            self._look_beside(element)
            literal, strong = self._is_literal(run), bool(run.bold)
            for number, line in enumerate(_text(run).split("\n")):
                if number:
                    yield LINE_BREAK
                yield Piece(line, literal=literal and bool(line.strip()), strong=strong)

    def _look_beside(self, run: Any) -> None:
        """Remembers the notes that a run refers to and the text boxes in it, and what of it is not read."""
        for child in run:
            if child.tag in _REFERENCES:
                note = self._notes.pop((_REFERENCES[child.tag], child.get(f"{_W}id")), None)
                self._beside += [] if note is None else [note]
            elif child.tag == f"{_W}ruby":
                self._left_out.add("Left out: readings above the characters (ruby).")
            elif child.tag in _DRAWN:
                boxes = list(_text_boxes(child))
                self._beside += boxes
                if not boxes and child.xpath(_HOLDS_MORE):
                    self._left_out.add("Left out: charts, diagrams and embedded objects.")

    def _is_literal(self, run: Run) -> bool:
        style = self._styles.of_run(run._r)
        return bool(_MONOSPACED.search(run.font.name or "") or _MONOSPACED.search(style))

    def _list_marker(self, paragraph: Paragraph, style: str) -> tuple[str, int, bool] | None:
        """Id of the list, level, and whether it is numbered; None for a paragraph outside lists."""
        properties: Any = paragraph._p.pPr
        numbering = properties.numPr if properties is not None else None
        if numbering is not None and numbering.numId is not None and numbering.numId.val:
            level = numbering.ilvl.val if numbering.ilvl is not None else 0
            list_id = str(numbering.numId.val)
            return list_id, level, (list_id, str(level)) in self._numbered
        match = re.match(r"list (bullet|number)(?: (\d))?", style)
        if match:
            return match.group(1), int(match.group(2) or 1) - 1, match.group(1) == "number"
        return None


def _inside(element: Any, wanted: Set[str], around: Set[str] = _AROUND) -> Iterator[Any]:
    """The wanted elements right inside one, and inside what may stand around them, in order."""
    waiting = [element.iterchildren()]
    while waiting:
        for child in waiting[-1]:
            if child.tag in wanted:
                yield child
            elif child.tag in around:
                waiting.append(child.iterchildren())
                break
        else:
            waiting.pop()


def _own_cells(row: _Row) -> list[_Cell]:
    """Each cell once: ``row.cells`` has one as often as it says that it spans columns."""
    from docx.table import _Cell

    return [_Cell(element, row.table) for element in _inside(row._tr, {f"{_W}tc"})]


def _paragraphs(cell: _Cell) -> list[Paragraph]:
    """Those of tables in the cell, too: what is in the cell of a cell is text of the outer one."""
    from docx.text.paragraph import Paragraph

    return [Paragraph(element, cell) for element in _inside(cell._tc, {f"{_W}p"}, _AROUND | _TABLE)]


def _runs(paragraph: Paragraph) -> list[Run]:
    from docx.text.run import Run

    return [Run(element, paragraph) for element in _inside(paragraph._p, {f"{_W}r"})]


def _text(run: Run) -> str:
    """As ``run.text``, which takes time with the square of the length where a run has many line breaks; with ruby."""
    return "".join(
        str(child) if child.tag in _OF_TEXT else "".join(child.itertext(f"{_W}t"))
        for part in run._r.iterchildren(*_OF_TEXT, f"{_W}ruby")
        for child in ([part] if part.tag in _OF_TEXT else part.iterchildren(f"{_W}rubyBase"))
    )


def _text_boxes(drawn: Any) -> Iterator[Any]:
    """The contents of text boxes in a drawing, each once: what stands in a fallback, too, is its copy."""
    for box in drawn.iter(f"{_W}txbxContent"):
        above = {ancestor.tag for ancestor in takewhile(lambda each: each is not drawn, box.iterancestors())}
        if f"{_MC}Fallback" not in above and f"{_W}txbxContent" not in above:
            yield box


def _is_header(row: _Row, number: int) -> bool:
    """A row that Word repeats on each page; the first one also if every word is bold, or if it holds no figure."""
    element: Any = row._tr
    if number or element.xpath("./w:trPr/w:tblHeader"):
        return bool(element.xpath("./w:trPr/w:tblHeader"))
    cells = [[run for paragraph in _paragraphs(cell) for run in _runs(paragraph)] for cell in _own_cells(row)]
    runs = [run for cell in cells for run in cell if _text(run).strip()]
    if runs and all(run.bold for run in runs):
        return True
    look = element.getparent().xpath("./w:tblPr/w:tblLook")
    first_row = bool(look) and (look[0].get(f"{_W}firstRow") == "1" or _has_first_row_bit(look[0].get(f"{_W}val")))
    texts = ["".join(map(_text, cell)).strip() for cell in cells]
    return first_row and all(texts) and not any(re.search(r"\d", text) for text in texts)


def _has_first_row_bit(value: str | None) -> bool:
    return (
        bool(value)
        and re.fullmatch(r"[0-9A-Fa-f]{1,8}", value or "") is not None
        and bool(int(value or "0", 16) & 0x20)
    )
