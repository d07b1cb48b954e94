"""Scenarios written by a model on a server: the same checks hold, and nothing is asked twice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import stub_replies
import stub_server

_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


def _listed(pieces: Mapping[str, str], name: str) -> list[str]:
    return _NUMBERED.findall(pieces.get(name, ""))


class Author(stub_server.Stub):
    """Writes what it is told to, and cites whatever shares a word with the answer."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        match body["response_format"]["json_schema"]["name"]:
            case "scenario_value":
                return {"value": "a mild winter with little rain"}
            case "scenario_section":
                return {"text": " ".join(f"It is on record that the {fact}." for fact in _listed(pieces, "facts"))}
            case "scenario_question":
                facts = _listed(pieces, "facts")
                return {
                    "question": f"What about {', '.join(_listed(pieces, 'subjects'))}: {facts[0][:40]}?",
                    "answer": " ".join(facts),
                }
            case "scenario_references":
                return {"sentences": list(range(1, len(_listed(pieces, "sentences")) + 1))}
            case "scenario_revision":
                return {"reason": "It is complete.", "verdict": "keep", "answer": ""}
            case "keypoints":
                return {"keypoints": _listed(pieces, "statements") or [pieces["reference answer"]]}
            case "scenario_schema":
                return {
                    "elements": [{"name": "Bridge", "value": "Gannet Bridge"}, {"name": "Length", "value": "412 m"}]
                }
        raise AssertionError(body)


@pytest.fixture
def server() -> Iterator[stub_server.RunningStub]:
    running = stub_server.RunningStub(Author(stub_server.Settings()))
    try:
        yield running
    finally:
        running.stop()


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
