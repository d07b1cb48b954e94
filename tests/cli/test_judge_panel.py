"""Several judges and batches from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stub_server

Cli = Callable[..., Any]
N = 6


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    given = [
        {
            "user_input": f"When was lamp {i} lit?",
            "response": f"Lamp {i} was lit in 189{i}.",
            "retrieved_contexts": [f"Lamp {i} is red.", f"It was lit in 189{i} by hand."],
        }
        for i in range(N)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    return path


def test_judges_on_servers_are_joined(cli: Cli, rows: Path, tmp_path: Path) -> None:
    with stub_server.running() as server:
        names = [f"{server.url}#{name}" for name in "abc"]
        judges = [argument for name in names for argument in ("--judge", name)]
        out = tmp_path / "out"
        done = cli("evaluate", rows, "--metrics", "faithfulness", *judges, "--out", out, "--json")
        assert done.code == 0, done.err
        asked = server.stats.requests
    panel = done.json["panel"]
    assert panel["pooled"] == "mean"
    assert list(panel["judges"]) == names
    assert sum(each["asked"] for each in panel["judges"].values()) == asked
    (agreement,) = panel["agreement"]
    assert (agreement["metric"], agreement["n"], agreement["identical"]) == (
        "faithfulness",
        N,
        N,
    )  # one stub, one answer
    assert done.json["metrics"]["faithfulness"]["n"] == N
    page = (out / "report.html").read_text("utf-8")
    assert "3 judges" in page
    assert "to the judge" in page


def test_a_judge_that_fails_lowers_its_coverage_alone(cli: Cli, rows: Path, tmp_path: Path) -> None:
    with stub_server.running() as good, stub_server.running(refused=1.0) as silent:
        judges = ("--judge", f"{good.url}#a", "--judge", f"{silent.url}#b", "--coverage", "0")
        done = cli("evaluate", rows, "--metrics", "faithfulness", *judges, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    assert done.json["metrics"]["faithfulness"]["n"] == N
    (agreement,) = done.json["panel"]["agreement"]
    assert agreement["alpha"] is None
    assert [each["n"] for each in agreement["judges"].values()] == [N, 0]
