"""Whatever the source: offsets hold, blocks stay apart and in order, and the text has been cleaned."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragassay.documents.html import read_html
from ragassay.documents.markdown import read_markdown
from ragassay.documents.parsed import clean_characters
from ragassay.documents.plain import read_plain
from ragassay.documents.rst import read_rst

WORDS = st.sampled_from(
    ["Ann", "pays: 5", "e\u0301t\u00e9", "公司：好。", "**bold:**", "x_y", "a|b", "&amp;", "<b", "1.", "\u00a0", "\x07"]
)
TAGS = st.sampled_from(
    "p b code br ul ol li dl dt dd table tr td th h2 pre div a sup blockquote caption span strong header aside".split()
)
ELEMENTS = st.recursive(
    WORDS,
    lambda inner: st.builds(
        lambda tag, parts, closed: f"<{tag}>{' '.join(parts)}" + (f"</{tag}>" if closed else ""),
        TAGS,
        st.lists(inner, max_size=4),
        st.booleans(),
    ),
    max_leaves=25,
)
LINES = st.lists(
    st.tuples(
        st.sampled_from(
            ["", "  ", "- ", "1. ", "# ", "== ", "| ", "> ", "    ", ": ", "**", "`", ".. note:: ", ":x: ", "---"]
        ),
        WORDS,
        st.sampled_from(["", " ==", "**", " | b |", "`", ":", "  ", "::"]),
    ).map("".join)
    | st.sampled_from(["", "====", "----", "| - | - |", "```"]),
    max_size=14,
).map("\n".join)


@given(ELEMENTS)
def test_html(checked, source):
    parsed = read_html(source)
    checked(parsed)
    assert unicodedata.is_normalized("NFC", parsed.text)


PARTS = (
    "x y|1. x|a) y|1.1 z|| |&#8203;|&nbsp;|<h3>x</h3>|<h3>2. y</h3>|<pre> x\n y</pre>|<p class=title>t</p>|<br>|<img>"
    "|<blockquote>q</blockquote>|<table><tr><td><td>c<tr><td></table>|<b>k:</b> v|<dl><dt>t<dd>d</dl>"
    "|<p><b>Bold</b></p>|<div class=note><p class=admonition-title>Note</p></div>"
).split("|")
LISTS = st.recursive(
    st.sampled_from(PARTS),
    lambda inner: st.builds(
        lambda tag, items: f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag.split()[0]}>",
        st.sampled_from(["ul", "ol", "ol type=a", "ol start=0", "ol style='list-style: none'", "ol class=upperalpha"]),
        st.lists(st.lists(inner, max_size=3).map("".join), max_size=4),
    ),
    max_leaves=30,
)


@given(st.lists(LISTS, max_size=3).map("".join))
def test_html_lists(checked, source):
    parsed = read_html(source)
    checked(parsed)
    assert not re.search(r"^\s*\w{1,2}\.(?: Note:)?\s*$", parsed.text, re.MULTILINE)


@given(LINES)
@example("**a:**\n**b:** c\nd")
def test_markdown(checked, source):
    checked(read_markdown(clean_characters(source)))


@given(LINES)
@example("A:\nB: c\n\nd: e")
def test_plain(checked, source):
    parsed = read_plain(clean_characters(source))
    checked(parsed)
    kept = {sign for sign in parsed.text if sign.isalnum()}
    assert kept <= set(unicodedata.normalize("NFC", source))


@given(LINES)
@settings(max_examples=40)
def test_rst(checked, source):
    checked(read_rst(clean_characters(source)))


@given(st.text(max_size=200))
@pytest.mark.parametrize("reader", [read_html, read_markdown, read_plain])
def test_any_text(checked, reader, source):
    checked(reader(clean_characters(source)))
