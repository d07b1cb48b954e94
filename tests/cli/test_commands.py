"""The commands when all goes well: what is printed, where, and in which shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ragassay
from ragassay.cli.app import app
from ragassay.records import LABELS

Cli = Callable[..., Any]
RUN = ("--n", "6", "--chunk-sizes", "256,512")


def printed(finished: Path) -> dict[str, Any]:
    return json.loads((finished.parent / "printed.json").read_text("utf-8"))


def test_the_version(process: Cli) -> None:
    outcome = process("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"ragassay {ragassay.__version__}\n", "")


def test_the_usual_options_fit_two_screens() -> None:
    usual = CliRunner().invoke(app, ["run", "--help"], terminal_width=80).stdout
    assert len(usual.splitlines()) <= 60
    assert {"--max-cost", "--dry-run"} <= set(usual.split())
    assert not {"--title-field", "--processes", "--prompts", "--coverage", "--max-calls"} & set(usual.split())


def test_help_imports_nothing_that_takes_long(process: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    slow = {"spacy", "onnxruntime", "tokenizers", "fastapi", "uvicorn", "aiohttp", "lxml", "markdown_it"}
    for arguments in (("--help",), ("run", "--help"), ("report", "--help"), ("--version",)):
        found = process(*arguments)
        assert found.code == 0
        imported = {line.rpartition("|")[2].strip() for line in found.err.splitlines()}
        assert "ragassay.cli.app" in imported
        assert not imported & slow


def test_the_json_object_has_the_shape_that_was_promised(finished: Path) -> None:
    found = printed(finished)
    assert list(found) == [
        "examples",
        "labels",
        "requested",
        "missing",
        "without_question",
        "answered",
        "best",
        "unanswerable",
        "stages",
        "models",
        "report",
    ]
    # 6 in shares of .4 .2 .2 .2: 2.4 1.2 1.2 1.2, whole parts 2 1 1 1, and .4 is the largest remainder
    assert found["requested"] == {"fact_single": 3, "summary": 1, "reasoning": 1, "unanswerable": 1}
    assert list(found["labels"]) == list(LABELS)
    assert found["examples"] == sum(found["labels"].values())
    assert found["missing"] == {label: found["requested"][label] - found["labels"][label] for label in LABELS}
    assert found["labels"]["fact_single"] == 3
    assert set(found["best"]) <= {*LABELS, "answerable", "all questions"}
    assert {"fact_single", "answerable"} <= set(found["best"])
    for best in found["best"].values():
        assert set(best) == {"setting", "recall_at_5"}
        assert isinstance(best["setting"], str)
        recall = best["recall_at_5"]
        assert set(recall) == {"value", "low", "high", "n", "total", "method"}
        assert 0 <= recall["low"] <= recall["value"] <= recall["high"] <= 1
        assert 0 < recall["n"] <= recall["total"] <= found["examples"]
    assert found["best"]["answerable"]["recall_at_5"]["total"] == found["examples"] - found["labels"]["unanswerable"]
    for name in ("read and index", "make examples", "embed chunks", "compare retrievers", "answer and judge"):
        assert found["stages"][name]["wall_s"] >= 0
    assert found["report"] == str(finished / "report.html")
    assert Path(found["report"]).is_file()


@pytest.mark.parametrize("name", ["predict", "critique", "export", "inspect", "prices"])
def test_a_command_of_a_former_version_names_what_does_its_work(cli: Any, name: str) -> None:
    done = cli(name, "x")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"{name} is gone; use `ragassay " in done.err
