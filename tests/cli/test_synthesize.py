"""``ragassay synthesize`` as one types it: tables, one JSON object, exit codes, one sentence for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stub_server import RunningStub


def test_a_small_model_that_is_off_is_said(
    cli: Any, documents: Path, tmp_path: Path, server: RunningStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGASSAY_SMALL_MODEL", "off")
    outcome = cli("synthesize", documents, "--n", "2", "--mix", "fact_single=1", "--out", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    said = "The small language model is off (RAGASSAY_SMALL_MODEL=off): "
    assert f"{said}only what is right by construction is asked, and labels and groundedness" in outcome.out
    arguments = ("--model", f"{server.url}#m", "--judge", "embedded", "--n", "2", "--out", tmp_path / "other")
    outcome = cli("synthesize", documents, *arguments)
    assert outcome.code == 0, outcome.err
    assert f"{said}labels and groundedness are decided by shared words." in outcome.out


def test_json_is_one_object_with_the_figures_of_the_file(
    cli: Any, documents: Path, tmp_path: Path, server: RunningStub
) -> None:
    arguments = ("synthesize", documents, "--synthesizer", "per_chunk", "--pairs", "2", "--n", "30")
    outcome = cli(*arguments, "--model", f"{server.url}#m", "--out", tmp_path / "out", "--json")
    assert outcome.code == 0, outcome.err
    found = outcome.json
    lines = (tmp_path / "out" / "examples.jsonl").read_text("utf-8").splitlines()
    assert found["examples"] == len(lines) == sum(found["delivered"].values())
    assert [each["name"] for each in found["missing"]] == ["any label"]
    assert found["missing"][0]["asked"] - found["missing"][0]["delivered"] == 30 - len(lines)
    assert found["calls_per_example"] == found["calls"] / len(lines)
    written = json.loads((tmp_path / "out" / "synthesis.json").read_text("utf-8"))
    assert {key: found[key] for key in written} == written


def test_missing_examples_are_an_error_only_if_that_is_asked_for(cli: Any, documents: Path, tmp_path: Path) -> None:
    arguments = ("synthesize", documents, "--n", "50", "--out", tmp_path / "out")
    outcome = cli(*arguments)
    assert outcome.code == 0
    assert "Missing" in outcome.out
    outcome = cli(*arguments, "--overwrite", "--strict")
    assert outcome.code == 5
    assert "--strict: missing" in outcome.err


def test_limits_and_coverage_have_exit_codes(cli: Any, documents: Path, tmp_path: Path, server: RunningStub) -> None:
    arguments = ("synthesize", documents, "-s", "simple", "--n", "3", "--model", f"{server.url}#m")
    outcome = cli(*arguments, "--out", tmp_path / "limited", "--max-calls", "5")
    assert outcome.code == 7
    assert "--max-calls 5 reached: results so far are in" in outcome.err
    server.settings.refused = 0.4
    outcome = cli(*arguments, "--out", tmp_path / "refused")
    assert outcome.code == 8
    assert "--coverage: the models answered" in outcome.err


def test_the_command_for_what_is_missing_asks_of_the_same_documents(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "halls.jsonl").write_text('{"id": "a", "title": "Hall", "text": "It is old.", "year": 1998}\n', "utf-8")
    arguments = ("synthesize", tmp_path / "halls.jsonl", "--where", "year<2000", "--n", "2", "--out", tmp_path / "set")
    assert f"ragassay synthesize {tmp_path}/halls.jsonl --where 'year<2000' --model" in cli(*arguments).out
