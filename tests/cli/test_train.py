from __future__ import annotations

import importlib.util
import inspect
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragassay.cli.app import app
from ragassay.cli.train import Training, verifier, writer
from ragassay.errors import InputError, RagassayError, UsageError
from ragassay.training.options import TrainOptions

has_torch = importlib.util.find_spec("torch") is not None


def failed(*arguments: str) -> RagassayError:
    error = CliRunner().invoke(app, ["train", *arguments]).exception
    assert isinstance(error, RagassayError)
    return error


@pytest.mark.parametrize("command", [["writer", "--base", "m"], ["verifier"]])
@pytest.mark.skipif(has_torch, reason="torch is installed")
def test_a_missing_extra_names_its_install_command(command: list[str], tmp_path: Path) -> None:
    error = failed(*command, str(tmp_path / "p.jsonl"), "--out", str(tmp_path / "a"))
    assert isinstance(error, UsageError)
    assert "pip install -c requirements/torch.txt 'ragassay[train]'" in str(error)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not has_torch, reason="torch is not installed (extra train)")
def test_faults_are_said_before_anything_is_written(tmp_path: Path) -> None:
    pairs, out = str(tmp_path / "p.jsonl"), str(tmp_path / "a")
    assert isinstance(failed("writer", pairs, "--base", "m", "--out", out), InputError)
    assert "--rank" in str(failed("writer", pairs, "--base", "m", "--out", out, "--rank", "0"))
    assert isinstance(failed("verifier", pairs, "--out", out), InputError)
    assert list(tmp_path.iterdir()) == []


def test_both_commands_take_what_can_be_set_of_a_training() -> None:
    assert Training().options() == TrainOptions()
    options = Training(leave_out="a, b", hold_out_sources="c", rank=4).options()
    assert options == TrainOptions(leave_out=("a", "b"), hold_out_sources=("c",), rank=4)
    shared = {each.name for each in fields(Training)}
    assert shared == {each.name for each in fields(TrainOptions)}
    for command in (writer, verifier):
        assert shared < inspect.signature(command).parameters.keys()
