"""Word documents to text and blocks: headings, lists and tables as their styles and numbering say."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.corpus.code_text import code_text
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
from ragassay.records import BlockKind

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table, _Row
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

_MOST_UNPACKED_BYTES = 300_000_000
"""Of all parts together: a small file can unpack to gigabytes."""
_MONOSPACED = re.compile(r"courier|consolas|mono|menlo|code", re.IGNORECASE)
_CODE_STYLE = re.compile(r"code|source|listing|preformatted|verbatim", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"heading (\d)|überschrift (\d)|titre (\d)|标题 (\d)", re.IGNORECASE)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read_docx(path: Path) -> ParsedText:
    """Text and structure of a Word document. Raises UnreadableError when it is broken, encrypted or too large."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    _check_package(path)
    try:
        document = docx.Document(str(path))
        return _DocumentReader(document).read()
    except (PackageNotFoundError, SyntaxError, KeyError, ValueError, AttributeError, zipfile.BadZipFile) as error:
        raise UnreadableError(
            f"it is not a sound Word document ({type(error).__name__})"
        ) from None  # lxml: SyntaxError


def _check_package(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(4) == b"\xd0\xcf\x11\xe0":
            raise UnreadableError("it is encrypted or from before Word 2007; save it as .docx without a password")
    try:
        with zipfile.ZipFile(path) as package:
            unpacked = sum(part.file_size for part in package.infolist())
    except zipfile.BadZipFile:
        raise UnreadableError("it is not a Word document: not even a ZIP file") from None
    if unpacked > _MOST_UNPACKED_BYTES:
        raise UnreadableError(
            f"it unpacks to {unpacked / 1e6:.0f} MB, more than the limit of {_MOST_UNPACKED_BYTES / 1e6:.0f} MB"
        )


class _DocumentReader:
    def __init__(self, document: WordDocument) -> None:
        self._document = document
        self._builder = TextBuilder()
        self._prose = ProseWriter(self._builder)
        self._title = " ".join((document.core_properties.title or "").split())
        self._list: tuple[str, int] | None = None
        self._row = -1
        self._code: list[str] = []

    def read(self) -> ParsedText:
        from docx.table import Table

        title = self._title
        for part in self._document.iter_inner_content():
            if isinstance(part, Table):
                self._end_code()
                self._add_table(part)
            else:
                self._add_paragraph(part)
        self._end_code()
        return self._builder.build(title or self._builder.first_heading())

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        pieces = list(_pieces(paragraph))
        style = (paragraph.style.name or "") if paragraph.style is not None else ""
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
        marker = _list_marker(paragraph, lower)
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
        for row_number, row in enumerate(table.rows):
            header = row_number == 0 and len(table.rows) > 1 and _is_header(row)
            first = True
            for column, text, literals in _cells(row):
                self._builder.separate(" | " if not first else "\n" if row_number else "\n\n")
                first = False
                self._builder.add_text(
                    "header_cell" if header else "cell",
                    text,
                    literals,
                    separator="",
                    group=group,
                    row=row_number,
                    column=column,
                )


def _pieces(paragraph: Paragraph) -> Iterator[Piece]:
    from docx.text.run import Run

    for part in paragraph.iter_inner_content():
        for run in [part] if isinstance(part, Run) else part.runs:
            literal, strong = _is_literal(run), bool(run.bold)
            for number, line in enumerate(run.text.split("\n")):
                if number:
                    yield LINE_BREAK
                yield Piece(line, literal=literal and bool(line.strip()), strong=strong)


def _is_literal(run: Run) -> bool:
    style = run.style.name or ""
    return bool(_MONOSPACED.search(run.font.name or "") or _MONOSPACED.search(style))


def _list_marker(paragraph: Paragraph, style: str) -> tuple[str, int, bool] | None:
    """Id of the list, level, and whether it is numbered; None for a paragraph outside lists."""
    properties: Any = paragraph._p.pPr
    numbering = properties.numPr if properties is not None else None
    if numbering is not None and numbering.numId is not None and numbering.numId.val:
        level = numbering.ilvl.val if numbering.ilvl is not None else 0
        list_id = str(numbering.numId.val)
        return list_id, level, _is_numbered(paragraph, list_id, level)
    match = re.match(r"list (bullet|number)(?: (\d))?", style)
    if match:
        return match.group(1), int(match.group(2) or 1) - 1, match.group(1) == "number"
    return None


def _is_numbered(paragraph: Paragraph, list_id: str, level: int) -> bool:
    """Whether the numbering definition of a list gives its items numbers rather than bullets."""
    try:
        root: Any = paragraph.part.numbering_part.element  # type: ignore[attr-defined]  # only on the document's part
    except (KeyError, NotImplementedError, AttributeError):
        return False
    links = root.xpath(f'./w:num[@w:numId="{int(list_id)}"]/w:abstractNumId/@w:val')
    if not links:
        return False
    formats = root.xpath(
        f'./w:abstractNum[@w:abstractNumId="{int(links[0])}"]/w:lvl[@w:ilvl="{int(level)}"]/w:numFmt/@w:val'
    )
    return bool(formats) and formats[0] not in ("bullet", "none")


def _is_header(row: _Row) -> bool:
    """A row that Word repeats on each page, or of which every word is bold; or the first one if it holds no figure."""
    element: Any = row._tr
    if element.xpath("./w:trPr/w:tblHeader"):
        return True
    runs = [run for cell in row.cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip()]
    if runs and all(run.bold for run in runs):
        return True
    look = element.getparent().xpath("./w:tblPr/w:tblLook")
    first_row = bool(look) and (look[0].get(f"{_W}firstRow") == "1" or _has_first_row_bit(look[0].get(f"{_W}val")))
    texts = [cell.text.strip() for cell in row.cells]
    return first_row and all(texts) and not any(re.search(r"\d", text) for text in texts)


def _has_first_row_bit(value: str | None) -> bool:
    return (
        bool(value)
        and re.fullmatch(r"[0-9A-Fa-f]{1,8}", value or "") is not None
        and bool(int(value or "0", 16) & 0x20)
    )


def _cells(row: _Row) -> Iterator[tuple[int, str, list[tuple[int, int]]]]:
    """Column, text and literals of each cell once, however many columns or rows it spans."""
    from docx.table import _Cell

    column = row.grid_cols_before
    for element in row._tr.tc_lst:
        if element.vMerge != "continue":
            pieces: list[Piece] = []
            for paragraph in _Cell(element, row.table).paragraphs:
                pieces += [*_pieces(paragraph), LINE_BREAK]
            text, literals, _ = running_text(pieces)
            yield column, text, literals
        column += element.grid_span
