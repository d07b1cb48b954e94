"""``ragassay prices``: every price with its age and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.llm.prices import Prices

Cli = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    day = date.today() - timedelta(days=400)
    path.write_text(
        f'[gpt-4o-mini]\nprompt = 0.2\ncached = 0.075\ncompletion = 0.8\nas_of = {day}\nsource = "contract [1]"\n'
        "[mine]\nprompt = 1\ncompletion = 2\n"
    )
    return path


def test_all_entries_have_age_and_table(cli: Cli) -> None:
    found = cli("list", "prices", "--json").json["prices"]
    assert [row["model"] for row in found] == list(Prices.load().entries())
    mini = next(row for row in found if row["model"] == "gpt-4o-mini")
    assert (mini["prompt"], mini["completion"], mini["as_of"], mini["table"]) == (0.15, 0.6, "2026-09-26", "Ragassay")
    assert {row["source"] for row in found} == {"list price"}
    assert mini["age_days"] == (date.today() - date(2026, 9, 26)).days


def test_entries_of_ones_own_go_first_and_old_ones_are_counted(
    cli: Cli, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    found = cli("list", "prices", "--prices", own, "--json").json["prices"]
    assert [row["model"] for row in found[:2]] == ["gpt-4o-mini", "mine"]
    assert found[0] | {"as_of": ""} == {
        "model": "gpt-4o-mini",
        "prompt": 0.2,
        "cached": 0.075,
        "completion": 0.8,
        "as_of": "",
        "age_days": 400,
        "table": str(own),
        "source": "contract [1]",
    }
    assert [row["model"] for row in found].count("gpt-4o-mini") == 1
    shown = cli("list", "prices", "gpt-4o-mini", "mine", "--prices", own)
    assert (shown.code, shown.err) == (0, "")
    assert "0.075" in shown.out
    assert "contract [1]" in shown.out
    assert "1 of 2 are older than 365 days" in shown.out


def test_names_are_those_of_models(cli: Cli) -> None:
    names = ("openai:gpt-4o-mini-2024-07-18", "ollama:llama3.1", "https://gateway.example/v1#no-such")
    dated, local, unknown = cli("list", "prices", *names, "--json").json["prices"]
    assert (dated["prompt"], dated["table"]) == (0.15, "Ragassay")
    assert (local["prompt"], local["source"], local["age_days"]) == (0.0, "a server of your own", None)
    assert unknown == {**dict.fromkeys(unknown), "model": names[2]}
    assert "unknown: not in any table" in cli("list", "prices", *names).out


def test_a_source_is_a_text(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("[m]\nprompt = 1\ncompletion = 2\nsource = 3\n")
    outcome = cli("list", "prices", "--prices", path)
    assert outcome.code == 2
    assert f"--prices: {path}: 'm': source" in outcome.err
