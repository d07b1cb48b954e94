"""Read spreadsheets: each sheet under its name; what empty rows or columns part are tables of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ragassay.documents.packages import OLE, Package
from ragassay.documents.parsed import ParsedText, TextBuilder, UnreadableError, clean_characters
from ragassay.documents.rows import MOST_CELLS, add_rows

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_LARGEST_AREA = 20_000_000
"""Cells between the corners of a sheet: the library makes room for all of them, 32 bytes each."""
_PLACE = re.compile(rb"""<(?:\w+:)?(?:c|row)\s[^>]*?\br\s*=\s*["'](\w*?)(\d+)["']""")
_WITHOUT_VALUE = re.compile(
    rb"""<(?:\w+:)?c\b(?P<text>[^<>]*?\st=["']str["'])?+[^<>]*>\s*+<(?:\w+:)?f\b[^<>]*(?:(?<=/)>|>[^<]*</(?:\w+:)?f>)\s*+"""
    rb"""(?(text)|(?:<(?:\w+:)?v\s*+/>|<(?:\w+:)?v></(?:\w+:)?v>)?)\s*+</(?:\w+:)?c>"""
)

Rows = Sequence[Sequence[str]]


def read_spreadsheet(data: bytes) -> ParsedText:
    """Read the sheets that are shown. Raises UnreadableError where it is no workbook, encrypted or too large."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    notes = [] if data.startswith(OLE) else _check(Package(data, ".xlsx"))
    try:
        workbook = CalamineWorkbook.from_filelike(BytesIO(data))
    except PasswordError:
        raise UnreadableError("it is protected by a password; save it without one") from None
    except CalamineError as error:
        why = "protected by a password" if data.startswith(OLE) else f"damaged ({error})"
        raise UnreadableError(f"it is {why}, or not a workbook; save it as .xlsx without a password") from None
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    shown = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
    if len(shown) < len(workbook.sheet_names):
        notes.append("Left out: sheets that are hidden, or hold a chart or macros.")
    builder = TextBuilder()
    for name in shown:
        try:
            tables = list(_tables(_rows(workbook.get_sheet_by_name(name))))
        except CalamineError as error:
            notes.append(f"Left out: its sheet {name!r}, which cannot be read ({error}); save it again.")
            continue
        if tables and len(shown) > 1:
            builder.add_text("heading", " ".join(clean_characters(name).split()), level=1)
        for table in tables:
            if max(map(len, table)) > 1:
                add_rows(builder, table)
            else:
                for number, (text,) in enumerate(table):
                    builder.add_text("paragraph", text, separator="\n" if number else "\n\n")
    return replace(builder.build(""), notes=tuple(notes))


def _check(package: Package) -> list[str]:
    """Return what is to be said of formulas. Raises UnreadableError for more cells, or farther apart, than the limit.

    All that is read here has the size that the file says it has, which the library does not check.
    """
    cells = lacking = 0
    for name in package:
        content = package.read(name)
        if "/worksheets/" not in name:
            continue
        cells += content.count(b"<c ")
        if cells > MOST_CELLS:
            raise UnreadableError(f"it has more than {MOST_CELLS:,} cells, the limit; split it, or export what counts")
        places = _PLACE.findall(content)
        rows = [int(row) for _, row in places]
        columns = [_column(letters) for letters in {letters.upper() for letters, _ in places if letters}] or [1]
        if places and (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) > _LARGEST_AREA:
            raise UnreadableError(f"the cells of {name} lie too far apart; delete those far from the table")
        lacking += len(_WITHOUT_VALUE.findall(content))  # of a text an empty value is one
    if not lacking:
        return []
    return [f"Left out: formulas without a stored value ({lacking:,}); open and save it in a spreadsheet program."]


def _column(letters: bytes) -> int:
    return sum((letter - 64) * 26**place for place, letter in enumerate(reversed(letters)))


def _rows(sheet: CalamineSheet) -> list[list[str]]:
    """Return all rows from the first filled column on; a merged cell again in each place, but for headlines."""
    rows = [[cell if isinstance(cell, str) and not cell else _shown(cell) for cell in row] for row in sheet.iter_rows()]
    width, first = max(map(len, rows), default=0), (sheet.start or (0, 0))[1]
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():  # in places of the sheet
        left, right = left - first, right - first
        if top < len(rows) and 0 <= left < len(rows[top]) and right - left + 1 < width:
            for row in rows[top : bottom + 1]:
                row[left : right + 1] = [rows[top][left]] * len(row[left : right + 1])
    return rows


def _shown(cell: Any) -> str:
    """Return a value as text: whole numbers without a point, dates and times as ISO 8601 writes them."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else f"{cell:.15g}"
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ").removesuffix(":00")
    if isinstance(cell, date | time):
        return cell.isoformat().removesuffix(":00") if isinstance(cell, time) else cell.isoformat()
    return " ".join(clean_characters(str(cell)).split())


def _tables(rows: Iterable[Sequence[str]]) -> Iterator[Rows]:
    """Yield what empty rows, then empty columns part; lines with one cell around a table are apart from it."""
    for is_filled, stretch in groupby(rows, key=any):
        if not is_filled:
            continue
        block = list(stretch)
        starts = [sum(map(bool, row)) > 1 for row in block]
        first = starts.index(True) if True in starts else 0
        last = len(block) - starts[::-1].index(True) if True in starts else len(block)
        yield from ([[cell for cell in row if cell]] for row in block[:first])
        columns = list(zip(*block[first:last], strict=True))
        for has_text, side in groupby(columns, key=any):
            if has_text:
                yield [row for row in zip(*side, strict=True) if any(row)]
        yield from ([[cell for cell in row if cell]] for row in block[last:])
