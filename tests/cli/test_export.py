"""``ragassay export``: what it writes for each tool, and what it refuses."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.datasets.registry import read_dataset
from ragassay.records import Example, Prediction

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


@pytest.mark.parametrize("target", ["scores", "deepeval", "ragas"])
def test_every_target_is_written_and_not_over_another_file(cli: Cli, scored: Path, tmp_path: Path, target: str) -> None:
    out = tmp_path / f"out{suffix_of(target)}"
    outcome = cli("convert", scored, out, "--to", target)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"({target})" in " ".join(outcome.out.split())
    assert [each.name for each in tmp_path.iterdir()] == [out.name]
    before = out.read_bytes() if out.is_file() else None
    assert cli("convert", scored, out, "--to", target).code == 4
    if before is not None:
        assert cli("convert", scored, out, "--to", target, "--overwrite").code == 0
        assert out.read_bytes() == before  # the same run gives the same bytes


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


@pytest.mark.parametrize("target", ["deepeval", "ragas"])
def test_what_has_room_for_answers_comes_back(cli: Cli, scored: Path, tmp_path: Path, target: str) -> None:
    out = tmp_path / f"out{suffix_of(target)}"
    assert cli("convert", scored, out, "--to", target).code == 0
    back = list(read_dataset(out))
    assert [each.question for each in back if isinstance(each, Example)] == [row["user_input"] for row in ROWS]
    (prediction,) = [each for each in back if isinstance(each, Prediction)]
    assert (prediction.answer, [each.text for each in prediction.chunks]) == (
        "In May 1998.",
        ROWS[0]["retrieved_contexts"],
    )


def test_a_run_of_several_systems(cli: Cli, finished: Path, tmp_path: Path) -> None:
    assert cli("convert", finished, tmp_path / "all.csv", "--to", "scores").code == 0
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        systems = {row["system"] for row in csv.DictReader(file)}
    assert len(systems) > 1
    one = sorted(systems)[0]
    assert cli("convert", finished, tmp_path / "one.csv", "--to", "scores", "--system", one).code == 0
    with (tmp_path / "one.csv").open(encoding="utf-8", newline="") as file:
        assert {row["system"] for row in csv.DictReader(file)} == {one}
