"""A folder belongs to the command that filled it: any other is refused and leaves every byte as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from works import FOLDERS, WORKS, data_set

from ragassay.errors import RunFolderError
from ragassay.pipeline.progress import Silent

SHARED = ({"predict", "evaluate"},)
"""Commands that go on in each other's folders."""


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
        if holder == name or {holder, name} in SHARED:
            continue
        runs = tmp_path / holder
        shutil.copytree(folder, runs / FOLDERS.get(name, "one"))
        before = files_of(runs)
        with pytest.raises(RunFolderError, match=r"^--out: .* holds ") as refused:
            WORKS[name](data, runs, Silent())
        assert refused.value.exit_code == 4
        assert "\n" not in str(refused.value)
        assert files_of(runs) == before, holder


@pytest.mark.parametrize("name", WORKS)
def test_no_command_fills_a_folder_of_other_files(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "runs" / FOLDERS.get(name, "one") / "thesis.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("ten years of work")
    with pytest.raises(RunFolderError, match=r"holds files that are "):
        WORKS[name](data_set(tmp_path / "set"), tmp_path / "runs", Silent())
    assert files_of(tmp_path / "runs") == {str(mine.relative_to(tmp_path / "runs")): b"ten years of work"}


@pytest.mark.parametrize("name", [name for name in WORKS if name not in ("run", "synthesize", "synthesize a scenario")])
def test_every_command_may_come_back_to_its_folder(filled: dict[str, Path], name: str) -> None:
    place = filled[name].parents[1]
    (place / "runs" / "one.jsonl").unlink(missing_ok=True)  # files are not replaced unasked
    WORKS[name](place / "set", place / "runs", Silent())
