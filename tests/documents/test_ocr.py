"""Scanned pages: what is recognised is put straight and in order; pages that have text stay as they are."""

from __future__ import annotations

import sys
from io import BytesIO
from math import cos, radians, sin
from types import SimpleNamespace

import numpy as np
import pypdf
import pytest
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject

from ragassay.documents import ocr
from ragassay.documents.parsed import UnreadableError
from ragassay.documents.pdf import read_pdf
from ragassay.documents.read import ReadOptions, read_corpus

PARAGRAPH = (
    "The ferry crosses the strait twice a day, and on Sundays it stays in the har-",
    "bour until noon. In winter there is a single crossing on each of the days",
    "of the week.",
)


def pdf_of(*pages: str | None) -> bytes:
    """Pages with a line of text each; None makes one with a picture of a single dot."""
    writer = pypdf.PdfWriter()
    for text in pages:
        page = writer.add_blank_page(600, 800)
        content = StreamObject()
        if text is None:
            picture = StreamObject()
            picture.set_data(b"\0")
            picture |= {NameObject(f"/{key}"): NumberObject(1) for key in ("Width", "Height")}
            picture |= {NameObject("/Subtype"): NameObject("/Image"), NameObject("/BitsPerComponent"): NumberObject(8)}
            picture[NameObject("/ColorSpace")] = NameObject("/DeviceGray")
            resources = {"/XObject": {"/I": picture}}
            content.set_data(b"600 0 0 800 0 0 cm /I Do")
        else:
            font = {"/Subtype": "/Type1", "/BaseFont": "/Helvetica", "/Encoding": "/WinAnsiEncoding"}
            resources = {"/Font": {"/F": {"/Type": "/Font", **font}}}
            content.set_data(f"BT /F 10 Tf 60 700 Td ({text}) Tj ET".encode("cp1252"))
        page[NameObject("/Resources")] = named(resources)
        page[NameObject("/Contents")] = writer._add_object(content)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def named(value):
    if isinstance(value, str):
        return NameObject(value)
    if isinstance(value, StreamObject):
        return value
    return DictionaryObject({NameObject(key): named(item) for key, item in value.items()})


@pytest.fixture
def recognising(monkeypatch):
    """Have recognition find these (x, y, text) on each page: lines of 20 pixels, 9 to each character, at a slant."""

    def begin(*lines: tuple[float, float, str], degrees: float = 0, times: float = 1) -> None:
        page = SimpleNamespace(
            get_size=lambda: (600, 800), render=lambda *, scale: SimpleNamespace(to_numpy=lambda: None)
        )
        monkeypatch.setitem(
            sys.modules, "pypdfium2", SimpleNamespace(PdfDocument=lambda _: dict.fromkeys(range(9), page))
        )
        turn = np.array(
            [[cos(radians(degrees)), sin(radians(degrees))], [-sin(radians(degrees)), cos(radians(degrees))]]
        )
        boxes = []
        for x, y, text in lines:
            right, low = x + 9 * len(text), y + 20 * (times if text.isupper() else 1)
            boxes.append(np.array([(x, y), (right, y), (right, low), (x, low)]) @ turn)
        found = SimpleNamespace(boxes=np.array(boxes), txts=tuple(text for _, _, text in lines))
        monkeypatch.setattr(ocr, "_recogniser", lambda: lambda _: found)

    return begin


def test_lines_become_paragraphs_and_the_file_says_so(recognising, leaves):
    lines = [(100, 200 + 24 * at, line) for at, line in enumerate(PARAGRAPH)]
    recognising(*lines, (100, 320, "<b>Fares</b> & # discounts"))
    parsed = read_pdf(pdf_of(None))
    assert leaves(parsed) == [
        ("paragraph", "".join((PARAGRAPH[0][:-1], PARAGRAPH[1], " ", PARAGRAPH[2]))),
        ("paragraph", "<b>Fares</b> & # discounts"),
    ]
    assert parsed.notes == ("Recognised: the text of pages that are scans or pictures (1 of 1).",)


def test_pages_that_have_text_are_read_as_before(recognising):
    recognising((100, 200, "From the picture."))
    parsed = read_pdf(pdf_of("From the text.", None, "Again a text."))
    assert parsed.text == "From the text.\n\nFrom the picture.\n\nAgain a text."
    assert parsed.notes == ("Recognised: the text of pages that are scans or pictures (1 of 1).",)


def test_a_page_whose_only_text_is_a_stamp_is_a_scan(recognising):
    recognising((100, 200, "From the picture, and a stamp."))
    data = pdf_of(None, "17")
    reader = pypdf.PdfReader(BytesIO(data))
    writer = pypdf.PdfWriter()
    page = writer.add_page(reader.pages[0])
    page.merge_page(reader.pages[1])
    written = BytesIO()
    writer.write(written)
    assert read_pdf(written.getvalue()).text == "From the picture, and a stamp."
    recognising()
    assert read_pdf(written.getvalue()).text == "17"


@pytest.mark.parametrize("degrees", [-2, 0, 2])
def test_columns_are_read_one_after_the_other_at_any_slant(recognising, degrees):
    left = [(100, 200 + 24 * at, f"Left line {at} of the story about ferries,") for at in range(10)]
    right = [(640, 207 + 24 * at, f"right line {at} of the story about cargo,") for at in range(10)]
    recognising(
        (100, 500, "A last line that goes across both of the columns, as a footer does"),
        *(line for pair in zip(right, left, strict=True) for line in pair),
        (100, 100, "The strait and all that crosses it, a title that is above both columns"),
        degrees=degrees,
    )
    text = read_pdf(pdf_of(None)).text
    places = [text.index(part) for part in ("The strait", "Left line 0", "Left line 9", "right line 0", "A last")]
    assert places == sorted(places)


def test_cells_of_a_row_stay_beside_each_other(recognising):
    rows = [(x, 200 + 30 * at + x / 200, f"{'ab'[x > 100]}{at}") for at in range(10) for x in (640, 100)]
    recognising(*rows)
    assert "a0 b0" in read_pdf(pdf_of(None)).text


def test_what_stands_sideways_is_left_out(recognising):
    recognising((100, 200, "The ferry crosses."), (900, 300, "A STAMP IN THE MARGIN"), times=20)
    assert read_pdf(pdf_of(None)).text == "The ferry crosses."


def test_lines_half_as_high_again_are_headings(recognising, leaves):
    lines = [(100, 300 + 24 * at, line) for at, line in enumerate(PARAGRAPH)]
    recognising((100, 200, "FARES"), *lines, times=1.5)
    assert [kind for kind, _ in leaves(read_pdf(pdf_of(None)))] == ["title", "paragraph"]


@pytest.mark.parametrize("pages", [(None,), ("Some text.", None, None)])
def test_without_the_extra_it_is_said_how_to_read_scans(monkeypatch, pages):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    if pages[0] is None:
        with pytest.raises(UnreadableError, match=r"scans.*\(1\).*ragassay\[ocr\].*ocrmypdf"):
            read_pdf(pdf_of(*pages))
    else:
        (note,) = read_pdf(pdf_of(*pages)).notes
        assert "(2)" in note
        assert "ragassay[ocr]" in note


def test_pages_without_a_picture_are_not_sent_to_recognition(recognising):
    recognising((100, 200, "From nowhere."))
    with pytest.raises(UnreadableError, match=r"^it has no text$"):
        read_pdf(pdf_of(""))


def test_a_real_page_is_recognised(tmp_path):
    """Set, rendered, turned by half a degree and read by the models, within the limits of reading."""
    pypdfium2 = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (extra ocr)")
    pytest.importorskip("rapidocr", reason="rapidocr is not installed (extra ocr)")
    from PIL import Image

    text = "The café in Zürich opens at 7.30, after the ferry."
    picture = pypdfium2.PdfDocument(pdf_of(text))[0]
    image: Image.Image = picture.render(scale=2).to_pil()
    image.rotate(0.5, fillcolor="white").save(tmp_path / "scan.pdf", resolution=144)
    notes = []
    (document,) = read_corpus([tmp_path / "scan.pdf"], ReadOptions(), notes.append, notes.append)
    assert document.text == text
    assert [note.reason for note in notes] == ["Recognised: the text of pages that are scans or pictures (1 of 1)."]
