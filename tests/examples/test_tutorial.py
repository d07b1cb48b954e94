"""``docs/first-steps.md``: every command of its tutorial, in its order, on a few of the demo's documents."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ragassay.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "first-steps.md").read_text("utf-8").partition("## Make a set")[2].partition("## Weights")[0]
DOCUMENTS = ("policies/procurement.md", "policies/remote-work.md", "policies/travel-and-expenses.md")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def code_of(command: str) -> int:
    """The exit code of a command of the page, with fewer questions."""
    sys.argv = shlex.split(command.replace("--n 60", "--n 8"))
    sys.modules.pop("rag", None)
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in DOCUMENTS:
        target = tmp_path / "demo" / "knowledge_base" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "demo" / "knowledge_base" / name, target)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [])
    yield tmp_path
    sys.modules.pop("rag", None)


def test_every_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    commands = [line for block in blocks("bash") for line in block.splitlines()]
    run, keep, before, after, compare, passes, fails = commands
    system, change = blocks("python")
    (table,) = blocks("toml")
    assert [code_of(each) for each in (run, keep)] == [0, 0]
    (folder / "rag.py").write_text(system, "utf-8")
    assert code_of(before) == 0
    line = '    return text.split("\\n\\n")\n'
    assert system.count(line) == 1
    (folder / "rag.py").write_text(system.replace(line, change), "utf-8")
    assert [code_of(each) for each in (after, compare)] == [0, 0]
    (folder / "ragassay.toml").write_text(table, "utf-8")
    # so few questions decide nothing: what is held against the bounds here is the mean
    assert code_of(f"{passes} --use mean") == 0
    assert code_of(f"{fails} --use mean") == 9
    (folder / "ragassay.toml").write_text(table.replace("runs/main", "runs/new"), "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    steps = [each["run"] for each in yaml.safe_load(blocks("yaml")[0])["jobs"]["gate"]["steps"] if "run" in each]
    _, evaluate, gate = steps
    assert code_of(evaluate) == 0
    assert code_of(f"{gate} --use mean") == 0
    assert "recall" in (folder / "summary.md").read_text("utf-8")
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    _, *tables, verdict = blocks("text")
    assert all(table.splitlines()[0].split() in printed for table in tables)
    assert verdict.split()[:2] in [line[:2] for line in printed]
