"""``ragassay metrics``: the table of all, one in full, and the page that is made of it."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.metrics.catalogue import METRICS

Cli = Callable[..., Any]
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_a_terminal_gets_a_table_of_each_kind(cli: Cli, monkeypatch: Any) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    out = re.sub(r"\x1b\[[0-9;]*m", "", cli("list", "metrics", "--all").out)
    assert [title for title in ("Retrieval", "Answer and reference", "Baseline", "Published scorer") if title in out]
    assert all(f"{name} " in out for name in METRICS)
    assert "lower" in out


def test_one_metric_in_full(cli: Cli) -> None:
    found = cli("list", "metrics", "recall@5", "--json").json
    assert found["name"] == "recall@5"
    assert (found["inputs"], found["needs"]) == (["ground spans", "chunks"], "nothing")
    assert (found["low"], found["high"], found["higher_is_better"]) == (0, 1, True)
    assert found["meaning"].startswith("Share of the ground spans")
    assert "answer_statements, statement_verdicts" in cli("list", "metrics", "faithfulness").out
    assert cli("list", "metrics", "recall@k", "--json").json["name"] == "recall@k"
    assert "from 0 " in cli("list", "metrics", "eir_released@5").out
    assert [each["name"] for each in cli("list", "metrics", "--all", "--json").json["metrics"]] == list(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_in_eight_words_what_it_does_not_see(name: str) -> None:
    assert 0 < len(METRICS[name].unseen.split()) <= 8


def test_what_a_metric_does_not_see_is_listed(cli: Cli) -> None:
    unseen = METRICS["completeness"].unseen
    assert cli("list", "metrics", "completeness", "--json").json["unseen"] == unseen
    assert unseen in cli("list", "metrics", "completeness").out


def test_the_page_of_metrics_is_current() -> None:
    page = runpy.run_path(str(DOCS / "make_metrics_page.py"))["page"]
    assert (DOCS / "metrics.md").read_text("utf-8") == page(), "run docs/make_metrics_page.py"
