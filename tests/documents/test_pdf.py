"""PDF: lines put together again, running heads gone, headings known by their size."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pypdf
import pytest
from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject, NumberObject

from ragassay.documents.parsed import UnreadableError
from ragassay.documents.pdf import read_pdf


class Type(NamedTuple):
    """A line to be set: where, in which font (F1 plain, F2 bold, F3 monospaced), how large."""

    x: int
    y: int
    text: str
    font: str = "F1"
    size: int = 10


class Rule(NamedTuple):
    """A straight line."""

    left: int
    low: int
    right: int
    high: int


def page_content(lines: list[Type | Rule]) -> bytes:
    return "\n".join(map(shown, lines)).encode("latin-1")


def shown(line: Type | Rule) -> str:
    if isinstance(line, Rule):
        return f"{line.left} {line.low} m {line.right} {line.high} l S"
    text = line.text.replace("(", "").replace(")", "")
    return f"BT /{line.font} {line.size} Tf {line.x} {line.y} Td ({text}) Tj ET"


def write_pdf(path: Path, pages: list[list[Type | Rule]], title: str = "") -> Path:
    """A PDF written by hand, object by object."""
    fonts = "".join(
        f"/F{number} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >> "
        for number, name in enumerate(("Helvetica", "Helvetica-Bold", "Courier"), start=1)
    )
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        f"<< /Title ({title}) >>".encode(),
    ]
    for number, lines in enumerate(pages):
        content = page_content(lines)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << {fonts}>> >> "
            f"/Contents {5 + 2 * number} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    body += b"trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        body.index(b"xref"),
    )
    path.write_bytes(body)
    return path


BODY = [
    Type(60, 700, "1. Crossing", "F2", 16),
    Type(60, 670, "The ferry crosses the strait twice a day, and on Sundays it stays in the har-"),
    Type(60, 658, "bour until noon. In winter there is a single crossing on each of the days"),
    Type(60, 646, "of the week."),
    Type(60, 620, "A second paragraph follows."),
    Type(60, 600, "Fares and discounts", "F2"),
    Type(60, 580, "\x95 a coat"),
    Type(60, 568, "\x95 a hat that is"),
    Type(70, 556, "made of felt"),
    Type(60, 530, "ferry --book now", "F3"),
    Type(70, 518, "--seats 2", "F3"),
]


def running(number: int) -> list[Type]:
    return [Type(60, 760, "Ferry handbook"), Type(300, 40, f"Page {number} of 4")]


def test_structure(tmp_path, leaves):
    texts = ("Second page here.", "Third page here.", "Fourth page here.")
    pages = [running(1) + BODY, *([*running(n), Type(60, 700, text)] for n, text in enumerate(texts, start=2))]
    parsed = read_pdf(write_pdf(tmp_path / "a.pdf", pages, title="Ferries").read_bytes())
    assert parsed.title == "Ferries"
    assert leaves(parsed)[:9] == [
        ("heading", "Crossing"),
        (
            "paragraph",
            "The ferry crosses the strait twice a day, and on Sundays it stays in the harbour until noon. "
            "In winter there is a single crossing on each of the days of the week.",
        ),
        ("paragraph", "A second paragraph follows."),
        ("heading", "Fares and discounts"),
        ("item", "a coat"),
        ("item", "a hat that is made of felt"),
        ("code", "ferry --book now\n  --seats 2"),
        ("paragraph", "Second page here."),
        ("paragraph", "Third page here."),
    ]
    # what stands at the top of each page is kept once, where it parts no paragraph; numbers of pages are not
    assert parsed.text.endswith("\n\nFourth page here.\n\nFerry handbook")
    assert parsed.text.count("handbook") == 1
    assert "of 4" not in parsed.text
    assert parsed.notes == ("Lines repeated at the top or bottom of pages are kept once, at the end.",)


def test_numbers_of_headings_and_steps_are_kept(tmp_path, leaves):
    lines = ["The ferry crosses the strait twice a day.", "1. Buy a ticket at the pier.", "2. Board."]
    page = [Type(60, 700, "4.1 Crossing", "F2", 16)]
    page += [Type(60, y, line) for y, line in zip((670, 640, 628), lines, strict=True)]
    parsed = read_pdf(write_pdf(tmp_path / "a.pdf", [page], title="Ferries").read_bytes())
    assert parsed.text == "4.1 Crossing\n\n{}\n\n{}\n{}".format(*lines)
    assert leaves(parsed)[::2] == [("heading", "Crossing"), ("step", "Buy a ticket at the pier.")]


@pytest.mark.parametrize(
    ("feet", "kept"),
    [
        (["1 of the log", "2 of the log", "3 of the log"], []),  # the number grows with the pages
        (["Log 1 a", "Log 2 a", "Log 3 a"], ["Log 1 a"]),  # here it is inside: one line
        (["4 Trips", "Cars 5", "6 Cars"], []),  # chapters beside the pages of a larger book
        (["Berth 7", "Berth 2", "Berth 9"], ["Berth 7", "Berth 2", "Berth 9"]),  # three texts
        (["13", "14", "15"], []),  # pages of a larger book
        (["480", "37", "1200"], ["480", "37", "1200"]),  # figures
        (["Ferries run daily.", "Ferries run daily.", "Cars pay 9."], ["Ferries run daily."] * 2 + ["Cars pay 9."]),
        (["a ..... 4", "b ..... 9", "c ..... 11"], []),
    ],
)
def test_only_what_repeats_is_taken_from_the_edge_of_a_page(tmp_path, feet, kept):
    pages = [
        [Type(60, y, f"A line of page {'one two three'.split()[number]}.") for y in (700, 600, 500)]
        + [Type(60, 40, foot)]
        for number, foot in enumerate(feet)
    ]
    text = read_pdf(write_pdf(tmp_path / "a.pdf", pages).read_bytes()).text
    assert [text.count(foot) for foot in feet] == [kept.count(foot) for foot in feet]


def test_title_is_the_largest_heading_where_the_file_names_a_leftover(tmp_path):
    path = write_pdf(tmp_path / "a.pdf", [BODY], title="Microsoft Word - crossing.doc")
    assert read_pdf(path.read_bytes()).title == "Crossing"


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_file_that_only_forbids_changes_is_read(tmp_path, algorithm):
    writer = pypdf.PdfWriter(clone_from=write_pdf(tmp_path / "a.pdf", [BODY]))
    writer.encrypt("", "owner", algorithm=algorithm)
    writer.write(tmp_path / "b.pdf")
    assert read_pdf((tmp_path / "b.pdf").read_bytes()).text == read_pdf((tmp_path / "a.pdf").read_bytes()).text


def test_without_text_or_with_a_password_it_is_unreadable(tmp_path):
    with pytest.raises(UnreadableError, match="no text"):
        read_pdf(write_pdf(tmp_path / "a.pdf", [[]]).read_bytes())
    writer = pypdf.PdfWriter(clone_from=write_pdf(tmp_path / "b.pdf", [BODY]))
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(tmp_path / "c.pdf")
    with pytest.raises(UnreadableError, match="password"):
        read_pdf((tmp_path / "c.pdf").read_bytes())


def test_a_gap_parts_words_where_the_font_has_no_space(tmp_path):
    writer = pypdf.PdfWriter(clone_from=write_pdf(tmp_path / "a.pdf", [BODY]))
    page, codes, content = writer.pages[0], DecodedStreamObject(), DecodedStreamObject()
    codes.set_data(b"1 beginbfchar\n<20> <2423>\nendbfchar")  # what has the number of the space is wide, and none
    content.set_data(b"BT /F1 10 Tf 60 700 Td [(Fer) 20 (ries) -240 (run.) ] TJ ET")
    font = page["/Resources"]["/Font"]["/F1"]
    font |= {NameObject("/ToUnicode"): codes, NameObject("/FirstChar"): NumberObject(32)}
    font |= {NameObject("/Widths"): ArrayObject([NumberObject(900)]), NameObject("/LastChar"): NumberObject(32)}
    page[NameObject("/Contents")] = content
    writer.write(tmp_path / "b.pdf")
    assert read_pdf((tmp_path / "b.pdf").read_bytes()).text == "Ferries run."


def grid(top: int, rows: list[list[str]], *, is_framed: bool) -> list[Type | Rule]:
    """Cells 100 points wide and 20 high with rules between them, and around them if framed; a "/" breaks a line."""
    width, low = len(rows[0]), top - 20 * len(rows)
    edge = not is_framed
    drawn: list[Type | Rule] = [
        Rule(60, top - 20 * at, 60 + 100 * width, top - 20 * at) for at in range(edge, len(rows) + 1 - edge)
    ]
    drawn += [Rule(60 + 100 * at, low, 60 + 100 * at, top) for at in range(edge, width + 1 - edge)]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            for line, text in enumerate(cell.split("/")):
                drawn.append(Type(64 + 100 * column, top - 9 - 20 * row - 9 * line, text, size=8))
    return drawn


@pytest.mark.parametrize("is_framed", [True, False])
def test_rules_make_a_table(tmp_path, leaves, is_framed):
    rows = [["Ship", "Port"], ["Elm", "Kirk and/Stow"], ["Fir", ""], ["Oak", "Oskay"]]
    page = [
        Type(60, 700, "Ferries of the strait."),
        *grid(680, rows, is_framed=is_framed),
        Type(60, 500, "Text after."),
    ]
    parsed = read_pdf(write_pdf(tmp_path / "a.pdf", [page]).read_bytes())
    assert parsed.text == (
        "Ferries of the strait.\n\nShip | Port\nElm | Kirk and Stow\nFir\nOak | Oskay\n\nText after."
    )
    assert [kind for kind, _ in leaves(parsed)] == ["paragraph", *["header_cell"] * 2, *["cell"] * 5, "paragraph"]


def test_a_table_goes_on_on_the_next_page_under_the_same_heads(tmp_path):
    pages = [
        [Type(60, 760, f"Fleet {number}"), *grid(200 if number == 1 else 700, rows, is_framed=True)]
        for number, rows in enumerate(
            ([["Ship", "Port"], ["Elm", "Kirk"]], [["Ship", "Port"], ["Fir", "Stow"]]), start=1
        )
    ]
    pages += [[Type(60, 760, "Fleet 3"), Type(60, 700, "End.")]]
    text = read_pdf(write_pdf(tmp_path / "a.pdf", pages).read_bytes()).text
    assert text.startswith("Ship | Port\nElm | Kirk\nFir | Stow\n\nEnd.")


def test_lines_between_two_rules_are_rows_where_all_cells_have_them(tmp_path):
    page: list[Type | Rule] = [Rule(60, y, 260, y) for y in (700, 680, 600)] + [Rule(160, 600, 160, 700)]
    cells = [("Ship", "Port"), ("Elm", "Kirk"), ("Fir", "Stow"), ("Oak", "Oskay")]
    page += [Type(x, 690 - 20 * row, cells[row][x > 64]) for row in range(4) for x in (64, 164)]
    text = read_pdf(write_pdf(tmp_path / "a.pdf", [page]).read_bytes()).text
    assert text == "Ship | Port\nElm | Kirk\nFir | Stow\nOak | Oskay"


@pytest.mark.parametrize("is_across", [True, False])
def test_two_columns_are_read_one_after_the_other(tmp_path, is_across):
    left = [Type(60, 700 - 12 * at, f"Left line {at} of the story about ferries,") for at in range(10)]
    right = [Type(320, 700 - 12 * at, f"right line {at} of the story about cargo,") for at in range(10)]
    lines = [line for pair in zip(left, right, strict=True) for line in pair] if is_across else left + right
    page = [Type(60, 740, "The strait", "F2", 16), *lines, Type(60, 500, "A footer that is wide.")]
    text = read_pdf(write_pdf(tmp_path / "a.pdf", [page]).read_bytes()).text
    assert text.index("Left line 9") < text.index("right line 0") < text.index("A footer")


def test_short_cells_side_by_side_are_no_columns(tmp_path):
    page = [Type(x, 700 - 12 * at, f"{'ab'[x > 60]}{at}") for at in range(10) for x in (60, 320)]
    assert "a0 b0" in read_pdf(write_pdf(tmp_path / "a.pdf", [page]).read_bytes()).text.replace("a0b0", "a0 b0")


def test_boxes_and_charts_are_no_tables(tmp_path):
    page: list[Type | Rule] = [Rule(60, 600, 60, 700), Rule(60, 600, 260, 600), Rule(60, 700, 260, 700)]
    page += [Rule(260, 600, 260, 700), Type(70, 650, "A box of text.")]
    page += [Rule(60, y, 300, y) for y in range(300, 500, 20)] + [Rule(x, 300, x, 500) for x in range(60, 320, 60)]
    page += [Type(62, 302, "0"), Type(62, 482, "9")]
    parsed = read_pdf(write_pdf(tmp_path / "a.pdf", [page]).read_bytes())
    assert {block.kind for block in parsed.blocks} == {"paragraph"}
