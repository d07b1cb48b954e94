"""``ragassay check``: the card, the findings, the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
HOSTILE = "red\x1b[31m\u202e[bold]"


@pytest.fixture
def faulty(finished: Path, tmp_path: Path) -> Path:
    """A run whose first reference was moved by a character, with a repeated example and a line that is cut off."""
    lines = (finished / "examples.jsonl").read_text("utf-8").splitlines()
    moved = next(json.loads(line) for line in lines if json.loads(line)["references"])
    moved["references"][0]["start"] += 1
    moved["references"][0]["end"] += 1
    others = [line for line in lines if json.loads(line)["id"] != moved["id"]]
    folder = tmp_path / "faulty"
    folder.mkdir()
    content = [json.dumps(moved), *others, others[0], others[0][:50]]
    (folder / "examples.jsonl").write_text("\n".join(content) + "\n", "utf-8")
    (folder / "documents.jsonl").write_bytes((finished / "documents.jsonl").read_bytes())
    return folder


def test_a_run_of_ours_is_sound(cli: Cli, finished: Path) -> None:
    outcome = cli("convert", finished)
    assert outcome.code == 0, outcome.out
    assert "error" not in outcome.out
    assert "examples, 3 documents" in outcome.out.splitlines()[0]
    found = cli("convert", finished, "--json").json
    assert (found["format"], found["errors"]) == ("jsonl", 0)
    assert sum(found["card"]["labels"].values()) == found["card"]["examples"]
    assert found["card"]["documents"] == 3


def test_errors_are_named_one_a_line_and_the_exit_code_is_3(cli: Cli, faulty: Path) -> None:
    outcome = cli("convert", faulty)
    assert outcome.code == 3
    errors = [line for line in outcome.out.splitlines() if line.startswith("error: ")]
    assert len(errors) == 3
    assert any("examples.jsonl line" in line and line.startswith("error: unreadable") for line in errors)
    assert any("two examples have this id" in line for line in errors)
    assert any("reference 1 is not at" in line or "reference 1 does not occur" in line for line in errors)
    found = cli("convert", faulty, "--json")
    assert found.code == 3
    assert found.json["errors"] == 3
    assert {each["level"] for each in found.json["findings"]} == {"error"}


def test_hostile_text_is_shown_and_does_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        json.dumps({"user_input": "?", "reference": "", "synthesizer_name": HOSTILE, "reference_contexts": [HOSTILE]})
    )
    outcome = cli("convert", path)
    assert outcome.code == 3
    assert not set(outcome.out) & {"\x1b", "\u202e"}
    assert "[bold]" in outcome.out
    assert cli("convert", path, "--json").json["card"]["synthesizers"] == {HOSTILE: 1}


@pytest.mark.shared_data
def test_the_published_queries_of_dragonball(cli: Cli, shared_data: Path) -> None:
    outcome = cli("convert", shared_data / "dragonball" / "finance_en_gpt4o.jsonl", "--json")
    assert outcome.code == 3
    found = outcome.json
    # ten references are not in their documents, 14 unanswerable questions have references, one keypoint is there twice
    assert found["by_kind"] == {"answer": 14, "reference": 10, "keypoint": 1}
    assert (found["card"]["documents_used"], found["card"]["documents"]) == (24, 216)
