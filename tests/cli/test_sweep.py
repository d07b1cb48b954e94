"""``ragassay sweep``: a file in, a plan, tables or one object out; what cannot be meant is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plausible_server
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
    for words in ("best setting", "recall@5", "report.html", "results.csv", "Next:"):
        assert words in outcome.out
    assert (tmp_path / "results" / "results.csv").is_file()  # beside the file that names it
    again = cli("sweep", config, "--json")
    assert again.json["settings"] == {"in_grid": 6, "tried": 6}
    assert set(again.json["best"]) >= {"answerable"}


def test_a_dry_run_ends_with_the_plan(cli: Cli, config: Path, tmp_path: Path) -> None:
    outcome = cli("sweep", config, "--dry-run", "--json")
    assert outcome.code == 0, outcome.err
    assert len(outcome.json["settings"]) == 6
    assert outcome.json["cost_usd"] == 0
    assert {row["work"] for row in outcome.json["plan"]} >= {"rankings", "chunks indexed by words"}
    assert not (tmp_path / "results").exists()


def test_a_limit_counts_anew_with_every_command(cli: Cli, finished: Path, tmp_path: Path) -> None:
    with plausible_server.running(latency_ms=1) as server:
        path = tmp_path / "sweep.yaml"
        path.write_text(
            f"dataset: {finished}\nout: results\nmetrics: [token_f1]\n"
            f"grid:\n  chunk_size: [512]\n  text_weight: [0.05]\n  generator: ['{server.url}#answers']\n",
            encoding="utf-8",
        )
        for sent in (2, 4):
            outcome = cli("sweep", path, "--max-calls", "2")
            assert (outcome.code, server.stats.requests) == (7, sent), outcome.err
            assert (
                "--max-calls 2 reached: run the same command again to continue; its limits start from zero"
                in outcome.err
            )


def test_too_little_answered_by_servers_ends_with_its_exit_code(cli: Cli, finished: Path, tmp_path: Path) -> None:
    with plausible_server.running(latency_ms=1) as server:
        server.settings.refused = 0.5
        config = tmp_path / "sweep.yaml"
        config.write_text(
            f"dataset: {finished}\nout: results\nmetrics: [recall@5, token_f1]\n"
            f"grid:\n  chunk_size: [512]\n  text_weight: [0.05, 1]\n  generator: ['{server.url}#answers']\n",
            encoding="utf-8",
        )
        outcome = cli("sweep", config)
        assert outcome.code == 8, outcome.err
        said = r"--coverage: servers answered all calls for \d\d\.\d % of the questions with 512 raw_linear"
        assert re.search(said, outcome.err)
        assert "less than 95 %" in outcome.err
        assert (tmp_path / "results" / "summary.json").is_file()  # the results are kept
        sent = server.stats.requests
        again = cli("sweep", config, "--json")
        assert (again.code, server.stats.requests) == (8, sent)
        assert len(again.json["unanswered"]) == 2
        share = 1 - max(each["n"] / each["questions"] for each in again.json["unanswered"])
        lower = cli("sweep", config, "--coverage", share - 0.01, "--json")
        assert (lower.code, server.stats.requests) == (0, sent), lower.err
        assert lower.json["coverage"] == pytest.approx(share - 0.01)
        assert cli("sweep", config, "--coverage", 2).code == 2
