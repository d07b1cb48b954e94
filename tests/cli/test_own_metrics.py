"""The examples of docs/own-metrics.md run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
PAGE = (Path(__file__).parents[2] / "docs" / "own-metrics.md").read_text("utf-8")
FUNCTION, RUBRIC = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]


def judge(prompt: str) -> str:
    return json.dumps({"reason": "plain", "rating": 4})


def run(code: str, name: str, **known: Any) -> dict[str, Any]:
    exec(compile(code, name, "exec"), known)
    return known


def test_the_function_and_the_rubric(capsys: pytest.CaptureFixture[str]) -> None:
    known = run(FUNCTION, "own-metrics.md")
    assert capsys.readouterr().out == "1.0 1 {'no chunk was retrieved': 1}\n"
    run(RUBRIC, "own-metrics.md", rows=known["rows"], judge=judge)
    assert capsys.readouterr().out == "4.0 plain\n"


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.chdir(tmp_path)
    body, _, _ = FUNCTION.partition("\n\nresult =")
    (tmp_path / "evals").mkdir()
    loud = body.replace("    cited = [", "    print('seen')\n    cited = [")
    (tmp_path / "evals" / "checks.py").write_text(loud, "utf-8")
    rows = run(body, "checks.py")["rows"]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    names = "evals/checks.py,token_f1,string_presence"
    done = cli("evaluate", "rows.jsonl", "--metrics", names, "--json", "--out", "run")
    assert (done.code, done.json["metrics"]["cites"]["value"]) == (0, 1.0)
    assert "seen" in done.err  # what a function prints is no part of the object
    assert cli("report", "run", "--text").code == 0
    told = cli("list", "metrics", "evals/checks.py:cites")
    assert (told.code, "comes from         evals/checks.py:cites" in told.out) == (0, True)
    assert "did you mean answer_relevance" in cli("list", "metrics", "AnswerRelevancyMetric").err
    (tmp_path / "two.py").write_text(
        "import ragassay\n"
        "@ragassay.metric\ndef short(answer):\n    return 1\n"
        "@ragassay.metric\ndef long(answer):\n    return 0\n"
    )
    listed = cli("list", "metrics", "two.py", "--json").json["metrics"]
    assert [metric["name"] for metric in listed] == ["short", "long"]
    assert [each["name"] for each in cli("list", "metrics", "two.py", "--json").json["metrics"]] == ["short", "long"]
    (tmp_path / "ragassay.toml").write_text(TOML, "utf-8")
    refused = cli("evaluate", "rows.jsonl", "--metrics", "polite")
    assert (refused.code, "polite needs a language model; name one with --model" in refused.err) == (2, True)
    assert cli("evaluate", "rows.jsonl", "--metrics", "evals/none.py").code == 2
