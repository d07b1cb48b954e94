"""Spreadsheets: sheets as headings, rows as records with their heads, and workbooks that are none."""

from __future__ import annotations

import zipfile
from html import escape
from io import BytesIO

import pytest

from ragassay.documents.parsed import UnreadableError
from ragassay.documents.spreadsheet import read_spreadsheet

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def zipped(parts: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return file.getvalue()


def cell(place: str, value: object, style: int = 0) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}" s="{style}"><v>{value}</v></c>'


def workbook(sheets: dict[str, str], hidden: str = "") -> bytes:
    """A workbook; sheets: XML of the cells of row 1, 2, ... by name, rows parted by "|"."""
    states, link = ("visible", "hidden"), f'<Relationships xmlns="{_LINKS}">'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_TYPES}"/>',
        "_rels/.rels": f'{link}<Relationship Id="r" Type="{_KIND}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
        "</styleSheet>",
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_KIND}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{at}" r:id="r{at}" state="{states[name == hidden]}"/>'
            for at, name in enumerate(sheets, 1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{link}<Relationship Id="rs" Type="{_KIND}/styles" Target="styles.xml"/>'
        + "".join(
            f'<Relationship Id="r{at}" Type="{_KIND}/worksheet" Target="worksheets/s{at}.xml"/>'
            for at in range(1, len(sheets) + 1)
        )
        + "</Relationships>",
    }
    for at, content in enumerate(sheets.values(), 1):
        rows, _, rest = content.partition("#")
        inside = "".join(f'<row r="{number}">{row}</row>' for number, row in enumerate(rows.split("|"), 1))
        parts[f"xl/worksheets/s{at}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}</sheetData>{rest}</worksheet>'
        )
    return zipped(parts)


def grid(*rows: tuple[object, ...]) -> str:
    """The cells of rows from A1 on; None is an empty one."""
    return "|".join(
        "".join(cell(f"{'ABCDEFG'[column]}{number}", value) for column, value in enumerate(row) if value is not None)
        for number, row in enumerate(rows, 1)
    )


def test_sheets_titles_tables_and_dates(leaves):
    fares = grid(("Fares of the ferry",), (), ("Kind", "Price", "From"), ("Child", 4.5, None), ("Adult", 9, "noon"))
    dates = cell("A1", "Day") + cell("B1", "Trips") + "|" + cell("A2", 45293, 1) + cell("B2", 3)
    parsed = read_spreadsheet(workbook({"Fares": fares, "Days": dates, "Old": grid(("x", "y"))}, hidden="Old"))
    assert parsed.text == (
        "Fares\n\nFares of the ferry\n\nKind | Price | From\nChild | 4.5\nAdult | 9 | noon\n\n"
        "Days\n\nDay | Trips\n2024-01-02 | 3"
    )
    assert [kind for kind, _ in leaves(parsed)] == (
        ["heading", "paragraph"] + ["header_cell"] * 3 + ["cell"] * 5 + ["heading"] + ["header_cell"] * 2 + ["cell"] * 2
    )
    assert [note[:8] for note in parsed.notes] == ["Left out"]


def test_rows_of_a_long_table_have_their_heads_beside_them(leaves):
    rows = [(f"Ship {number}", number, None if number == 7 else "Kirk") for number in range(300)]
    parsed = read_spreadsheet(workbook({"Fleet": grid(("Name", "Length", "Port"), *rows)}))
    assert parsed.text.startswith("Name: Ship 0\nLength: 0\nPort: Kirk\n\nName: Ship 1\n")
    assert "Name: Ship 7\nLength: 7\n\nName: Ship 8" in parsed.text
    assert leaves(parsed)[:2] == [("key", "Name"), ("value", "Ship 0")]
    assert len({block.group for block in parsed.blocks}) == 300


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([("a", "b"), (1, 2), (), ("c", "d"), (3, 4)], "a | b\n1 | 2\n\nc | d\n3 | 4"),  # two tables
        ([("a", "b", None, "c", "d"), (1, 2, None, 3, 4)], "a | b\n1 | 2\n\nc | d\n3 | 4"),  # side by side
        ([("a", None, "b"), (1, 5, 2)], "a |  | b\n1 | 5 | 2"),  # a gap stays a gap
        ([("a", "b"), (1, 2), ("Source: us",)], "a | b\n1 | 2\n\nSource: us"),
        ([(0.1 + 0.2, 12345678901234, 1e20)], "0.3 | 12345678901234 | 1e+20"),
    ],
)
def test_tables_are_parted_by_what_is_empty(rows, text):
    assert read_spreadsheet(workbook({"A": grid(*rows)})).text == text


def test_years_are_heads_above_figures_and_values_above_years():
    kinds = [
        {block.kind for block in read_spreadsheet(workbook({"A": grid(*rows)})).blocks if block.row == 0}
        for rows in ([("Port", "2023", "2024"), ("Kirk", 7, 8)], [("Elm", "1980"), ("Fir", "1990")])
    ]
    assert kinds == [{"header_cell"}, {"cell"}]


def test_a_merged_cell_stands_in_each_row_and_formulas_without_value_are_told():
    merged = (
        grid(("Port", "Ship"), ("Kirk", "Elm"), (None, "Fir")) + '#<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
    )
    assert read_spreadsheet(workbook({"A": merged})).text == "Port | Ship\nKirk | Elm\nKirk | Fir"
    beside = (
        cell("B1", "Port")
        + cell("C1", "Trips")
        + cell("E1", "Note")
        + "|"
        + cell("B2", "Kirk")
        + cell("C2", 1)
        + cell("D2", 2)
        + "|"
        + cell("C3", 3)
        + cell("D3", 4)
        + '#<mergeCells><mergeCell ref="B2:B3"/><mergeCell ref="C1:D1"/></mergeCells>'
    )
    text = "Port | Trips | Trips | Note\nKirk | 1 | 2\nKirk | 3 | 4"  # the first column is B
    assert read_spreadsheet(workbook({"A": beside})).text == text
    formulas = (
        cell("A1", "Sum")
        + '<c r="B1"><f>1+1</f></c><c r="C1"><f>1+1</f><v>2</v></c><c r="D1"><f>2</f><v></v></c>'
        + '<c r="E1" t="str"><f>IF(A1,"","")</f><v></v></c><c r="F1" s="0" t="str"><f t="shared" si="0"/></c>'
    )
    parsed = read_spreadsheet(workbook({"A": formulas}))
    assert parsed.text == "Sum\n\n2"
    assert parsed.notes[0].startswith("Left out: formulas without a stored value (3)")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "protected by a password, or"),
        (b"\n<html><table><tr><td>1", "web page"),
        (b"Name,Price\n", "not a .xlsx file"),
        (workbook({"A": grid((1,))})[:300], "damaged"),
        (workbook({"A": cell("A1", 1) + "|" + cell("XFD1048576", 1)}), "too far apart"),
        (workbook({"A": cell("A1", 1) + "|" + cell(f"A{'2' * 40}", 1)}), "too far apart"),
        (workbook({"A": cell("A1", 1) + f'|<row r="{"9" * 12}">{cell("B", 1)}</row>'}), "too far apart"),
        (workbook({"A": "<c />" * 2_000_001}), "more than 2,000,000 cells"),
        (zipped({"mimetype": "text"}), "not a workbook"),
        (zipped({"../../etc/passwd": "root", "xl/worksheets/s.xml": "<x/>"}), "not a workbook"),
    ],
)
def test_what_is_no_workbook_or_too_large_is_named(data, reason):
    with pytest.raises(UnreadableError, match=reason):
        read_spreadsheet(data)
