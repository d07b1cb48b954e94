"""One process at a time in a folder, also in the moment when one hands over to the next."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forked import Forking

from ragassay.errors import RunFolderError
from ragassay.jobs.answer.folder import predict_folder
from ragassay.jobs.folders import run_folder as folder_module
from ragassay.jobs.folders.run_folder import LOCK_FILE, is_locked, lasting_folder, lock_folder, unlock_folder

pytest.importorskip("fcntl", reason="the system has no such locks")
PROCESSES, HOLDS = 4, 150
_HOLDING = """
import os, sys, time
from pathlib import Path
from ragassay.errors import RunFolderError
from ragassay.jobs.folders import run_folder as module
module._LOCK_TRIES, module._LOCK_WAIT_S = 1, 0.0
folder, holds = Path(sys.argv[1]), int(sys.argv[2])
holder = folder / "holder"
held = clashes = 0
end = time.monotonic() + 60
while held < holds and time.monotonic() < end:
    try:
        lock = module.lock_folder(folder)
    except RunFolderError:
        continue
    try:
        os.close(os.open(holder, os.O_CREAT | os.O_EXCL))
        time.sleep(0.0002)
        holder.unlink()
    except OSError:
        clashes += 1
    held += 1
    module.unlock_folder(folder, lock)
print(held, clashes)
"""


def test_several_processes_never_hold_a_folder_together(tmp_path: Path, forking: Forking) -> None:
    at_work = [forking.begin(_HOLDING, tmp_path, str(HOLDS)) for _ in range(PROCESSES)]
    assert [process.wait() for process in at_work] == [0] * PROCESSES
    said = [process.out.split() for process in at_work]
    assert [clashes for _, clashes in said] == ["0"] * PROCESSES
    assert sum(int(held) for held, _ in said) > 0
    assert list(tmp_path.iterdir()) == []


def once(patch: pytest.MonkeyPatch, owner: Any, name: str, first: Callable[[], None], *, after: bool = False) -> None:
    """The next call of a function is preceded, or followed, by something else."""
    real = getattr(owner, name)

    def called(*arguments: Any) -> Any:
        patch.setattr(owner, name, real)
        if not after:
            first()
        found = real(*arguments)
        if after:
            first()
        return found

    patch.setattr(owner, name, called)


def test_a_lock_file_that_was_taken_away_locks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The holder ends, and another begins, between the opening of the file and its lock."""
    holder = lock_folder(tmp_path)
    others: list[int | None] = []

    def hand_over() -> None:
        unlock_folder(tmp_path, holder)
        others.append(lock_folder(tmp_path))

    once(monkeypatch, folder_module.fcntl, "flock", hand_over)
    with pytest.raises(RunFolderError, match="wait for it to end, or name another folder"):
        lock_folder(tmp_path)
    assert is_locked(tmp_path)
    unlock_folder(tmp_path, others[0])
    assert not is_locked(tmp_path)


def test_the_lock_of_the_next_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process locks as soon as the file is closed."""
    holder, others = lock_folder(tmp_path), []
    once(monkeypatch, os, "close", lambda: others.append(lock_folder(tmp_path)), after=True)
    unlock_folder(tmp_path, holder)
    assert is_locked(tmp_path)
    with pytest.raises(RunFolderError, match="wait for it to end, or name another folder"):
        lock_folder(tmp_path)
    unlock_folder(tmp_path, others[0])


def test_what_a_killed_process_left_is_no_run_at_work(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).touch()
    assert not is_locked(tmp_path)
    unlock_folder(tmp_path, lock_folder(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_filled_before_the_lock_was_ours_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        (tmp_path / "run" / "run.json").write_text("{}")

    once(monkeypatch, folder_module.fcntl, "flock", fill)
    with (
        pytest.raises(RunFolderError, match="holds other files; name"),
        predict_folder(tmp_path / "run", {"system": "bm25"}, {}),
    ):
        pytest.fail("it was taken")

    def refuse() -> None:
        if (tmp_path / "run" / "run.json").exists():
            raise RunFolderError("taken")

    (tmp_path / "run" / "run.json").unlink()
    once(monkeypatch, folder_module.fcntl, "flock", fill)
    with pytest.raises(RunFolderError, match="taken"), lasting_folder(tmp_path / "run", refuse):
        pytest.fail("it was taken")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["run.json"]


def test_an_unused_folder_goes_again_with_what_is_of_no_use(tmp_path: Path) -> None:
    with lasting_folder(tmp_path / "run", lambda: None, frozenset({"progress.json"})):
        (tmp_path / "run" / "work").mkdir()
        (tmp_path / "run" / "progress.json").touch()
    assert list(tmp_path.iterdir()) == []
    with lasting_folder(tmp_path / "run", lambda: None, frozenset({"progress.json"})):
        (tmp_path / "run" / "calls.sqlite").touch()
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["calls.sqlite"]
