"""What the pages over a folder of runs read, and that they read again what has changed, and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ragassay.jobs.folders import file_state

_watching: list[list[str]] = []
"""Who wants to know which files this process opens."""


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        for each in _watching:
            each.append(str(arguments[0]))


@cache
def _watch() -> None:
    """For good: a hook cannot be taken away."""
    sys.addaudithook(_note_opened)


@contextmanager
def opened_below(folder: Path) -> Iterator[list[str]]:
    """The files below a folder that this process opens meanwhile, by their path there."""
    _watch()
    every: list[str] = []
    found: list[str] = []
    _watching.append(every)
    try:
        yield found
    finally:
        _watching.remove(every)
        found += [each.removeprefix(f"{folder}/") for each in every if each.startswith(f"{folder}/")]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read is kept at once, although its file has just been written."""
    monkeypatch.setattr(file_state, "_SETTLED_AFTER_S", 0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("/api/runs", {"first/examples.jsonl"}),
        ("/api/items?run=first", {"first/examples.jsonl", "first/predictions.jsonl", "first/documents.jsonl"}),
    ],
)
def test_what_did_not_change_is_read_once(client: TestClient, runs: Path, path: str, read: set[str]) -> None:
    with opened_below(runs) as opened:
        first = client.get(path)
    assert first.status_code == 200
    assert read <= set(opened)
    with opened_below(runs) as opened:
        assert client.get(path).content == first.content
    assert opened == []


def test_a_change_shows_though_size_and_time_of_the_file_are_as_before(client: TestClient, runs: Path) -> None:
    file = runs / "first" / "scores.jsonl"
    assert '"values":[[1.0]]' in client.get("/api/items?run=first").text
    before, text = file.stat(), file.read_text()
    file.write_text(text.replace('"value":1.0', '"value":0.5'))  # in place
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_ino) == (before.st_size, before.st_ino)
    assert '"values":[[0.5]]' in client.get("/api/items?run=first").text


def test_a_report_that_is_written_later_is_shown(client: TestClient, runs: Path) -> None:
    (runs / "first" / "report.html").unlink()
    (runs / "first" / "examples.jsonl").write_text("")
    assert client.get("/report/framed", params={"run": "first"}).status_code == 404
    (runs / "first" / "report.html").write_text("written later")
    assert client.get("/report/framed", params={"run": "first"}).text == "written later"


def test_lines_are_counted_over_blocks_and_a_half_one_is_none(client: TestClient, runs: Path) -> None:
    file = runs / "first" / "examples.jsonl"
    file.write_text("\n" * 131_071 + "a" * 131_073 + "\n\nhalf a li")
    assert client.get("/api/run", params={"run": "first"}).json()["examples"] == 131_073
