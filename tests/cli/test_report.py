"""``ragassay report``: ratings beside those of baselines on the page of a run, and sets side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser


def test_a_page_of_a_run_is_not_replaced(cli: Any, finished: Path) -> None:
    done = cli("report", finished)
    assert (done.code, "already has a report" in done.err) == (4, True)


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
    found = cli("report", finished, tmp_path / "few", "--json").json
    assert [each["examples"] for each in found["sets"]] == [len(lines), 2]
    assert "report" not in found


def test_recorded_answers_that_refuse_are_counted_and_nobody_is_named(cli: Any, tmp_path: Path) -> None:
    answers = ["I do not know.", "In 1901.", "In 1902.", "In 1903."]
    asked = [f"When did bridge {n} open?" for n in range(4)]
    rows = [{"user_input": each, "reference": f"In 190{n}.", "response": answers[n]} for n, each in enumerate(asked)]
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    run = tmp_path / "run"
    done = cli("evaluate", tmp_path / "rows.json", "--metrics", "exact_match", "--out", run)
    assert done.out.splitlines()[:2] == ["4 examples, recorded answers", "1 of 4 answers refuses; 0 failed"]
    assert "1 of 4 answers refuses" in cli("report", run, "--text").out
    assert cli("report", run).code == 0
    shown = LexborHTMLParser((run / "report.html").read_text("utf-8"))
    words = f"{shown.css_first('header').text()} {' '.join(each.text() for each in shown.css('details.case'))}"
    assert "1 of 4 answers refuses" in words
    assert "unlabelled" not in words
    assert "recorded" not in words
