"""``docs/from-ragas-and-deepeval.md``: our side runs, and the names on the other side are known."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragassay.cli import main
from ragassay.metrics.aliases import ours

DOCS = Path(__file__).resolve().parents[2] / "docs"
CASES = [
    SimpleNamespace(
        input="When was Gannet Bridge opened?",
        actual_output="Gannet Bridge was opened in May 1998 [1].",
        expected_output="Gannet Bridge was opened in May 1998.",
        retrieval_context=["Gannet Bridge was opened in May 1998."],
    ),
    SimpleNamespace(
        input="How long is Gannet Bridge?",
        actual_output="Gannet Bridge is 412 m long.",
        expected_output="Gannet Bridge is 412 m long.",
        retrieval_context=["Gannet Bridge is 412 m long."],
    ),
]


def judge(prompt: str) -> str:
    return json.dumps({"reason": "plain", "rating": 4})


def section(name: str) -> str:
    page = (DOCS / "from-ragas-and-deepeval.md").read_text("utf-8")
    return page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", section(name), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["ragas", "deepeval"])
def test_our_side_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {"cases": CASES, "judge": judge}
    for code in [*blocks(name, "python"), *blocks("Functions, rubrics, gates", "python")]:
        exec(compile(code, name, "exec"), known)
    assert len(known["result"].metrics) == 5
    *_, cited, polite = capsys.readouterr().out.splitlines()
    assert (cited, polite) == ("0.5", "4.0")  # one of two answers cites; the judge always says 4

    rows = known["rows"] if name == "ragas" else [vars(case) for case in CASES]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    Path("cases.json").write_text(json.dumps(rows), "utf-8")
    for command in blocks(name, "bash")[0].splitlines():
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code


@pytest.mark.parametrize("name", ["ragas", "deepeval"])
def test_the_tables_say_what_the_aliases_say(name: str) -> None:
    differs = {"context_precision": "by the answer and not by the", "context_relevance": "sentences and not statements"}
    rows = re.findall(r"^\| (`[A-Z].*?\(\)`.*?) \| `\"(\w+)\"`(.*?) \|$", section(name), re.MULTILINE)
    assert len(rows) == {"ragas": 10, "deepeval": 5}[name]
    for theirs, mine, rest in rows:
        assert {ours(each) for each in re.findall(r"`(\w+)\(\)`", theirs)} == {mine}
        assert differs.get(mine, "") in rest
