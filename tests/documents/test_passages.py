"""Contexts: whole documents or sections, within the limit, without what nobody asks about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.documents.html import read_html
from ragassay.documents.markdown import read_markdown
from ragassay.documents.passages import is_licence, is_trivial_heading, passages, sorted_out
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.records import Document

PROSE = "The ferry crosses the strait twice a day. It carries two hundred passengers and forty cars. " * 3


def document(source: str, **metadata: str) -> Document:
    parsed = read_markdown(source)
    return Document(
        id="d",
        title=parsed.title,
        source="d.md",
        text=parsed.text,
        language="en",
        metadata={**parsed.metadata, **metadata},
        blocks=parsed.blocks,
        literals=parsed.literals,
    )


def starts(doc: Document, max_chars: int) -> list[tuple[str, tuple[str, ...]]]:
    return [(doc.text[span.start : span.end][:12], span.section) for span in passages(doc, max_chars)]


def test_a_long_document_is_cut_at_headings():
    prose = PROSE * 2
    doc = document(f"# Ferry\n\n{prose}\n\n## Fares\n\n{prose}\n\n### Cars\n\n{prose}\n\n## Crew\n\n{prose}")
    assert starts(doc, 700) == [
        ("Ferry\n\nThe f", ()),
        ("Fares\n\nThe f", ("Fares",)),
        ("Cars\n\nThe fe", ("Fares", "Cars")),
        ("Crew\n\nThe fe", ("Crew",)),
    ]


def test_numbers_of_headings_and_steps_stand_before_what_they_number():
    prose = PROSE * 2
    sections = f"## 1.1 Fares\n\n{prose}\n\n## 1.2 See also\n\n{prose}\n\n## 1.3 Crew\n\n7. {prose}\n8. {prose}\n"
    doc = document(f"# 1. Ferry\n\n{prose}\n\n{sections}")
    texts = [doc.text[span.start : span.end] for span in passages(doc, 700)]
    assert [text[:12] for text in texts] == ["1. Ferry\n\nTh", "1.1 Fares\n\nT", "1.3 Crew\n\n7.", "8. The ferry"]
    assert all(text.endswith("forty cars.") for text in texts)
    whole = [doc.text[span.start : span.end] for span in passages(doc, 9000)]
    assert [text[:9] for text in whole] == ["1. Ferry\n", "1.3 Crew\n"]
    assert whole[0].endswith("forty cars.")


def test_rows_of_a_table_stay_together():
    rows = "\n".join(f"| name {number} | a value that is rather long, number {number} |" for number in range(40))
    doc = document(f"| Name | Value |\n| --- | --- |\n{rows}\n")
    for span in passages(doc, 500):
        text = doc.text[span.start : span.end]
        assert len(text) <= 500
        assert all(line.count(" | ") == 1 for line in text.split("\n"))


SECTIONS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["A", "See also", "B c"]), st.integers(0, 6)), min_size=1, max_size=8
)


@given(SECTIONS, st.integers(60, 900))
@settings(max_examples=60)
def test_passages_are_in_order_apart_and_within_the_limit(sections, max_chars):
    source = "\n\n".join(
        f"{'#' * level} {title}\n\n" + "A sentence of prose here. " * (count * 7) for level, title, count in sections
    )
    doc = document(source)
    position = 0
    for span in passages(doc, max_chars):
        assert position <= span.start < span.end <= len(doc.text)
        assert span.end - span.start <= max_chars
        assert doc.text[span.start : span.end] == doc.text[span.start : span.end].strip()
        position = span.end


@pytest.mark.parametrize("max_chars", [300, 4000])
def test_a_box_of_contents_before_the_title_takes_nothing_with_it(max_chars):
    page = (
        "<h4>Subsections</h4><ul><li>Cars on the ferry</li><li>People on the ferry</li></ul><h1>Ferry</h1>"
        f"<p>{PROSE}</p><h2>Cars</h2><p>{PROSE}</p>"
    )
    parsed = read_html(page, "Ferry")
    doc = Document(id="d", title="Ferry", source="a", text=parsed.text, blocks=parsed.blocks)
    spans = passages(doc, max_chars)
    told = " ".join(doc.text[span.start : span.end] for span in spans)
    assert told.count(PROSE.strip()) == 2
    assert "Subsections" not in told
    assert "People on the ferry" not in told


MIT = """Copyright (c) 2024 The authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
"""
LAWSUIT = """The harbour company sued the ferry line in March 2019. The court held that the ferry line had infringed the
copyright of the timetable, and ordered it to pay damages of 12 000 euros. The judge, Ada Moss, found no trademark in
the colour of the boats, since three other lines paint theirs the same. The ferry line appealed in May, and the second
court halved the sum because the timetable had been copied for two weeks only. Both companies share the pier again."""
POLICY = """Every passenger may return a ticket until one hour before the boat leaves. The fare is paid back to the card
that it was paid with, less two euros. The line is not liable for tickets that were bought elsewhere. A season ticket
can be returned in its first week; after that it is paid back for every full month that is left, without a fee."""


def test_a_licence_is_one_and_texts_about_the_law_are_not() -> None:
    assert is_licence(MIT)
    assert not is_licence(LAWSUIT)
    assert not is_licence(POLICY)
    assert not is_licence("")
    assert sorted_out(document(MIT)) == ([], ["licence"])
    assert passages(document(LAWSUIT))
    assert passages(document(POLICY))


def test_a_legal_notice_within_a_manual_is_left_out_and_the_manual_stays() -> None:
    chapters = "\n\n".join(f"## Chapter {number}\n\n{POLICY}\n\n{POLICY}" for number in range(9))
    manual = document(
        f"# Pump\n\n{chapters}\n\n## Lawsuit\n\n{LAWSUIT}\n\n## Terms\n\n{MIT}\n\n## Care\n\n{POLICY}\n\n{POLICY}\n"
    )
    found = sorted_out(manual, 1300)
    assert found.left_out == ["licence"]
    kept = "".join(manual.text[span.start : span.end] for span in found.kept)
    assert "MERCHANTABILITY" in manual.text
    assert "MERCHANTABILITY" not in kept
    assert "found no trademark" in kept
    assert kept.count("season ticket") == 20


@pytest.mark.parametrize(
    "heading", ["Table of Contents", "Licence", "LICENSE", "See also:", "Index", "目录", "Legal information"]
)
def test_headings_of_trivial_sections(heading: str) -> None:
    assert is_trivial_heading(heading)


@pytest.mark.shared_data
def test_published_documents_are_kept(shared_data: Path) -> None:
    """Articles, court judgments, reports: all but a list of names give contexts, a lawsuit about copyright too."""
    for path, without in (
        (shared_data / "ragval/knowledge_blocks.jsonl", 1),
        (shared_data / "dragonball/documents.jsonl", 0),
    ):
        empty = 0
        for document in read_corpus([path], ReadOptions(), lambda skipped: None, lambda note: None):
            assert not is_licence(document.text), document.title
            empty += not passages(document)
        assert empty == without
