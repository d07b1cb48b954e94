"""``ragassay report``: a page about any run folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from page_items import items_of
from selectolax.lexbor import LexborHTMLParser

from ragassay.errors import InputError
from ragassay.jobs.report.set_report import Beside, write_report
from ragassay.records import Score, write_jsonl
from ragassay.version import __version__


def written(folder: Path, texts: list[str], extra: list[Score] | None = None) -> Path:
    folder.mkdir()
    items = items_of(texts)
    write_jsonl(folder / "examples.jsonl", items.examples)
    write_jsonl(folder / "predictions.jsonl", items.predictions)
    write_jsonl(folder / "scores.jsonl", [*items.scores, *(extra or [])])
    return folder


def test_a_page_with_all_that_the_folder_holds(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", ["one", "two"])
    page = LexborHTMLParser(write_report(folder).read_text("utf-8"))
    assert [node.attributes["id"] for node in page.css("main > section")] == [
        "first",
        "worst-answers",
        "scores",
        "the-set",
        "critiques",
        "single-items",
        "settings",
    ]
    assert [node.text() for node in page.css(".case summary")] == [
        "two 1 summary, failed",
        "one 0 fact_single, recall@5 0.00",
    ]
    assert [page.css_first(f"#{name} > details") is not None for name in ("scores", "the-set")] == [False, True]
    assert page.css_first("h1").text() == "run: 2 questions, 1 system"
    retrieved = [node.text().partition(". ")[0] for node in page.css(".case dd") if node.text()[:1].isdigit()]
    assert retrieved[:1] == ["1"]  # the first chunks of an answer, numbered
    assert "0.250" in page.css_first("#scores td").text()  # recall@5 of 0 and 1/2


def test_answers_with_the_best_value_are_no_worst_answers(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", ["one"])
    write_jsonl(folder / "scores.jsonl", [Score(example_id="one0", system="hybrid", metric="recall@5", value=1.0)])
    page = LexborHTMLParser(write_report(folder).read_text("utf-8"))
    assert page.css(".case") == []
    assert "recall@5" in page.css_first("#worst-answers p").text()


def test_two_runs_and_baselines_stand_side_by_side(tmp_path: Path) -> None:
    def rated(value: float) -> list[Score]:
        return [Score(example_id="one0", system="hybrid", metric="truthfulness_and_relevance", value=value)]

    a, b = written(tmp_path / "a", ["one"], rated(4)), written(tmp_path / "b", ["one"], rated(10))
    page = LexborHTMLParser(write_report(b, beside=Beside(against=a, baselines={"no retrieval": a})).read_text("utf-8"))
    rows = {
        row.css_first("th").text(): row.css_first("td:nth-of-type(3)").text()
        for row in page.css_first("#compared table").css("tbody tr")
    }
    assert page.css_first("h1").text() == "b against a, by truthfulness_and_relevance"
    tiles = [each.text() for each in page.css(".tiles dd:not(.note)")]
    assert tiles == ["too few to tell", "4.000 \u2192 10.000", "1 example"]
    assert rows["truthfulness_and_relevance, 2 to 10"].startswith("+6.000")
    composition = [[cell.text() for cell in row.css("th, td")] for row in page.css_first("#the-set table").css("tr")]
    assert composition == [["label", "b", "a"], ["fact_single", "1", "1"]]
    sums = {
        row.css_first("th").text(): [cell.text() for cell in row.css("td")][:9]
        for row in page.css("#truthfulness-and-relevance tbody tr")
    }
    assert {name: counts.index("1") + 2 for name, counts in sums.items()} == {
        "hybrid": 10,
        "no retrieval (baseline)": 4,
    }


def test_a_folder_that_holds_no_set_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no examples"):
        write_report(tmp_path)
    folder = written(tmp_path / "run", ["one"])
    with pytest.raises(InputError, match=r"--baseline: .* has no readable scores"):
        write_report(folder, beside=Beside(baselines={"x": tmp_path}))
    with pytest.raises(InputError, match="nowhere"):
        write_report(folder, beside=Beside(against=tmp_path / "nowhere"))
    assert not (folder / "report.html").exists()


def test_versions_are_those_of_the_making_and_not_of_who_writes_the_page(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", ["one"])
    made_with = {"ragassay": "0.0.1", "Python": "3.99.1", "numpy": "99.1"}
    (folder / "run.json").write_text(json.dumps({"version": "0.0.1", "settings": {"n": "3"}, "versions": made_with}))
    page = LexborHTMLParser(write_report(folder).read_text("utf-8"))
    terms, given = ([node.text() for node in page.css(f"#settings {tag}")] for tag in ("dt", "dd"))
    assert dict(zip(terms, given, strict=True)) == {"n": "3", **made_with, "report made by": f"ragassay {__version__}"}
    assert write_report(folder).read_bytes() == write_report(folder, out=tmp_path / "again.html").read_bytes()
