"""Word documents: styles, numbering and tables as structure."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest

from ragassay.corpus.docx import read_docx
from ragassay.corpus.parsed import UnreadableError


def sample(path: Path) -> Path:
    document = docx.Document()
    document.core_properties.title = "Fares"
    document.add_heading("Fares", 0)
    document.add_heading("1. Adults", 1)
    paragraph = document.add_paragraph("Pay ")
    paragraph.add_run("now").bold = True
    paragraph.add_run(" with ")
    paragraph.add_run("--card").font.name = "Courier New"
    paragraph.add_run(".")
    record = document.add_paragraph()
    record.add_run("Owner:").bold = True
    record.add_run(" Ann")
    for text, style in (
        ("one", "List Bullet"),
        ("inner", "List Bullet 2"),
        ("two", "List Bullet"),
        ("first", "List Number"),
    ):
        document.add_paragraph(text, style=style)
    table = document.add_table(3, 2)
    table.style = "Light Grid"
    for row, texts in enumerate((("Kind", "Price"), ("Child", "3"), ("", "4"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_paragraph("Said so.", style="Intense Quote")
    document.save(str(path))
    return path


def test_structure(tmp_path, leaves):
    parsed = read_docx(sample(tmp_path / "a.docx"))
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
        ("cell", "4"),
        ("quote", "Said so."),
    ]
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["--card"]
    assert "Kind | Price\nChild | 3\n4" in parsed.text
    assert [block.level for block in parsed.blocks if block.kind == "item"] == [0, 1, 0]
    assert [(block.row, block.column) for block in parsed.blocks if block.kind == "cell"] == [(1, 0), (1, 1), (2, 1)]


def test_a_package_that_unpacks_too_large_is_refused(tmp_path):
    path = tmp_path / "bomb.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package,
        package.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(320):
            part.write(b"\x00" * 1_000_000)
    with pytest.raises(UnreadableError, match="unpacks to 320 MB"):
        read_docx(path)


def test_entities_are_not_expanded(tmp_path):
    source = sample(tmp_path / "a.docx")
    target = tmp_path / "b.docx"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for part in old.infolist():
            content = old.read(part)
            if part.filename == "word/document.xml":
                bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
                content = content.replace(b"?>", b"?>" + bomb, 1).replace(b"Ann", b"&b;")
            new.writestr(part, content)
    assert "aaaa" not in read_docx(target).text
