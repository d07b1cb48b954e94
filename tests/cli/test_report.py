"""``ragassay report``: ratings beside those of baselines on the page of a run, and sets side by side."""

from __future__ import annotations

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
