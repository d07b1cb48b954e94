"""Word documents: styles, numbering and tables as structure."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
import worst_files

from ragassay.documents.docx import read_docx
from ragassay.documents.parsed import UnreadableError
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.errors import InputError
from ragassay.records import SkippedSource

FOLDER = Path(__file__).parent / "word_files"
SAMPLE = FOLDER / "fares.docx"


def test_structure(leaves):
    parsed = read_docx(SAMPLE.read_bytes())
    assert parsed.title == "Fares"
    assert leaves(parsed) == [
        ("title", "Fares"),
        ("heading", "Adults"),
        ("paragraph", "Pay now with --card."),
        ("key", "Owner"),
        ("value", "Ann"),
        ("item", "one"),
        ("item", "inner"),
        ("item", "two"),
        ("step", "first"),
        ("header_cell", "Kind"),
        ("header_cell", "Price"),
        ("cell", "Child"),
        ("cell", "3"),
        ("cell", "Child"),
        ("cell", "4"),
        ("quote", "Said so."),
    ]
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["--card"]
    assert "Kind | Price\nChild | 3\nChild | 4" in parsed.text
    assert [block.level for block in parsed.blocks if block.kind == "item"] == [0, 1, 0]
    assert [(block.row, block.column) for block in parsed.blocks if block.kind == "cell"] == [
        *((1, 0), (1, 1), (2, 0), (2, 1))
    ]


def test_a_package_that_unpacks_too_large_is_refused(tmp_path):
    path = tmp_path / "bomb.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package,
        package.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(320):
            part.write(b"\x00" * 1_000_000)
    with pytest.raises(UnreadableError, match="unpacks to 320 MB"):
        read_docx(path.read_bytes())


TABLE = "<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{}<w:tc><w:p/></w:tc></w:tr></w:tbl>"
DAMAGES = {
    "a place before the file": lambda data: data[:-6] + (2**32 - 2).to_bytes(4, "little") + data[-2:],
    "a relationship to nothing": lambda data: damaged(data, b' Target="word/document.xml"', b""),
    "a part that is no XML": lambda data: damaged(data, b"<w:body>", b"<w:body"),
    "packed in an unknown way": lambda data: data.replace(
        b"PK\x01\x02\x14\x03\x14\0\0\0\x08\0", b"PK\x01\x02\x14\x03\x14\0\0\0\x63\0"
    ),
}


def damaged(data: bytes, old: bytes, new: bytes) -> bytes:
    """The package with something in its parts replaced."""
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as package, zipfile.ZipFile(file, "w") as changed:
        for part in package.infolist():
            changed.writestr(part.filename, package.read(part).replace(old, new))
    return file.getvalue()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_package_is_unreadable_whatever_its_parsers_raise(tmp_path, damage):
    path = tmp_path / "a.docx"
    whole = worst_files.docx(TABLE.format("<w:trPr/>"))
    path.write_bytes(damage(whole))
    assert path.read_bytes() != whole
    skipped: list[SkippedSource] = []
    with pytest.raises(InputError):
        list(read_corpus([path], ReadOptions(), skipped.append, print))
    assert re.search("it is damaged|not a valid docx file", skipped[0].reason)


def _style(kind: str, style_id: str, name: str, attributes: str = "") -> str:
    return f'<w:style w:type="{kind}" w:styleId="{style_id}" {attributes}><w:name w:val="{name}"/></w:style>'


_NORMAL = _style("paragraph", "Normal", "normal", 'w:default="1"')
_HEADING = _style("paragraph", "Heading1", "heading 1")


def _changed(old: str, new: str) -> Callable[[bytes], bytes]:
    return lambda data: damaged(data, old.encode(), new.encode())


def _with_backslashes(data: bytes) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as package, zipfile.ZipFile(file, "w") as written:
        for part in package.infolist():
            written.writestr(part.filename.replace("/", "\\"), package.read(part))
    return file.getvalue()


_PICTURE = '<Relationship Id="p" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" {}/>'
VALID = {
    "a picture that is not there": _changed(
        "</Relationships>", _PICTURE.format('Target="../NULL"') + "</Relationships>"
    ),
    "macros": _changed(
        "openxmlformats-officedocument.wordprocessingml.document.main", "ms-word.document.macroEnabled.main"
    ),
    "Strict Open XML": lambda data: _changed(
        "schemas.openxmlformats.org/wordprocessingml/2006/main", "purl.oclc.org/ooxml/wordprocessingml/main"
    )(
        _changed(
            "schemas.openxmlformats.org/officeDocument/2006/relationships",
            "purl.oclc.org/ooxml/officeDocument/relationships",
        )(data)
    ),
    "names with backslashes": _with_backslashes,
    "names in upper case": _changed('Target="word/document.xml"', 'Target="/WORD/Document.xml"'),
}


@pytest.mark.parametrize("change", VALID.values(), ids=VALID)
def test_packages_that_word_opens_and_other_readers_refuse(tmp_path, leaves, change):
    path = tmp_path / "a.docx"
    styles = _NORMAL + _HEADING
    whole = worst_files.docx(
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Fares</w:t></w:r></w:p>', "", styles
    )
    path.write_bytes(change(whole))
    assert path.read_bytes() != whole
    assert leaves(read_docx(path.read_bytes())) == [("title", "Fares")]


def test_text_in_controls_changes_fields_and_inner_tables_is_read(tmp_path, leaves):
    run = "<w:r><w:t>{}</w:t></w:r>"
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    inner = f"<w:tbl><w:tr>{cell.format('inner')}</w:tr></w:tbl><w:p/>"
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent><w:p>{run.format('In a control.')}</w:p></w:sdtContent></w:sdt>"
        f'<w:p><w:ins w:id="1">{run.format("Added, ")}</w:ins>'
        '<w:del w:id="2"><w:r><w:delText>gone, </w:delText></w:r></w:del>'
        f'<w:moveFrom w:id="3">{run.format("moved, ")}</w:moveFrom><w:smartTag>{run.format("tagged, ")}</w:smartTag>'
        f'<w:fldSimple w:instr="x"><w:hyperlink>{run.format("linked.")}</w:hyperlink></w:fldSimple></w:p>'
        f"<w:tbl><w:sdt><w:sdtContent><w:tr>{cell.format('outer')}<w:sdt><w:sdtContent><w:tc><w:p/>{inner}</w:tc>"
        "</w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>"
    )
    path = tmp_path / "a.docx"
    path.write_bytes(worst_files.docx(body))
    assert leaves(read_docx(path.read_bytes())) == [
        ("paragraph", "In a control."),
        ("paragraph", "Added, tagged, linked."),
        ("cell", "outer"),
        ("cell", "inner"),
    ]


_RUN = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
_BOX = f"<w:txbxContent><w:p>{_RUN.format('In a box.')}</w:p></w:txbxContent>"
_MATH = "<m:oMath xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'>{}</m:oMath>"
_POWER = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
_HALF = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
_NOTES = (
    "<w:{0}s xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
    "<w:{0} w:type='separator' w:id='-1'><w:p><w:r><w:t>line</w:t></w:r></w:p></w:{0}>"
    "<w:{0} w:id='2'><w:p><w:r><w:{0}Ref/></w:r><w:r><w:t>In a {0}.</w:t></w:r></w:p></w:{0}></w:{0}s>"
)
BESIDE = {
    "a footnote": (_RUN.format("Text") + "<w:r><w:footnoteReference w:id='2'/></w:r>", "Text\n\nIn a footnote.", ""),
    "an endnote": (_RUN.format("Text") + "<w:r><w:endnoteReference w:id='2'/></w:r>", "Text\n\nIn a endnote.", ""),
    "a note that is not there": ("<w:r><w:t>Text</w:t><w:footnoteReference w:id='7'/></w:r>", "Text", ""),
    "a text box and its copy for old programs": (
        _RUN.format("Text")
        + "<w:r><mc:AlternateContent xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'><mc:Choice>"
        + f"<w:drawing>{_BOX}</w:drawing></mc:Choice><mc:Fallback><w:pict>{_BOX}</w:pict></mc:Fallback>"
        + "</mc:AlternateContent></w:r>",
        "Text\n\nIn a box.",
        "",
    ),
    "a text box alone": (f"<w:r><w:pict>{_BOX}</w:pict></w:r>", "In a box.", ""),
    "an equation": (_RUN.format("It is ") + _MATH.format(f"<m:r><m:t>E=m</m:t></m:r>{_POWER}"), "It is E=mc^2", ""),
    "a fraction": (_MATH.format(_HALF) + _RUN.format(", he said"), "(a+b)/2, he said", ""),
    "an equation that nests deep": (_MATH.format("<m:e>" * 200 + _POWER + "</m:e>" * 200), "c^2", ""),
    "ruby": (
        "<w:r><w:ruby><w:rt><w:r><w:t>はし</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>橋</w:t></w:r></w:rubyBase></w:ruby>"
        "<w:t>です</w:t></w:r>",
        "橋です",
        "readings",
    ),
    "hidden text": (_RUN.format("Seen") + "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>", "Seen", "hidden"),
    "a chart": (
        _RUN.format("Text") + "<w:r><w:drawing><a uri='http://schemas.openxmlformats.org/x/chart'/></w:drawing></w:r>",
        "Text",
        "charts",
    ),
    "text from right to left": (f"<w:bdo w:val='rtl'>{_RUN.format('Text')}</w:bdo>", "Text", ""),
}


@pytest.mark.parametrize(("paragraph", "text", "said"), BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_the_text_is_read_or_named(tmp_path, leaves, paragraph, text, said):
    path = tmp_path / "a.docx"
    path.write_bytes(_with_notes(worst_files.docx(f"<w:p>{paragraph}</w:p>")))
    parsed = read_docx(path.read_bytes())
    leaves(parsed)
    assert parsed.text == text
    assert (said in parsed.notes[0] and len(parsed.notes) == 1) if said else not parsed.notes


def _with_notes(data: bytes) -> bytes:
    """The package with a footnote and an endnote of the id 2."""
    kinds = ("footnote", "endnote")
    related = "".join(_PICTURE.replace("image", f"{kind}s").format(f'Target="{kind}s.xml"') for kind in kinds)
    related = related.replace('Id="p"', 'Id="f"', 1)
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as package, zipfile.ZipFile(file, "w") as changed:
        names = package.namelist()
        rels = "word/_rels/document.xml.rels"
        for name in names:
            content = package.read(name)
            changed.writestr(name, content.replace(b"</Rel", related.encode() + b"</Rel") if name == rels else content)
        assert rels in names
        for kind in kinds:
            changed.writestr(f"word/{kind}s.xml", _NOTES.format(kind))
    return file.getvalue()


def test_merged_cells_have_their_text_in_each_place(tmp_path):
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"

    wide, begins, goes_on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = [
        cell("Ship", begins) + cell("Captain", wide) + cell("Home", begins),
        cell("", goes_on) + cell("Name") + cell("Years") + cell("", goes_on),
        cell("Argo") + cell("Ann") + cell("12") + cell("Oban", begins),
        cell("Brio") + cell("Tom") + cell("7") + cell("", goes_on),
        cell("Summer", '<w:gridSpan w:val="4"/>'),
    ]
    repeated = "<w:trPr><w:tblHeader/></w:trPr>"
    body = "".join(f"<w:tr>{'' if number else repeated}{row}</w:tr>" for number, row in enumerate(rows))
    path = tmp_path / "a.docx"
    path.write_bytes(worst_files.docx(f"<w:tbl><w:tblPr/><w:tblGrid/>{body}</w:tbl>"))
    parsed = read_docx(path.read_bytes())
    assert parsed.text.split("\n") == [
        "Ship | Captain | Captain | Home",
        "Ship | Name | Years | Home",
        "Argo | Ann | 12 | Oban",
        "Brio | Tom | 7 | Oban",
        "Summer",
    ]
    assert {block.row for block in parsed.blocks if block.kind == "header_cell"} == {0, 1, 4}


WRITTEN = sorted(set(FOLDER.glob("*.docx")) - {SAMPLE})


@pytest.mark.parametrize("path", WRITTEN, ids=[path.stem for path in WRITTEN])
def test_files_that_pandoc_and_libreoffice_wrote(leaves, path):
    parsed = read_docx(path.read_bytes())
    assert parsed.title == "Opening hours"  # no title of python-docx's where the properties have none
    assert leaves(parsed)[:9] == [
        ("title", "Opening hours"),
        ("paragraph", "The archive opens at nine and closes at five. Visitors pay 3 euros at the desk."),
        ("heading", "Prices"),
        ("step", "Adults pay 3 euros."),
        ("step", "Children enter free."),
        ("header_cell", "Day"),
        ("header_cell", "Opens"),
        ("cell", "Monday"),
        ("cell", "9:00"),
    ]


def test_numberings_are_told_from_bullets_by_their_definition(tmp_path, leaves):
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="{kind}"/></w:lvl>'
        for level, kind in enumerate(("decimal", "bullet"))
    )
    numbering = (
        f'<w:abstractNum w:abstractNumId="4">{levels}</w:abstractNum>'
        '<w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num><w:num w:numId="8"><w:abstractNumId w:val="9"/></w:num>'
    )
    body = "".join(
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
        f"<w:r><w:t>{text}</w:t></w:r></w:p>"
        for number, level, text in ((7, 0, "one"), (7, 1, "inner"), (7, 2, "no such level"), (8, 0, "no definition"))
    )
    path = tmp_path / "a.docx"
    path.write_bytes(worst_files.docx(body, numbering=numbering))
    parsed = read_docx(path.read_bytes())
    assert leaves(parsed) == [
        ("step", "one"),
        ("item", "inner"),
        ("item", "no such level"),
        ("item", "no definition"),
    ]
    assert parsed.text == "one\n   inner\n      no such level\n\nno definition"  # no numbers: Word's are not known
