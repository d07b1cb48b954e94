"""Sets side by side: figures worked by hand, the page, and what stands in neither."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser

from ragassay.records import Critique, Example, Label, Provenance, Span
from ragassay.report.set_beside import MakingCost, SetFigures, set_figures_of, sets_object
from ragassay.report.sets_page import render_sets
from ragassay.report.sets_tables import print_sets, sets_tables

HOSTILE = "<script>alert(1)</script>"


def example(number: int, question: str, asked: Label, given: Label, rating: int | None) -> Example:
    span = Span(document_id=f"d{number}", start=0, end=4, text="Word")
    return Example(
        id=f"e{number}",
        question=question,
        answer="Word",
        context=span,
        references=(span,),
        keypoints=(),
        requested_label=asked,
        verified_label=given,
        provenance=Provenance(synthesizer="simple", model="m"),
        critiques=(Critique(name="stand_alone", value=rating, reason=""),),
    )


FIRST = set_figures_of(
    "first",
    [
        example(1, "Who wrote it?", "fact_single", "fact_single", 5),
        example(2, "What is it?", "summary", "fact_single", 3),
        example(3, "What was it?", "summary", "summary", 4),
        example(4, "When?", "summary", "summary", None),
    ],
    candidates={"summary": {"summary": 2, "fact_single": 3}, "fact_single": {"fact_single": 1}},
    rejected={"another label": 2, HOSTILE: 5},
    cost=MakingCost(wall_s=8.0, cpu_s=9.0, calls=40, prompt_tokens=1000, completion_tokens=50, cost_usd=None),
)
SECOND = set_figures_of("second", [example(1, "Who wrote it?", "fact_single", "fact_single", 2)])


def test_figures_are_counted_by_hand() -> None:
    assert FIRST.labels == {"fact_single": 2, "summary": 2}
    assert FIRST.question_words == {"what": 2, "when": 1, "who": 1}
    assert list(FIRST.rejected or ()) == [HOSTILE, "another label"]  # the most frequent first
    rated = FIRST.critiques["stand_alone"]
    assert rated.ratings == {1: 0, 2: 0, 3: 1, 4: 1, 5: 1}
    assert (rated.mean.value, rated.mean.n, rated.mean.total) == (4.0, 3, 4)  # (5 + 3 + 4) / 3
    assert rated.mean.low is not None
    assert SECOND.matrix == {"fact_single": {"fact_single": 1}}  # of the examples, where no candidates are known
    assert (SECOND.rejected, SECOND.cost) == (None, None)


def test_tables_have_a_column_for_each_set() -> None:
    tables = sets_tables([FIRST, SECOND])
    assert [list(row) for row in tables["labels"].rows] == [
        ["fact_single", "2 (50\u202f%)", "1 (100\u202f%)"],
        ["summary", "2 (50\u202f%)", "0 (0\u202f%)"],
    ]
    assert tables["rejected"].rows[0] == (HOSTILE, "5", "-")  # the second set does not say
    assert tables["rejected"].rows[-1] == ("all", "7", "-")
    cost = {row[0]: row[1:] for row in tables["cost"].rows}
    assert cost["seconds per example"] == ("2", "-")  # 8 / 4
    assert cost["US dollars"] == ("unknown price", "-")
    assert {"rejected", "cost"}.isdisjoint(sets_tables([SECOND, SECOND]))


def test_the_page_has_every_part_and_is_harmless() -> None:
    page = render_sets([FIRST, SECOND])
    assert HOSTILE not in page
    assert page == render_sets([FIRST, SECOND])
    parsed = LexborHTMLParser(page)
    assert [node.attributes["id"] for node in parsed.css("main section")] == [
        "made",
        "labels",
        "words",
        "critiques",
        "rejected",
        "cost",
    ]
    labels, verified = parsed.css("#labels svg desc")
    assert labels.text() == "first: fact_single 2, summary 2; second: fact_single 1, summary 0"
    assert verified.text() == (
        "fact_single: first: fact_single 1, summary 0; fact_single: second: fact_single 1, summary 0; "
        "summary: first: fact_single 3, summary 2"
    )
    ratings = parsed.css("#critiques details tbody tr")
    assert [cell.text() for cell in ratings[0].css("td")] == ["first", "0", "0", "1", "1", "1"]


def test_the_terminal_and_json_say_the_same() -> None:
    console = Console(record=True, width=100, file=StringIO())
    print_sets([FIRST, SECOND], console)
    said = console.export_text()
    assert "4.00 [" in said
    assert "n = 3 of 4" in said
    first, second = json.loads(json.dumps(sets_object([FIRST, SECOND])))["sets"]
    assert first["critiques"]["stand_alone"]["mean"]["value"] == 4.0
    assert second["cost"] is None


@pytest.mark.parametrize("figures", [FIRST, SECOND])
def test_labels_add_up_to_the_examples(figures: SetFigures) -> None:
    assert sum(figures.labels.values()) == sum(figures.question_words.values()) == figures.examples
