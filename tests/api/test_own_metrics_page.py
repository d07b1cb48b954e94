"""The examples of docs/own-metrics.md run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragassay.cli import main
from ragassay.metrics.fields import FIELDS, OTHER_NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "own-metrics.md").read_text("utf-8")
FUNCTION, RUBRIC = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]


def judge(prompt: str) -> str:
    return json.dumps({"reason": "plain", "rating": 4})


def run(code: str, name: str, **known: Any) -> dict[str, Any]:
    exec(compile(code, name, "exec"), known)
    return known


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def test_the_function_and_the_rubric(capsys: pytest.CaptureFixture[str]) -> None:
    known = run(FUNCTION, "own-metrics.md")
    assert capsys.readouterr().out == "1.0 1 {'no chunk was retrieved': 1}\n"
    run(RUBRIC, "own-metrics.md", rows=known["rows"], judge=judge)
    assert capsys.readouterr().out == "4.0 plain\n"


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    body, _, _ = FUNCTION.partition("\n\nresult =")
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "checks.py").write_text(body.replace("cited = [", "print('seen')\n    cited = ["), "utf-8")
    rows = run(body, "checks.py")["rows"]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    code, out, err = command(
        capsys, "score", "rows.jsonl", "--metrics", "evals/checks.py,token_f1", "--json", "--out", "run"
    )
    assert (code, json.loads(out)["metrics"]["cites"]["value"]) == (0, 1.0)
    assert "seen" in err  # what a function prints is no part of the object
    code, out, _ = command(capsys, "metrics", "evals/checks.py:cites")
    assert (code, "comes from         evals/checks.py:cites" in out) == (0, True)
    (tmp_path / "ragassay.toml").write_text(TOML, "utf-8")
    code, _, err = command(capsys, "score", "rows.jsonl", "--metrics", "polite")
    assert (code, "polite needs a language model, as rules have no honest answer" in err) == (2, True)
    assert command(capsys, "score", "rows.jsonl", "--metrics", "evals/none.py")[0] == 2


@pytest.mark.parametrize("names", [FIELDS, OTHER_NAMES])
def test_every_field_is_told(names: Mapping[str, Any]) -> None:
    table = {name for line in PAGE.splitlines() if line.startswith("| `") for name in re.findall("`([a-z_]+)`", line)}
    assert set(names) <= table
