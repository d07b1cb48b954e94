"""PDF: lines put together again, running heads gone, headings known by their size."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pypdf
import pytest

from ragassay.documents.parsed import UnreadableError
from ragassay.documents.pdf import read_pdf


class Type(NamedTuple):
    """A line to be set: where, in which font (F1 plain, F2 bold, F3 monospaced), how large."""

    x: int
    y: int
    text: str
    font: str = "F1"
    size: int = 10


def page_content(lines: list[Type]) -> bytes:
    shown = [
        f"BT /{line.font} {line.size} Tf {line.x} {line.y} Td ({line.text.replace('(', '').replace(')', '')}) Tj ET"
        for line in lines
    ]
    return "\n".join(shown).encode("latin-1")


def write_pdf(path: Path, pages: list[list[Type]], title: str = "") -> Path:
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
    assert parsed.notes == ("Kept once, at its end: lines that stand at the top or bottom of several pages.",)


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
        (["Report 1", "Report 2", "Report 3"], ["Report 1"]),  # the number grows with the pages: one line
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
