"""Progress in a file: whole whoever tells, and gone or put back when the work is over."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from ragassay.errors import InputError
from ragassay.jobs.folders.progress import PROGRESS_FILE, Silent, Written, followed


def test_no_reply_of_any_thread_is_lost(tmp_path: Path) -> None:
    told = Written(Silent(), tmp_path, "label")
    told.start("labelling", 400)

    def tell() -> None:
        for _ in range(100):
            told.replied(failed=False, cost_usd=0.25)
            told.advance()

    threads = [threading.Thread(target=tell) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    told.write()
    said = json.loads((tmp_path / PROGRESS_FILE).read_text())
    assert (said["stage"], said["done"], said["total"], said["replies"]) == ("labelling", 400, 400, 400)
    assert (said["failed"], said["cost_usd"]) == (0, 100.0)


def test_a_reply_that_comes_late_is_not_told(tmp_path: Path) -> None:
    with followed(Silent(), tmp_path, "label") as told:
        told.start("labelling", 1)
    told.replied(failed=False, cost_usd=0.0)
    told.write()
    assert list(tmp_path.iterdir()) == []


def fail(folder: Path, error: type[BaseException], *, begins: bool = False) -> None:
    with followed(Silent(), folder, "label", (folder / "begun").touch) as told:
        if begins:
            told.begin()
        told.start("labelling", 3)
        raise error


@pytest.mark.parametrize("before", [None, b'{"stage": "rating"}'])
def test_what_is_refused_before_it_began_leaves_no_trace(tmp_path: Path, before: bytes | None) -> None:
    if before is not None:
        (tmp_path / PROGRESS_FILE).write_bytes(before)
    with pytest.raises(InputError):
        fail(tmp_path, InputError)
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == ({} if before is None else {PROGRESS_FILE: before})


@pytest.mark.parametrize(("error", "begins"), [(InputError, True), (KeyboardInterrupt, False)])
def test_what_failed_or_was_interrupted_says_where(tmp_path: Path, error: type[BaseException], begins: bool) -> None:
    with pytest.raises(error):
        fail(tmp_path, error, begins=begins)
    assert (tmp_path / "begun").exists() is begins
    assert json.loads((tmp_path / PROGRESS_FILE).read_text())["stage"] == "labelling"
