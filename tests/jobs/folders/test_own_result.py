"""A command that was killed around the moment when its result is put in place goes on, and replaces no other file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from forked import Forking

from ragassay.errors import RunFolderError
from ragassay.jobs.folders.job import RESULT_FILE, forget_result, is_own_result, note_result
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.label.label import label
from ragassay.jobs.label.options import LabelOptions

_DYING = """
import importlib, os, sys
from pathlib import Path
from ragassay.jobs.label.label import label
from ragassay.jobs.label.options import LabelOptions
from ragassay.jobs.asking.model_options import ModelOptions
def die(command, module, name, data, out, model):
    module = importlib.import_module(f"ragassay.jobs.{module}")
    real = getattr(module, name)
    def dying(*arguments, **named):
        if name == "note_result":
            real(*arguments, **named)
        os._exit(9)
    setattr(module, name, dying)
    label(LabelOptions(data=Path(data), out=Path(out), processes=1))
die(*sys.argv[1:])
"""
Kill = Callable[..., None]
TEXT = "Gannet Bridge was opened on 4 May 1998. The bridge was designed by Ines Halvorsen. It is 412 m long. "


@pytest.fixture
def killed(forking: Forking) -> Kill:
    """Does a command in another process, which dies where it gets to the place."""

    def kill(command: str, place: tuple[str, str], data: Path, out: Path, model: str = "") -> None:
        process = forking.begin(_DYING, command, *place, data, out, model)
        assert process.wait() == 9, process.err

    return kill


def files_of(place: Path) -> dict[str, bytes]:
    if place.is_file():
        return {place.name: place.read_bytes()}
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"user_input": "Who designed it?", "reference": "Ines", "reference_contexts": [TEXT]}))
    return path


BEFORE_THE_RESULT = ("label.label", "note_result")
BEFORE_THE_SUMMARY = ("label.label", "write_object")
AFTER_THE_SUMMARY = ("folders.job", "forget_result")


@pytest.mark.parametrize("place", [BEFORE_THE_RESULT, BEFORE_THE_SUMMARY, AFTER_THE_SUMMARY])
@pytest.mark.parametrize("name", ["labelled.jsonl", "labelled"])
def test_a_killed_labelling_takes_its_own_result_for_its_own(
    rows: Path, tmp_path: Path, killed: Kill, place: tuple[str, str], name: str
) -> None:
    options = LabelOptions(data=rows, out=tmp_path / name, processes=1)
    killed("label", place, rows, options.out)
    assert options.out.exists() is (place != BEFORE_THE_RESULT)
    done = label(options)
    assert (done.summary.examples, done.summary.judged) == (1, 1)
    undisturbed = label(replace(options, out=tmp_path / "undisturbed" / name))
    assert files_of(options.out) == files_of(undisturbed.out)
    assert not {RESULT_FILE, PROGRESS_FILE} & files_of(done.folder).keys()
    with pytest.raises(RunFolderError, match="already exists"):  # now it is finished
        label(options)


def test_what_somebody_put_there_meanwhile_stays(rows: Path, tmp_path: Path, killed: Kill) -> None:
    out = tmp_path / "labelled.jsonl"
    killed("label", BEFORE_THE_SUMMARY, rows, out)
    out.write_text("mine")
    with pytest.raises(RunFolderError, match="already exists"):
        label(LabelOptions(data=rows, out=out, processes=1))
    assert out.read_text() == "mine"


def test_a_result_is_known_by_its_bytes(tmp_path: Path) -> None:
    out = tmp_path / "set"
    out.mkdir()
    (out / "a.jsonl").write_text("a")
    assert not is_own_result(tmp_path, out)
    note_result(tmp_path, out)
    assert is_own_result(tmp_path, out)
    assert not is_own_result(tmp_path, tmp_path / "nowhere")
    (out / "a.jsonl").write_text("b")
    assert not is_own_result(tmp_path, out)
    forget_result(tmp_path)
    assert not is_own_result(tmp_path, out)
