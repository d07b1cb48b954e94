"""Scenarios written by a model on a server: the same checks hold, and nothing is asked twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import stub_server

from ragassay.web.run_index import RunIndex

FILES = {"documents.jsonl", "examples.jsonl", "configurations.jsonl", "schema.toml", "scenario.json"}


def test_a_model_on_a_server_writes_a_scenario(cli: Any, server: stub_server.RunningStub, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("scenario", "generate", "--schema", "finance", "--documents", "3", "--n", "14", "--out", out)
    model = f"{server.url}#author"
    stopped = cli(*command, "--model", model, "--max-calls", "12")
    assert stopped.code == 7
    assert "--max-calls 12 reached" in stopped.err
    left = [file.name for file in out.iterdir() if not file.name.startswith("calls.sqlite")]
    assert left == ["progress.json"]
    (entry,) = RunIndex(out).entries()
    assert (entry.command, entry.state) == ("scenario", "stopped")
    assert entry.progress is not None
    told = entry.progress
    assert (told.stage, told.stopped_by) == ("writing documents and questions", "--max-calls 12 reached")
    assert told.replies >= 12
    made = cli(*command, "--model", model, "--json")
    assert made.code == 0, made.err
    assert (made.json["examples"], made.json["model"]) == (14, model)
    assert {file.name for file in out.iterdir() if not file.name.startswith("calls.sqlite")} == FILES
    assert [(each.state, each.examples) for each in RunIndex(out).entries()] == [("finished", 14)]
    checked = cli("scenario", "check", out)
    assert checked.code == 0, checked.out
    asked = server.stats.requests
    before = (out / "examples.jsonl").read_bytes()
    assert cli(*command, "--model", model, "--overwrite").code == 0
    assert server.stats.requests == asked
    assert (out / "examples.jsonl").read_bytes() == before


def test_what_a_scenario_costs_is_estimated_without_a_call(
    cli: Any, server: stub_server.RunningStub, tmp_path: Path
) -> None:
    out, model, few = tmp_path / "out", f"{server.url}#author", ("--documents", "8", "--n", "8")
    estimated = cli("scenario", "generate", "--schema", "law", *few, "--out", out, "--model", model, "--dry-run")
    assert estimated.code == 0, estimated.err
    assert "scenario section" in estimated.out
    assert server.stats.requests == 0
    limited = cli("scenario", "generate", "--schema", "law", "--out", out, "--max-tokens", "100")
    assert limited.code == 2
    assert "--max-tokens" in limited.err


def test_a_model_reads_seeds(cli: Any, server: stub_server.RunningStub, documents: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    found = cli(
        "scenario", "schema", documents / "bridge.md", "--out", mine, "--model", f"{server.url}#author", "--json"
    )
    assert found.code == 0, found.err
    assert found.json["fields"]["length"] == "number, 412 to 412, written ... m"
    assert cli("scenario", "schema", mine).code == 0
    asked = server.stats.requests
    again = cli("scenario", "schema", documents, "--out", mine, "--model", f"{server.url}#author")
    assert (again.code, "already exists" in again.err, server.stats.requests) == (4, True, asked)
