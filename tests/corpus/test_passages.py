"""Contexts: whole documents or sections, within the limit, without what nobody asks about."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.corpus.html import read_html
from ragassay.corpus.markdown import read_markdown
from ragassay.corpus.passages import passages
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
