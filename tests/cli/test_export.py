"""``ragassay export``: what it writes for each tool, and what it refuses."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragassay

Cli = Callable[..., Any]
QUESTION = "When was the bridge opened?"
ROWS = [
    {
        "user_input": QUESTION,
        "response": "In May 1998.",
        "retrieved_contexts": ["The bridge was opened in May 1998.", "It is 412 m long."],
        "reference": "In May 1998.",
        "reference_contexts": ["The bridge was opened in May 1998."],
    },
    {"user_input": "=Who built it?", "response": None, "retrieved_contexts": None, "reference": "Ines."},
]


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of ``ragassay evaluate``; the second example has no prediction, so no value."""
    folder = tmp_path_factory.mktemp("scored")
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    ragassay.evaluate(folder / "rows.jsonl", metrics=["token_f1", "recall@5"], out=folder / "run")
    return folder / "run"


def suffix_of(target: str) -> str:
    return {"scores": ".csv", "ragas": ".jsonl"}.get(target, ".json" if target == "deepeval" else "")


def test_a_row_for_each_example_and_system(cli: Cli, scored: Path, tmp_path: Path) -> None:
    assert cli("convert", scored, tmp_path / "s.csv", "--to", "scores").code == 0
    with (tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["question"], first["response"], first["system"]) == (
        ROWS[0]["user_input"],
        "In May 1998.",
        "recorded",
    )
    assert json.loads(first["retrieved_contexts"]) == ROWS[0]["retrieved_contexts"]
    assert (float(first["token_f1"]), float(first["recall@5"]), first["reasons"]) == (1, 1, "")
    assert second["question"] == "'=Who built it?"
    assert second["token_f1"] == ""  # no value is no number
    assert set(json.loads(second["reasons"])) == {"token_f1", "recall@5"}


def test_the_table_in_parquet(cli: Cli, scored: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert cli("convert", scored, tmp_path / "s.parquet", "--to", "scores").code == 0
    rows = parquet.read_table(tmp_path / "s.parquet").to_pylist()
    assert [row["token_f1"] for row in rows] == [1, None]
    assert rows[0]["retrieved_contexts"] == ROWS[0]["retrieved_contexts"]


@pytest.mark.parametrize("name", ["s.csv", "s.parquet"])
def test_a_table_of_results_is_not_taken_for_a_set(cli: Cli, scored: Path, tmp_path: Path, name: str) -> None:
    if name == "s.parquet":
        pytest.importorskip("pyarrow")
    table = tmp_path / name
    assert cli("convert", scored, table, "--to", "scores").code == 0
    said = f"{name} is a table of results, with a row for each example and system; name the run that it was exported"
    for options in ((), ("--from", "csv")) if name == "s.csv" else ((),):
        outcome = cli("convert", table, tmp_path / "set.jsonl", *options)
        assert outcome.code == 3
        assert said in outcome.err
    assert not (tmp_path / "set.jsonl").exists()
