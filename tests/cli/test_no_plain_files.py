"""Pipes and sockets in place of a run's files: every command says something, and none waits for ever."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from view_runs import write_run

from ragassay.errors import InputError
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, PREDICTIONS_FILE
from ragassay.plain_files import open_plain, read_plain

COMMANDS = [
    ("report", "{run}", "--text"),
    ("report", "{run}", "--out", "{out}.html"),
    ("compare", "{run}", "{whole}"),
    ("convert", "{run}"),
    ("report", "{run}", "--calls"),
    ("label", "{run}", "--labels", "summary", "--out", "{out}"),
    ("convert", "{run}", "{out}.csv"),
    ("evaluate", "--metrics", "none", "{run}", "--system", "no-retrieval", "--out", "{out}"),
    ("evaluate", "{run}", "--metrics", "exact_match"),
    ("label", "{run}", "--model", "lexical", "--out", "{out}"),
    ("run", "{run}", "--out", "{out}", "--n", "1"),
    ("annotate", "{run}", "--annotators", "a", "--out", "{out}", "--export", "{out}.csv"),
]


@pytest.fixture(autouse=True)
def at_most_a_minute() -> Iterator[None]:
    """A command that waits for a pipe is a failure, not a test run that never ends."""

    def give_up(*_: object) -> None:
        raise AssertionError("it waits for ever")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(120)
    yield
    signal.alarm(0)


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe, a socket or a device"):
        open_plain(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="it is a pipe, a socket or a device"):
            open_plain(tmp_path / "socket")
    with pytest.raises(OSError, match="it is a pipe, a socket or a device"):
        open_plain("/dev/zero")
    with pytest.raises(IsADirectoryError):
        open_plain(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "absent")
    (tmp_path / "file").write_bytes(b"12")
    assert read_plain(tmp_path / "file") == b"12"
    with pytest.raises(InputError, match=r"/pipe cannot be read: it is a pipe, a socket or a device$"):
        read_plain(tmp_path / "pipe")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_command_waits_for_a_pipe(cli: Any, tmp_path: Path, command: tuple[str, ...]) -> None:
    write_run(tmp_path / "whole")
    for number, name in enumerate((EXAMPLES_FILE, PREDICTIONS_FILE, "scores.jsonl", "run.json", "metrics.json")):
        run = tmp_path / f"run{number}"
        write_run(run)
        (run / name).unlink(missing_ok=True)
        os.mkfifo(run / name)
        places = {"run": run, "whole": tmp_path / "whole", "out": tmp_path / f"out{number}"}
        outcome = cli(*(word.format(**places) for word in command))
        assert "Traceback" not in outcome.err
        if name == EXAMPLES_FILE and command[0] not in ("report", "run"):
            assert outcome.code in {2, 3, 4}, outcome.out


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_no_data_set_is_read_from_a_pipe(cli: Any, tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"set.{suffix}")
    outcome = cli("evaluate", tmp_path / f"set.{suffix}", "--system", "rag", "--out", tmp_path / "out")
    assert (outcome.code, "it is a pipe, a socket or a device" in outcome.err) == (3, True)
