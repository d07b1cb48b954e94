"""HTML: what a person reads of a page, with its structure."""

from __future__ import annotations

import pytest

from ragassay.documents.html import read_html

DOCBOOK = """<html><head><title>4.2. Settings</title></head><body>
<div class="navheader"><table><tr><th>4.2. Settings</th></tr></table></div>
<div class="sect1"><h2 class="title">4.2. Settings<a class="headerlink" href="#x">¶</a></h2>
<div class="toc"><dl class="toc"><dt><a href="#a">4.2.1. Memory</a></dt></dl></div>
<p>Read\u00a0this\n   first.  <code class="varname">a_b</code>, then <a href="c.html">more</a>.</p>
<h3>4.2.1. Memory</h3>
<dl class="variablelist">
<dt><span class="term"><code class="option">-a</code></span><br/><span class="term"><code>--all</code></span></dt>
<dd><p>All of it.</p><p>Second.</p><pre>\n  x = 1\n    y\n</pre></dd>
<dt>-b</dt><dd><p>Part.</p></dd></dl>
<div class="note"><h3 class="title">Note</h3><p>Mind the gap.</p></div>
</div><div class="navfooter">Next</div></body></html>"""


def test_docbook_page(leaves):
    page = read_html(DOCBOOK)
    assert page.title == "Settings"
    assert page.metadata["section_number"] == "4.2"
    assert leaves(page) == [
        ("title", "Settings"),
        ("paragraph", "Read this first. a_b, then more."),
        ("heading", "Memory"),
        ("term", "-a"),
        ("term", "--all"),
        ("definition", "All of it."),
        ("definition", "Second."),
        ("code", "x = 1\n  y"),
        ("term", "-b"),
        ("definition", "Part."),
        ("paragraph", "Mind the gap."),
    ]
    assert [page.text[start:end] for start, end in page.literals] == ["a_b", "-a", "--all"]
    assert "\n\nNote: Mind the gap." in page.text
    assert "-a\n--all\nAll of it.\nSecond.\nx = 1\n  y\n\n-b\nPart." in page.text
    assert [(block.group, block.row) for block in page.blocks[3:10]] == [(0, 0)] * 5 + [(0, 1)] * 2


MERGED = {
    # columns under one head, a head and a cell over two rows
    "<tr><th rowspan=2>Ship<th colspan=2>Captain<tr><th>Name<th>Years<tr><td>Argo<td>Ann<td>12": (
        "Ship | Captain | Captain\nShip | Name | Years\nArgo | Ann | 12"
    ),
    "<tr><td>Argo<td rowspan=2>Oban<tr><td>Brio": "Argo | Oban\nBrio | Oban",
    "<tr><td rowspan=0>Argo<td>1<tr><td>2<tr><td>3": "Argo | 1\nArgo | 2\nArgo | 3",
    # a cell ends where the head does
    "<thead><tr><th rowspan=9>Ship<th>Port<tbody><tr><td>Argo<td>Oban": "Ship | Port\nArgo | Oban",
    # one across the table heads the rows below it, and stands there once
    "<tr><th>Ship<th>Port<tr><td colspan=2>Summer<tr><td>Argo<td>Oban": "Ship | Port\nSummer\nArgo | Oban",
    "<tr><td>Argo<td colspan=2 rowspan=2>Oban<td>1<tr><td>Brio<td>2": "Argo | Oban | Oban | 1\nBrio | Oban | Oban | 2",
    # an empty one is empty everywhere
    "<tr><td rowspan=2><td>1<tr><td>2": " | 1\n | 2",
}


@pytest.mark.parametrize(("rows", "text"), MERGED.items())
def test_a_merged_cell_has_its_text_in_each_place_that_it_covers(leaves, rows, text):
    page = read_html(f"<p>Fleet</p><table>{rows}</table>")
    leaves(page)
    assert page.text == f"Fleet\n\n{text}"


def test_lists_nest_and_number(leaves):
    page = read_html(
        "<p>Do:</p><ol><li>One<ul><li>inner <b>a</b></li><li>inner b</li></ul></li><li><p>Two</p><p>more</p></li></ol>"
    )
    assert page.text == "Do:\n\n1. One\n   inner a\n   inner b\n2. Two\nmore"
    leaves(page)
    assert [(block.kind, block.level, block.group, block.row) for block in page.blocks] == [
        ("paragraph", 0, -1, -1),
        ("step", 0, 0, 0),
        ("item", 1, 1, 0),
        ("item", 1, 1, 1),
        ("step", 0, 0, 1),
        ("paragraph", 0, 0, 1),
    ]


def test_numbers_of_steps_and_headings_stay_in_the_text_and_out_of_the_blocks(leaves):
    page = read_html(
        "<h1>Deed</h1><h2>4. Payment</h2><ol start=3><li>Pay<ol type=a><li>rent<li>heat</ol><li value=7>Leave</ol>"
        "<ol type=i><li>roman</ol><ol reversed><li>last</ol><p>See clause 4, step 3.</p>"
    )
    assert page.text == (
        "Deed\n\n4. Payment\n\n3. Pay\n   a. rent\n   b. heat\n7. Leave\n\nroman\n\nlast\n\nSee clause 4, step 3."
    )
    texts = [page.text[block.start : block.end] for block in page.blocks]
    assert texts == ["Deed", "Payment", "Pay", "rent", "heat", "Leave", "roman", "last", "See clause 4, step 3."]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('<ol class="loweralpha simple"><li>x<li>y</ol>', "a. x\nb. y"),
        ('<ol class="upperroman simple"><li>x</ol>', "x"),
        ('<ol style="color: red; list-style: upper-latin inside !important"><li>x</ol>', "A. x"),
        ('<ol style="list-style-type: none"><li>1.1 Scope</ol>', "1.1 Scope"),
        ('<ol style="list-style-type: trad-chinese-informal"><li>x</ol>', "x"),
        ("<ol><li>x<li style='list-style: none'>y<li>z</ol>", "1. x\ny\n3. z"),
        ("<ol><li>1. x<li><b>(b)</b> y<li>1.1 z<li>3 w</ol>", "1. x\n(b) y\n1.1 z\n4. 3 w"),
        ("<ol start=-2><li>x</ol>", "x"),
        ("<ol start=' 5 '><li>x<li value=+9>y</ol>", "5. x\n9. y"),
        ("<ol start=0><li>x<li>y<li value=0>z</ol>", "0. x\n1. y\n0. z"),
        ("<ol start=''><li>x<li value=1.5>y<li>z<li value=8>w</ol>", "1. x\ny\nz\n8. w"),
        ("<ol type=A start=26><li>x<li>y</ol>", "Z. x\ny"),
        ("<ol><li><h3>x</h3>y<li><h3>z</h3><li><h3>4.1 w</h3></ol>", "1. x\n\ny\n\n2. z\n\n4.1 w"),
        ("<ol><li><pre>x</pre>y<li><blockquote>z</blockquote></ol>", "1. x\ny\n2. z"),
        ("<ol><li><table><tr><td>x<td>y</table><li><p class=title>z</p></ol>", "1. x | y\n2. z"),
        ("<ol><li><div class=note><p class=admonition-title>Note</p>x</div>y</ol>", "1. Note: x\ny"),
        ("<ol><li><ol type=a><li>x<li>y</ol>z<li>&#8203;<li></ol>w", "   1. a. x\n   b. y\nz\n\nw"),
        ("<table><tr><th>x<td><ol><li>y</ol></table>", "x | y"),
    ],
)
def test_items_have_the_numbers_that_a_reader_sees(leaves, source, text):
    page = read_html(f"<p>Do</p>{source}")
    leaves(page)
    assert page.text.removeprefix("Do").lstrip("\n") == text


def test_lists_within_lists_take_no_quadratic_space():
    assert len(read_html("<ol><li>x" * 3000).text) < 3000 * 40


def test_bold_keys_and_field_lists_are_records(leaves):
    page = read_html(
        "<p><b>Owner:</b> Ann<br><b>Due</b>: May</p>"
        '<dl class="field-list"><dt>Version<span class="colon">:</span></dt><dd><p>2</p></dd></dl>'
        "<p><b>Not a key.</b> A sentence: with a colon.</p>"
    )
    assert leaves(page) == [
        ("key", "Owner"),
        ("value", "Ann"),
        ("key", "Due"),
        ("value", "May"),
        ("key", "Version"),
        ("value", "2"),
        ("paragraph", "Not a key. A sentence: with a colon."),
    ]
    assert page.text.startswith("Owner: Ann\nDue: May\n\nVersion: 2\n\n")


def test_navigation_and_scripts_are_not_read():
    page = read_html(
        "<header>Site</header><nav>Menu</nav><script>alert(1)</script><style>p{}</style><aside>Ad</aside>"
        '<div role="navigation">Crumbs</div><p hidden>secret</p><article><header><h1>Real</h1></header><p>Text.</p>'
        "</article><footer>Imprint</footer><!-- comment -->"
    )
    assert page.text == "Real\n\nText."
    assert page.title == "Real"


@pytest.mark.parametrize(
    ("body", "text", "said"),
    [
        ("<p>Seen<b style='color:red;DISPLAY : none'> secret</b>", "Seen", "hides"),
        ("<p>Seen<em hidden>secret</em>", "Seen", "hides"),
        ("<p>Seen<div style='visibility:hidden'>secret</div>", "Seen", "hides"),
        ("<p>Seen<i style='display:none' class=icon></i>", "Seen", ""),
        ("<p style='display:block'>Seen", "Seen", ""),
        ("<head><noscript><p>Switch scripts on.</p></noscript></head><p>Seen", "Seen", ""),
        ("<p>Seen<NOSCRIPT>x</noscript>", "Seen", ""),
        ("<noscript>" * 3 + "<p>Seen", "Seen", ""),
        ("<ruby>橋<rp>(</rp><rt>はし</rt><rp>)</rp></ruby>です", "橋です", "ruby"),
    ],
)
def test_what_nobody_sees_is_not_read(body, text, said):
    page = read_html(body)
    assert page.text == text
    assert said in page.notes[0] if said else not page.notes


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("Fares 2025-26 | Ferry handbook", "Fares 2025–26", "Fares 2025–26"),
        ("Ferry handbook", "", "Ferry handbook"),
        ("Untitled", "Fares", "Fares"),
        ("", "", ""),
        ("Chapter 3. Server Setup", "", "Server Setup"),
        ("2001 A Space Odyssey", "", "2001 A Space Odyssey"),
        ("Fares | Ferry handbook", "Welcome aboard", "Fares"),
    ],
)
def test_title(head, heading, title):
    page = read_html(f"<title>{head}</title><h1>{heading}</h1><p>Some text.</p>")
    assert page.title == title
