"""The page about agreement, on small tables of judgements."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from ragassay.agreement.agree import TaskAgreement, agree
from ragassay.agreement.judge_values import JudgeValues
from ragassay.annotation.store import annotation
from ragassay.records import LABELS
from ragassay.report.agreement_page import AgreementPage, render_agreement

HOSTILE = "</h3><script>alert(1)</script>\u202e<img src=x onerror=alert(2)>"


def found(people: dict[str, str], judge: str, task: str = "label") -> dict[str, TaskAgreement]:
    """people: name to values of items 0, 1, ... by their first letters; judge: the same."""
    of_letter = {label[0]: label for label in LABELS}
    said = [
        annotation(name, f"q{number}", task, of_letter.get(letter, letter))
        for name, letters in people.items()
        for number, letter in enumerate(letters)
    ]
    values = {f"q{number}": of_letter.get(letter, letter) for number, letter in enumerate(judge)}
    return agree(said, JudgeValues(of={task: values}))


@pytest.fixture(scope="module")
def page() -> LexborHTMLParser:
    people = {"ana": "ffssrruu", "ben": "ffssrruu", "cy": "fsssrfuu"}
    return LexborHTMLParser(
        render_agreement(
            AgreementPage(found(people, "ffssrrus"), "0.1.0", {"seed": "0"}, {"Python": "3.11.2", "numpy": "2.4.6"})
        )
    )


def test_the_confusion_matrix_is_a_figure_with_its_counts_beside(page: LexborHTMLParser) -> None:
    figure = page.css_first("figure")
    assert figure.css_first("title").text() == "label: what the judge says, by what most people say"
    assert (
        "people unanswerable: fact_single 0, summary 1, reasoning 0, unanswerable 1" in figure.css_first("desc").text()
    )
    # Rows of two items each: shares 1 on the diagonal, and one half twice in the last row.
    assert sorted(node.text() for node in figure.css("text.strong")) == ["0.50", "0.50", "1.00", "1.00", "1.00"]
    counts = [[cell.text() for cell in row.css("td")] for row in figure.css("details tbody tr")]
    assert counts[3] == ["0", "1", "0", "1", "2"]


def test_every_measure_has_its_interval_and_its_items(page: LexborHTMLParser) -> None:
    tables = page.css("#agreement > .wide table")
    rows = {row.css_first("th").text(): [cell.text() for cell in row.css("td")] for row in tables[0].css("tbody tr")}
    value, items = rows["judge: share as the majority of people"]
    assert (value.split()[0], items) == ("0.875", "8 of 8")
    assert value.split()[1].startswith("0.43")  # the interval of Wilson, with t, for 7 of 8
    left_out = {row.css_first("th").text(): row.css("td") for row in tables[2].css("tbody tr")}
    assert list(left_out) == ["ana", "ben", "cy", "mean"]
    assert left_out["cy"][4].text() == "0"
    assert left_out["ana"][4].text() == "2"  # ben and cy differ twice


def test_settings_and_versions_are_there(page: LexborHTMLParser) -> None:
    settings = page.css_first("#settings").text()
    assert all(text in settings for text in ("seed", "Python", "3.11.2", "numpy", "2.4.6", "ragassay 0.1.0"))


def test_what_is_undefined_says_why() -> None:
    same = found({"ana": "fff", "ben": "fff"}, "fff")
    tree = LexborHTMLParser(render_agreement(AgreementPage(same, "0.1.0")))
    lines = [node.text() for node in tree.css("#agreement li")]
    assert "people: Fleiss' kappa: both gave all 3 items the same value: kappa is 0 / 0." in lines
    assert len(tree.css("td.missing")) >= 3
    alone = agree([annotation("ana", "q0", "label", "summary")])
    text = LexborHTMLParser(render_agreement(AgreementPage(alone, "0.1.0"))).css_first("#agreement").text()
    assert "No judge beside: no judge to compare with people; give its output with --against" in text
    assert "people: Fleiss' kappa; people: Krippendorff's alpha: no item was judged by two raters" in text


def test_ratings_have_their_thresholds() -> None:
    task = "critique:stand_alone"
    rated = found({"ana": "54215", "ben": "55114"}, "43224", task)
    tree = LexborHTMLParser(render_agreement(AgreementPage(rated, "0.1.0")))
    assert "Threshold: stand alone of at least 3 agrees best" in tree.css_first("#agreement").text()
    heads = [node.text() for node in tree.css("details tbody th")]
    assert [head for head in heads if head.startswith("at least")] == ["at least 3", "at least 4"]


def test_names_and_tasks_are_text() -> None:
    text = render_agreement(AgreementPage(found({HOSTILE: "fs", "ben": "fr"}, "fs", HOSTILE), "0.1.0", {"a": HOSTILE}))
    tree = LexborHTMLParser(text)
    assert len(tree.css("script")) == 1
    assert not tree.css("img")
    assert "\u202e" not in text
    assert "default-src 'none'" in (tree.css_first("meta[http-equiv]").attributes["content"] or "")
    assert text == render_agreement(
        AgreementPage(found({HOSTILE: "fs", "ben": "fr"}, "fs", HOSTILE), "0.1.0", {"a": HOSTILE})
    )


def test_tables_have_captions_heads_and_even_rows(page: LexborHTMLParser) -> None:
    assert len(page.css("table")) == 4
    for table in page.css("table"):
        assert table.css("caption")
        assert all(head.attributes.get("scope") for head in table.css("th"))
        assert len({len(row.css("th, td")) for row in table.css("tr")}) == 1
