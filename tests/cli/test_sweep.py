"""``ragassay sweep``: a file in, a plan, tables or one object out; what cannot be meant is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


@pytest.fixture
def config(finished: Path, tmp_path: Path) -> Path:
    path = tmp_path / "sweep.yaml"
    path.write_text(
        f"dataset: {finished}\nout: results\ngrid:\n  chunk_size: [128, 512]\n  text_weight: [0, 0.05, 1]\n",
        encoding="utf-8",
    )
    return path


def test_a_sweep_prints_its_plan_and_its_tables(cli: Cli, config: Path, tmp_path: Path) -> None:
    outcome = cli("sweep", config)
    assert outcome.code == 0, outcome.err
    assert "Plan" in outcome.err
    assert "6 settings" in outcome.err
    for words in ("Best setting of each label by recall@5", "Not surpassed", "Chunk size", "results.csv"):
        assert words in outcome.out
    assert (tmp_path / "results" / "results.csv").is_file()  # beside the file that names it
    again = cli("sweep", config, "--json")
    assert again.json["settings"] == {"in_grid": 6, "tried": 6}
    assert set(again.json["best"]) >= {"inclusive"}


def test_a_dry_run_ends_with_the_plan(cli: Cli, config: Path, tmp_path: Path) -> None:
    outcome = cli("sweep", config, "--dry-run", "--json")
    assert outcome.code == 0, outcome.err
    assert len(outcome.json["settings"]) == 6
    assert outcome.json["cost_usd"] == 0
    assert {row["work"] for row in outcome.json["plan"]} >= {"rankings", "chunks indexed by words"}
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        ("grid: {}\nout: x\n", 2, "dataset is missing"),
        ("dataset: nowhere\nout: x\n", 3, "does not exist"),
        ("grid: {top_k: [none]}\n", 2, "top_k: 'none' is no whole number from 1"),
        ("dataset: sweep.yaml\n", 2, "--out: name the folder of the sweep"),
        ("dataset: sweep.yaml\nout: x\n", 3, "the format of"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(cli: Cli, tmp_path: Path, content: str, code: int, said: str) -> None:
    (tmp_path / "sweep.yaml").write_text(content, encoding="utf-8")
    outcome = cli("sweep", tmp_path / "sweep.yaml")
    assert outcome.code == code, outcome.err
    assert said in outcome.err
    assert "Traceback" not in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.yaml"]
