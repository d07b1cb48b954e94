"""A folder belongs to the command that filled it: any other is refused and leaves every byte as it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import works
from works import FOLDERS, WORKS, data_set

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.jobs.folders.progress import Silent
from ragassay.jobs.folders.run_folder import lock_folder, unlock_folder


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, ragassay_cache: Path) -> dict[str, Path]:
    """Command to a folder that it filled."""
    found = {}
    for name, work in WORKS.items():
        place = tmp_path_factory.mktemp("filled")
        (place / "runs").mkdir()
        work(data_set(place / "set"), place / "runs", Silent())
        found[name] = place / "runs" / FOLDERS.get(name, "one")
    return found


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", WORKS)
def test_no_command_takes_the_folder_of_another(filled: dict[str, Path], tmp_path: Path, name: str) -> None:
    data = data_set(tmp_path / "set")
    for holder, folder in filled.items():
        if holder == name:
            continue
        runs = tmp_path / holder
        shutil.copytree(folder, runs / FOLDERS.get(name, "one"))
        before = files_of(runs)
        with pytest.raises(RunFolderError, match=r"^--out: .* holds ") as refused:
            WORKS[name](data, runs, Silent())
        assert refused.value.exit_code == 4
        assert "\n" not in str(refused.value)
        assert files_of(runs) == before, holder


@contextmanager
def given_again(filled: dict[str, Path], name: str, kept: Path) -> Iterator[tuple[Path, Path]]:
    """What a command was given, and what it wrote, without files beside its folder; afterwards all is as it was."""
    place = filled[name].parents[1]
    shutil.copytree(place, kept / "kept")
    (place / "runs" / "one.jsonl").unlink(missing_ok=True)
    try:
        yield place / "set", place / "runs"
    finally:
        shutil.rmtree(place)
        shutil.copytree(kept / "kept", place)


def break_inputs(data: Path, patch: pytest.MonkeyPatch) -> None:
    """Nothing can be read from its end: sets have a bad last line, documents are not there, options mean nothing."""
    for name in ("examples.jsonl", "predictions.jsonl"):
        with (data / name).open("a") as file:
            file.write('{"id": "half of a li')
    patch.setattr(works, "_document", lambda data: data / "nowhere")
    real = works.JudgeOptions

    def judging(**given: Any) -> Any:
        return replace(real(**given), data=data / "examples.jsonl")

    patch.setattr(works, "JudgeOptions", judging)


@pytest.mark.parametrize("name", list(WORKS))
def test_a_command_that_cannot_read_its_inputs_leaves_the_folder_as_it_was(
    filled: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with given_again(filled, name, tmp_path) as (data, runs):
        break_inputs(data, monkeypatch)
        before = files_of(runs)
        with pytest.raises((InputError, UsageError)):
            WORKS[name](data, runs, Silent())
        assert files_of(runs) == before


@pytest.mark.parametrize("name", WORKS)
def test_a_command_that_finds_another_process_at_work_leaves_the_folder_as_it_was(
    filled: dict[str, Path], tmp_path: Path, name: str
) -> None:
    with given_again(filled, name, tmp_path) as (data, runs):
        folder = runs / FOLDERS.get(name, "one")
        lock = lock_folder(folder)
        before = files_of(runs)
        with pytest.raises(RunFolderError, match="another run is using"):
            WORKS[name](data, runs, Silent())
        assert files_of(runs) == before
        unlock_folder(folder, lock)
