from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

has_torch = importlib.util.find_spec("torch") is not None


@pytest.mark.skipif(has_torch, reason="torch is installed")
def test_a_missing_extra_names_its_install_command(cli: Any, tmp_path: Path) -> None:
    refused = cli("train", "verifier", tmp_path / "p.jsonl", "--out", tmp_path / "a")
    assert refused.code == 2
    assert "pip install -c requirements/torch.txt 'ragassay[train]'" in refused.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (("verifier", "p.jsonl"), 2, "--out"),
        (("verifier", "p.jsonl", "--out", "a", "--rank", "0"), 2, "--rank"),
        (("verifier", "p.jsonl", "--out", "a", "--lr", "0"), 2, "--lr"),
        (("verifier", "p.jsonl", "--out", "a", "--hold-out-share", "1"), 2, "--hold-out-share"),
        (("verifier", "p.jsonl", "--out", "a", "--warm-up", "-1"), 2, "--warm-up"),
        (("verifier", "p.jsonl", "--out", "a", "--seed", "x"), 2, "--seed"),
        pytest.param(
            ("verifier", "p.jsonl", "--out", "a"), 3, "p.jsonl", marks=pytest.mark.skipif(not has_torch, reason="torch")
        ),
    ],
)
def test_faults_are_said_before_anything_is_written(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = cli("train", *arguments)
    assert (refused.code, named in refused.err) == (code, True), refused.err
    assert list(tmp_path.iterdir()) == []
