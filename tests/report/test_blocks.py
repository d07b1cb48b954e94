"""One table of blocks, drawn three times: the terminal, the page and plain data say the same."""

from __future__ import annotations

import io
import json

import pytest
import rich.console
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ragassay.evaluation.estimate import Estimate
from ragassay.generate.synthesizer import Drafting, Refused
from ragassay.people.agreement.measure import MeasureEstimate
from ragassay.report.blocks import (
    Block,
    Column,
    Figure,
    Format,
    Headline,
    Lines,
    Missing,
    Noted,
    Section,
    Table,
    Text,
    Tile,
    Tiles,
    Value,
    Written,
    written,
)
from ragassay.report.figures import draw, legend, values_of
from ragassay.report.html import render_fragment, render_page
from ragassay.report.notebook import as_data, printed
from ragassay.report.synthesis import blocks_of_drafting, drafting_words
from ragassay.report.terminal import show

MEAN = Estimate(value=0.8778, low=0.83, high=0.92, n=59, total=60)
HOSTILE = "<script>alert(1)</script> [red]x[/red] \x1b[31m \u202e"


def in_terminal(*blocks: Block, width: int = 80, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    page = io.TextIOWrapper(raw, encoding=encoding)
    show(blocks, Console(file=page, width=width, color_system=None))
    page.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("value", "kind", "cell"),
    [
        ("text", "decimal", Written("text")),
        (None, "count", Written()),
        (12840, "count", Written("12\u202f840")),
        (-0.0301, "decimal", Written("\u22120.030")),
        (0.05, "signed", Written("+0.050")),
        (0.123, "percent", Written("12\u202f%")),
        (0.0004, "p", Written("<0.001")),
        (74.2, "seconds", Written("1 min 14 s")),
        (0.5, "dollars", Written("0.5000")),
        (MEAN, "decimal", Written("0.878", "0.83–0.92", "59 of 60")),
        (Missing("no reply"), "decimal", Written(missing="no reply")),
        (Missing(), "decimal", Written(missing="–")),
        (Estimate(value=None, low=None, high=None, n=0, total=12), "decimal", Written(missing="none of 12 scored")),
        (
            MeasureEstimate(value=None, low=None, high=None, n=0, total=1, reason="one person"),
            "decimal",
            Written(missing="one person"),
        ),
        (Noted(3, "of 5"), "count", Written("3", note="of 5")),
    ],
)
def test_a_cell_has_its_value_interval_coverage_or_reason(value: Value, kind: Format, cell: Written) -> None:
    assert written(value, Column("", kind)) == cell


def test_all_three_draw_a_table() -> None:
    table = Table("Means", ["metric", Column("value", "decimal")], [("mrr", MEAN), ("eir", Missing("no chunk"))])
    terminal, page, (data,) = in_terminal(table), render_fragment([table]), as_data([table])
    for text in ("Means", "metric", "0.878", "0.83–0.92", "59 of 60", "no chunk"):
        assert text in terminal
        assert text in page
    assert data["columns"][1] == {"name": "value", "format": "decimal"}
    assert data["rows"][0][1] == {"value": 0.8778, "low": 0.83, "high": 0.92, "n": 59, "total": 60}
    assert data["rows"][1] == ["eir", {"value": None, "reason": "no chunk"}]
    json.dumps(data)


def test_the_terminal_leaves_out_what_is_for_pages_and_cuts_what_is_long() -> None:
    rows = [(f"row {number}", number) for number in range(9)]
    columns = ["name", Column("n", "count")]
    shown = in_terminal(
        Headline("Title", ["lead"]),
        Tiles([Tile("Score", "0.9", "n = 20")]),
        Tiles([Tile("for pages", "1")], on="page"),
        Section("Never printed"),
        Section("A part", is_part=True),
        Text("for pages", on="page"),
        Table("Folded", columns, rows, folded=True),
        Table("Empty", columns, []),
        Table("Long", columns, rows, most=2, rest="all.csv"),
        Figure("A figure", [("", Lines(["a"], {"x": [MEAN]}, "size"))]),
    )
    assert "Title\nlead\nScore: 0.9 (n = 20)" in shown
    assert "A part" in shown
    assert "7 more in all.csv" in shown
    for absent in ("Never printed", "for pages", "Folded", "Empty", "row 2", "figure"):
        assert absent not in shown


def test_a_table_that_is_too_wide_goes_on_below_with_its_first_column() -> None:
    table = Table("Wide", ["metric", *(Column(f"system {n}", "decimal") for n in range(6))], [("mrr", *[MEAN] * 6)])
    shown = in_terminal(table, width=60)
    assert max(map(len, shown.split("\n"))) <= 62
    assert shown.count("mrr") > 1
    assert all(f"system {number}" in shown for number in range(6))


WORDS = st.lists(st.text("abcdefg", min_size=1, max_size=11), min_size=1, max_size=14).map(" ".join)


@given(st.lists(st.lists(WORDS | st.integers(0, 999).map(str), min_size=3, max_size=3), min_size=1, max_size=7),
       st.sampled_from([60, 72, 80, 100, 140]))  # fmt: skip
def test_no_table_loses_a_character(columns: list[list[str]], width: int) -> None:
    heads = [Column(f"c{place}") for place in range(len(columns))]
    shown = in_terminal(Table("", heads, list(zip(*columns, strict=True))), width=width)
    assert {word for column in columns for text in column for word in text.split()} <= set(shown.split())
    assert max(map(len, shown.split("\n"))) <= width


def test_what_users_wrote_is_text_everywhere() -> None:
    blocks: list[Block] = [
        Headline(HOSTILE, [HOSTILE]),
        Tiles([Tile(HOSTILE, HOSTILE, HOSTILE)]),
        Text([HOSTILE], title=HOSTILE),
        Text(HOSTILE, verbatim=True),
        Table(HOSTILE, [HOSTILE], [(HOSTILE,), (Missing(HOSTILE),), (Noted(HOSTILE, HOSTILE),)]),
        Table("sorted", [HOSTILE], [(HOSTILE,)], searched=True),
        Figure(HOSTILE, [(HOSTILE, Lines([HOSTILE], {HOSTILE: [MEAN]}, HOSTILE))]),
    ]
    shown = in_terminal(*blocks)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[red]" in shown
    page = render_page(HOSTILE, blocks, version=HOSTILE, settings={HOSTILE: HOSTILE})
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;" in page


def test_a_console_that_knows_only_ascii_gets_signs_that_it_can_write() -> None:
    shown = in_terminal(Table("", ["", Column("x", "decimal")], [("Ü", -0.5), ("b", Missing())]), encoding="ascii")
    assert "-0.500" in shown
    assert "\\xdc" in shown


@pytest.mark.parametrize("place", ["notebook", "colours"])
def test_printing_is_plain_text_wherever_it_is(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if place == "notebook":
        monkeypatch.setattr(rich.console, "_is_jupyter", lambda: True)
    else:
        monkeypatch.setenv("FORCE_COLOR", "1")
    assert printed([Headline("a title"), Text("a line")]) == "a title\na line\n"
    assert capsys.readouterr().out == ""


NONE = Estimate(value=None, low=None, high=None, n=0, total=5)
CHARTS: dict[str, tuple[Lines, list[str], list[str]]] = {
    "few": (Lines(["256", "512"], {"dense": [MEAN, NONE], "best": [None, MEAN]}, "size"), ["dense", "best"], ["256"]),
    "many": (Lines([*"abcdef"], {"dense": [MEAN] * 6, "best": [MEAN] * 6}, "size"), ["dense", "best"], ["f"]),
}


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_its_values_in_the_drawing_and_in_a_table(name: str) -> None:
    chart, in_drawing, in_table = CHARTS[name]
    drawing, table = str(draw(chart, "one", "Title")), render_fragment([values_of([("", chart)])])
    assert drawing.startswith('<svg role="img"')
    assert 'aria-labelledby="one-t"' in drawing
    for text in in_drawing:
        assert text in drawing
    for text in in_table:
        assert text in table
    assert len(legend([chart])) in (0, 2)


def test_a_split_table_repeats_all_columns_that_name_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("make", "drafts", *["1"] * 12), ("make", "reviews", *["2"] * 12)]
    heads = ["stage", "task", *(f"a column {n}" for n in range(12))]
    show([Table("", [*heads[:2], *(Column(head, "count") for head in heads[2:])], rows)])
    printed = capsys.readouterr().out
    assert printed.count("stage") == printed.count("drafts") == printed.count("reviews") > 1


def test_refused_drafts_are_counted_on_the_terminal_and_listed_on_the_page() -> None:
    pair = Refused(label="summary", question="What is <b>it</b>?", answer="It.", reason="no quote", document_id="d")
    drafting = Drafting(about="", refused=(pair, pair), findings=())
    assert "2 refused pairs in refused.jsonl" in drafting_words(drafting)
    blocks = list(blocks_of_drafting(drafting))
    page = render_page("", blocks, version="1")
    assert (page.count("What is &lt;b&gt;it&lt;/b&gt;?"), page.count("no quote")) == (2, 2)
