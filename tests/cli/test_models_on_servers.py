"""Models on servers from the command line: estimates, limits, coverage, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stub_server import RunningStub


@pytest.fixture
def command(documents: Path, tmp_path: Path, server: RunningStub) -> tuple[Any, ...]:
    model = f"{server.url}#plausible"
    return ("run", documents, "--out", tmp_path / "run", "--n", "6", "--chunk-sizes", "256,512", "--model", model)


def test_a_dry_run_prints_a_table_and_sends_nothing(cli: Any, command: tuple[Any, ...], server: RunningStub) -> None:
    outcome = cli(*command, "--dry-run")
    assert outcome.code == 0, outcome.err
    assert "make examples" in outcome.out
    assert "answer judgement" in outcome.out
    told = " ".join(outcome.out.split())
    assert told.endswith("are not counted.") or "of a stand-in's placeholders" in told
    assert server.stats.requests == 0
    as_object = json.loads(cli(*command, "--dry-run", "--json").out)
    assert as_object["all"]["calls"] == sum(row["calls"] for row in as_object["rows"])
    assert as_object["all"]["cost_usd"] == 0


def test_a_limit_that_is_reached_has_an_exit_code(cli: Any, command: tuple[Any, ...], tmp_path: Path) -> None:
    outcome = cli(*command, "--max-calls", "10")
    assert outcome.code == 7
    assert "--max-calls 10 reached: results so far are in" in outcome.err
    assert (tmp_path / "run" / "report.html").exists()
    assert cli(*command).code == 0


def test_too_little_coverage_has_an_exit_code(cli: Any, command: tuple[Any, ...], server: RunningStub) -> None:
    server.settings.refused = 0.2
    outcome = cli(*command)
    assert outcome.code == 8
    assert "--coverage: the models answered" in outcome.err
    assert cli(*command, "--coverage", "0.5").code == 0
