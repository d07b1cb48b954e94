"""Presentations, OpenDocument texts, e-books, notebooks and mails, each made here of the few parts that it needs."""

from __future__ import annotations

import json
import zipfile
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from io import BytesIO

import pytest

from ragassay.documents.epub import read_epub
from ragassay.documents.mail import read_mail
from ragassay.documents.notebook import read_notebook
from ragassay.documents.odt import read_odt
from ragassay.documents.parsed import UnreadableError
from ragassay.documents.pptx import read_pptx

_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_XMLNS = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{_KIND}"'
)
_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        **{name: name for name in ("office", "text", "table", "style")},
        "fo": "xsl-fo-compatible",
        "draw": "drawing",
    }.items()
)


def zipped(parts: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return file.getvalue()


def links(**targets: tuple[str, str]) -> str:
    """A part of relationships: (kind, target) by id."""
    inside = "".join(
        f'<Relationship Id="{name}" Type="{_KIND}/{kind}" Target="{target}"/>'
        for name, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_LINKS}">{inside}</Relationships>'


def shape(place: str, *texts: str) -> str:
    """A shape with paragraphs; what stands before "@" is the paragraph's properties."""
    paragraphs = "".join(
        f"<a:p>{before}<a:r><a:t>{text}</a:t></a:r></a:p>"
        for before, _, text in (text.rpartition("@") for text in texts)
    )
    mark = "" if place == "box" else f'<p:ph type="{place}"/>' if place else "<p:ph/>"
    return f"<p:sp><p:nvSpPr><p:nvPr>{mark}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def slide(*shapes: str, tag: str = "sld", more: str = "") -> str:
    return f"<p:{tag} {_XMLNS} {more}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:{tag}>"


def deck(*slides: str, **others: str) -> bytes:
    """A presentation whose slides stand in the file in the reverse of their order."""
    names = [f"s{len(slides) - at}.xml" for at in range(len(slides))]
    ids = "".join(f'<p:sldId r:id="r{at}"/>' for at in range(len(slides)))
    return zipped(
        {
            "_rels/.rels": links(r=("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"<p:presentation {_XMLNS}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": links(
                **{f"r{at}": ("slide", f"slides/{name}") for at, name in enumerate(names)}
            ),
            **{f"ppt/slides/{name}": content for name, content in zip(names, slides, strict=True)},
            **{f"ppt/{name}": content for name, content in others.items()},
        }
    )


TABLE = (
    '<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>'
    + "".join(
        "<a:tr>"
        + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>" for text in row)
        + "</a:tr>"
        for row in (("Kind", "Price"), ("Child", "4"))
    )
    + "</a:tbl></p:graphicFrame>"
)


def test_slides_in_order_with_lists_tables_and_notes(leaves):
    first = slide(
        shape("", "Two trips a day", '<a:pPr lvl="1"/>@none on Sunday', "Cars pay"), shape("ctrTitle", "Ferries")
    )
    second = slide(shape("title", "Fares &amp; more"), TABLE, shape("sldNum", "2"), shape("box", "Ask us."))
    hidden = slide(shape("title", "Old"), more='show="0"')
    notes = {"slides/_rels/s3.xml.rels": links(n=("notesSlide", "../n.xml"))}
    notes["n.xml"] = slide(shape("body", "Say hello."), shape("sldNum", "1"), tag="notes")
    parsed = read_pptx(deck(first, second, hidden, **notes))
    assert parsed.title == "Ferries"
    assert parsed.notes == ("Left out: hidden slides.",)
    assert leaves(parsed) == [
        ("title", "Ferries"),
        ("item", "Two trips a day"),
        ("item", "none on Sunday"),
        ("item", "Cars pay"),
        ("paragraph", "Notes: Say hello."),
        ("heading", "Fares & more"),
        ("header_cell", "Kind"),
        ("header_cell", "Price"),
        ("cell", "Child"),
        ("cell", "4"),
        ("paragraph", "Ask us."),
    ]
    assert [block.level for block in parsed.blocks if block.kind == "item"] == [0, 1, 0]


def test_equations_on_slides():
    """As PowerPoint writes them, with a picture for programs that do not know them."""
    equation = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice><a14:m '
        'xmlns:a14="a" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath><m:r><m:t>A&lt;12'
        "</m:t></m:r></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>gone</a:t></a:r></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    page = slide(shape("box", "The area is ")).replace("</a:p>", f"{equation}<a:r><a:t> metres.</a:t></a:r></a:p>")
    assert read_pptx(deck(page)).text == "The area is A<12 metres."


def odt(body: str, styles: str = "", **others: str) -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content, **others})


def test_open_document_text(leaves):
    styles = (
        '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
        '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="P1" style:parent-style-name="Table_20_Heading"/>'
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/>'
        '<text:list-level-style-bullet text:level="2"/></text:list-style>'
    )
    item = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"
    inner = f"<text:list>{item.format('inner', '')}</text:list>"
    row = "<table:table-row>{}</table:table-row>"
    cell = '<table:table-cell{}><text:p text:style-name="{}">{}</text:p></table:table-cell>'
    parsed = read_odt(
        odt(
            '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p text:style-name="Title">Ferries'
            '</text:p><text:h text:outline-level="2">Fares</text:h><text:p><text:span text:style-name="B">Owner:'
            '</text:span> Ann<text:span text:style-name="H">x</text:span><text:note><text:note-citation>1'
            "</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note></text:p>"
            f'<text:list text:style-name="L">{item.format("one", inner)}{item.format("two", "")}</text:list>'
            "<table:table>"
            + row.format(cell.format("", "P1", "Kind") + cell.format("", "P1", "Price"))
            + row.format(cell.format(' table:number-rows-spanned="2"', "", "Child") + cell.format("", "", "4"))
            + row.format("<table:covered-table-cell/>" + cell.format("", "", "5"))
            + "</table:table>",
            styles,
        )
    )
    assert parsed.notes == ("Left out: hidden text.",)
    assert leaves(parsed) == [
        ("title", "Ferries"),
        ("heading", "Fares"),
        ("key", "Owner"),
        ("value", "Ann"),
        ("paragraph", "The note."),
        ("step", "one"),
        ("item", "inner"),
        ("step", "two"),
        ("header_cell", "Kind"),
        ("header_cell", "Price"),
        ("cell", "Child"),
        ("cell", "4"),
        ("cell", "Child"),
        ("cell", "5"),
    ]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("<text:p>A<draw:frame><draw:object/></draw:frame></text:p>", "equations"),
        ("<text:p>A<draw:frame><draw:object-ole/></draw:frame></text:p>", "equations"),
        ('<text:p>A</text:p><text:section text:display="none"><text:p>x</text:p></text:section>', "hidden text"),
        ('<text:p>A<text:hidden-text text:string-value="x">x</text:hidden-text></text:p>', "hidden text"),
    ],
)
def test_what_an_open_document_text_hides_or_embeds_is_told(body, what):
    parsed = read_odt(odt(body))
    assert (parsed.text, [what in note for note in parsed.notes]) == ("A", [True])


def book(chapters: dict[str, str], **others: str) -> bytes:
    """An e-book; its chapters are read in the order given and stand in the file in another."""
    items = "".join(f'<item id="{name}" href="text/{name}%20x.xhtml"/>' for name in sorted(chapters))
    order = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'
    return zipped(
        {
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/b.opf"/></rootfiles></container>',
            "OPS/b.opf": '<package xmlns:dc="d"><metadata><dc:title>Ferries</dc:title></metadata>'
            f'<manifest>{items}<item id="n" properties="nav" href="nav.xhtml"/></manifest><spine>{order}'
            '<itemref idref="n"/></spine></package>',
            **{f"OPS/text/{name} x.xhtml": page.format(body) for name, body in chapters.items()},
            **others,
        }
    )


def test_chapters_in_reading_order(leaves):
    parsed = read_epub(book({"z": "<main><h1>One</h1><p>First&nbsp;text.<a id='t'/></p></main>", "a": "<h1>Two</h1>"}))
    assert (parsed.title, leaves(parsed)) == (
        "Ferries",
        [("heading", "One"), ("paragraph", "First text."), ("heading", "Two")],
    )


def test_text_right_in_a_body_is_read_and_chapters_that_cannot_be_are_told():
    parsed = read_epub(
        book({"a": "Rooms &lt;30&gt;.<br/>Breakfast 8.", "b": "x", "c": "Last."}, **{"OPS/text/b x.xhtml": ""})
    )
    assert parsed.text.split() == ["Rooms", "<30>.", "Breakfast", "8.", "Last."]
    assert [note.partition(";")[0] for note in parsed.notes] == ["Left out: chapters that cannot be read (1)"]


def test_cells_of_a_notebook_and_outputs_that_are_text(leaves):
    outputs = [
        {"output_type": "stream", "text": ["a\n", "\x1b[31mb\x1b[0m\n"]},
        {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": "<Figure>"}},
        {
            "output_type": "execute_result",
            "data": {"text/html": "<div hidden><table><tr><td>1<td>2", "text/plain": "x"},
        },
        {"output_type": "execute_result", "data": {"text/html": "<table><tr><td>1<td>2", "text/plain": "x"}},
        {"output_type": "error", "ename": "KeyError", "evalue": "'k'", "traceback": ["long"]},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Trips\n", "\n", "Two a <b>day."]},
        {"cell_type": "code", "source": "print(1 < 2)", "outputs": outputs},
        {"cell_type": "raw", "source": "raw"},
    ]
    parsed = read_notebook(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode())
    assert [note[:16] for note in parsed.notes] == ["Left out: text t", "Left out: output"]
    assert leaves(parsed) == [
        ("title", "Trips"),
        ("paragraph", "Two a day."),
        ("code", "print(1 < 2)"),
        ("code", "a\nb"),
        ("cell", "1"),
        ("cell", "2"),
        ("code", "KeyError: 'k'"),
        ("code", "raw"),
    ]


def mail(text: str, page: str = "") -> EmailMessage:
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = "Fähre late", "Ann Sea <ann@example.org>", "Bob <bob@example.org>"
    made["Date"] = "Tue, 02 Jan 2024 03:04:05 +0100"
    made.set_content(text)
    if page:
        made.add_alternative(page, subtype="html")
    return made


def test_text_of_a_mail_and_names_of_attachments(leaves):
    made = mail("The ferry is late.\n\n- one\n- two\n")
    made.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="../plan.pdf")
    parsed = read_mail(made.as_bytes())
    assert (parsed.title, parsed.notes) == ("Fähre late", ("Left out: attachments; the text names them.",))
    found = leaves(parsed)
    assert found[:4] == [
        ("key", "Subject"),
        ("value", "Fähre late"),
        ("key", "From"),
        ("value", "Ann Sea <ann@example.org>"),
    ]
    assert ("value", "2024-01-02 03:04:05+01:00") in found
    assert ("value", "../plan.pdf") in found
    assert found[-3:] == [("paragraph", "The ferry is late."), ("item", "one"), ("item", "two")]


def test_page_of_a_mail_rather_than_its_text(leaves):
    parsed = read_mail(mail("plain", "<html><body><p>Late &lt;again&gt;.<table><tr><td>1<td>2</table>").as_bytes())
    assert leaves(parsed)[-3:] == [("paragraph", "Late <again>."), ("cell", "1"), ("cell", "2")]
    assert "plain" not in parsed.text


def test_a_header_that_cannot_be_parsed_stands_as_it_is():
    broken = mail("Late.").as_bytes().replace(b"Tue, 02 Jan 2024 03:04:05", b"2, 02 Jan 99999999999999999999 03:04:05")
    assert "Date: 2, 02 Jan 99999999999999999999" in read_mail(broken).text


@pytest.mark.parametrize("page", ["", "<p>See below.</p>"])
def test_mails_inside_a_mail_are_read(page):
    made = mail("See below.", page)
    made.add_attachment(mail("No trip <today>."))
    parsed = read_mail(made.as_bytes())
    assert parsed.notes == ()
    assert parsed.text.count("Subject: Fähre late") == 2
    assert parsed.text.index("See below.") < parsed.text.index("No trip <today>.")


def test_text_parts_are_read_in_order_and_one_of_alternatives():
    made = MIMEMultipart("mixed")
    made["From"], made["Subject"] = "Ann", "Hours"
    choice = MIMEMultipart("alternative", _subparts=[MIMEText("plain", "plain"), MIMEText("<p>Open at 9.<!--", "html")])
    inner = MIMEMultipart("mixed", _subparts=[MIMEText("<title>no</title><p>Fee: 40.", "html")])
    inner["From"], inner["Subject"] = "Bob", "Fees"
    for part in (MIMEText("Hello.\n\nBye.", "plain"), choice, MIMEMessage(inner), MIMEText("<p>Scanned.</p>", "html")):
        made.attach(part)
    parsed = read_mail(made.as_bytes())
    assert parsed.text.split() == (
        "Subject: Hours From: Ann Hello. Bye. Open at 9. Subject: Fees From: Bob Fee: 40. Scanned.".split()
    )
    assert parsed.notes == ()
    made.attach(MIMEText("<p>never", "html"))
    made.get_payload()[-1]["Content-Disposition"] = 'attachment; filename="page.html"'
    parsed = read_mail(made.as_bytes())
    assert ("Attachments: page.html" in parsed.text, "never" in parsed.text) == (True, False)


XXE = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname"><!ENTITY f "no">]>'
OLE = b"\xd0\xcf\x11\xe0" + b"\0" * 600
ENCRYPTED = "<encryption><CipherReference URI='OPS/text/a%20x.xhtml'/></encryption>"


@pytest.mark.parametrize(
    ("read", "data", "reason"),
    [
        (read_pptx, OLE, "encrypted or from before Office 2007"),
        (read_pptx, b"<html>", "web page"),
        (read_pptx, odt(""), "names no main part"),
        (read_pptx, deck("<p:sld"), "not valid XML"),
        (read_pptx, deck(slide())[:200], "damaged"),
        (read_odt, OLE, "encrypted or"),
        (read_odt, deck(slide()), "content.xml is missing"),
        (read_odt, odt("", **{"META-INF/manifest.xml": "<encryption-data/>"}), "password"),
        (read_odt, zipped({"content.xml": "<a><office/></a>"}), "not a text document"),
        (read_odt, zipped({"content.xml": " " * 301_000_000}), "unpacks to 301 MB"),
        (read_epub, zipped({"a": "b"}), "META-INF/container.xml is missing"),
        (read_epub, book({"a": "x"}, **{"META-INF/encryption.xml": ENCRYPTED}), "DRM"),
        (read_notebook, b"<html>", "not valid JSON"),
        (read_notebook, b"[" * 100_000, "not valid JSON"),
        (read_notebook, b'{"cells": 5}', "no cells"),
        (read_mail, OLE, "of Outlook"),
        (read_mail, b"\x89PNG\r\n\x00", "not a mail"),
        (read_mail, b"From: a\nContent-Type: multipart/encrypted\n\nx", "encrypted"),
    ],
)
def test_what_cannot_be_read_has_one_reason(read, data, reason):
    with pytest.raises(UnreadableError, match=reason):
        read(data)


def test_nothing_outside_of_a_file_is_read():
    chapter = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Text &e; &f; here.</p></body></html>'
    evil = {"OPS/text/a x.xhtml": XXE + chapter, "../../evil": "x"}
    for text in (
        read_epub(book({"a": ""}, **evil)).text,
        read_odt(zipped({"content.xml": XXE + odt_content("Text &e; &f; here.")})).text,
    ):
        assert text.startswith("Text")
        assert text.endswith("here.")
        assert "/" not in text
    up = book({"a": "x"}).replace(b"OPS/text/a x", b"OPS/text/b x")
    with pytest.raises(UnreadableError, match=r"ops/text/a x.xhtml is missing"):
        read_epub(up)


def odt_content(text: str) -> str:
    body = f"<office:body><office:text><text:p>{text}</text:p></office:text></office:body>"
    return f"<office:document-content {_ODF}>{body}</office:document-content>"
