"""``ragassay report``: what people judged, and ratings beside those of baselines, on the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from ragassay.records import Example, read_jsonl


@pytest.fixture
def judged(finished: Path, tmp_path: Path) -> Path:
    """Two people on the labels of the run; the second takes every other one for a summary."""
    rows = ["subject_id,annotator,task,value"]
    for number, each in enumerate(read_jsonl(finished / "examples.jsonl", Example)):
        rows.append(f"{each.id},ana,label,{each.label}")
        rows.append(f"{each.id},ben,label,{'summary' if number % 2 else each.label}")
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_what_people_judged_stands_on_the_page_of_the_run(
    cli: Any, finished: Path, judged: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labelled.html"
    assert cli("report", finished, "--annotations", judged, "--out", out).out == f"Report: {out}\n"
    page = LexborHTMLParser(out.read_text("utf-8"))
    assert page.css_first('nav a[href="#agreement-with-people"]').text() == "Agreement with people"
    assert page.css_first("#agreement-with-people h3").text().startswith("label: 10 judgements of 5 items by 2 people")
    assert "numpy" in page.css_first("#settings").text()


def test_options_that_cannot_be_meant(cli: Any, finished: Path, judged: Path, tmp_path: Path) -> None:
    done = cli("report", finished, "--metric", "faithfulness", "--out", tmp_path / "x.html")
    assert (done.code, "--metric: needs --annotations" in done.err) == (2, True)
    done = cli("report", finished, "--annotations", tmp_path / "nowhere.csv", "--out", tmp_path / "x.html")
    assert (done.code, "nowhere.csv" in done.err) == (3, True)
    done = cli("report", finished, "--annotations", judged)
    assert (done.code, "already has a report" in done.err) == (4, True)
    assert not (tmp_path / "x.html").exists()


def test_several_sets_stand_side_by_side(cli: Any, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "few").mkdir()
    lines = (finished / "examples.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "few" / "examples.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    out = tmp_path / "sets.html"
    done = cli("report", finished, tmp_path / "few", "--out", out)
    assert done.code == 0, done.err
    assert "Examples of each question word" in done.out
    assert done.out.endswith(f"Report: {out}\n")
    page = LexborHTMLParser(out.read_text("utf-8"))
    heads = [head.text() for head in page.css_first("#the-sets table").css("thead th")]
    assert heads == [finished.name, "few"]
    assert page.css_first("#cost-of-making-the-sets tbody td").text() != "–"  # the run says what its making took
    found = cli("report", finished, tmp_path / "few", "--json").json
    assert [each["examples"] for each in found["sets"]] == [len(lines), 2]
    assert "report" not in found
    assert found["sets"][1]["cost"] is None
