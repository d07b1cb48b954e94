"""Scenarios written by a model on a server: the same checks hold, and nothing is asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
import stub_server


@pytest.fixture
def server() -> Iterator[stub_server.RunningStub]:
    with plausible_server.running() as stub:
        yield stub


def test_a_model_on_a_server_writes_a_scenario(cli: Any, server: stub_server.RunningStub, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("scenario", "generate", "--schema", "finance", "--documents", "3", "--n", "14", "--out", out)
    model = f"{server.url}#author"
    stopped = cli(*command, "--model", model, "--max-calls", "12")
    assert stopped.code == 7
    assert "--max-calls 12 reached" in stopped.err
    assert all(file.name.startswith("calls.sqlite") for file in out.iterdir())
    made = cli(*command, "--model", model, "--json")
    assert made.code == 0, made.err
    assert (made.json["examples"], made.json["model"]) == (14, model)
    checked = cli("scenario", "check", out)
    assert checked.code == 0, checked.out
    asked = server.stats.requests
    before = (out / "examples.jsonl").read_bytes()
    assert cli(*command, "--model", model, "--overwrite").code == 0
    assert server.stats.requests == asked
    assert (out / "examples.jsonl").read_bytes() == before


def test_a_model_reads_seeds(cli: Any, server: stub_server.RunningStub, documents: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    found = cli("schema", "infer", documents / "bridge.md", "--out", mine, "--model", f"{server.url}#author", "--json")
    assert found.code == 0, found.err
    assert found.json["fields"]["length"] == "number, 412 to 412, written ... m"
    assert cli("schema", "check", mine).code == 0
