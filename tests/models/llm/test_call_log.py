"""The log of calls: on disk before it is used, shared by processes, and clear about a disk that takes no more."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from forked import Forking

from ragassay.errors import RunFolderError
from ragassay.models.llm.call_log import LOG_FILE, CallLog, LoggedCall
from ragassay.models.llm.server_replies import Answer, Usage


def call(number: int, text: str = "yes") -> LoggedCall:
    return LoggedCall(
        key=number.to_bytes(16, "big"),
        task="label",
        prompt_hash="0" * 16,
        model="m",
        parameters="{}",
        messages="[]",
        sample=0,
        answer=Answer(text, Usage(10, 2), "stop"),
        unreadable=None,
        latency_s=0.5,
        tries=1,
    )


def stored(log: CallLog, *calls: LoggedCall) -> list[Answer]:
    async def all_of_them() -> list[Answer]:
        return await asyncio.gather(*(log.store(each) for each in calls))

    return asyncio.run(all_of_them())


def test_what_is_stored_is_found_by_the_next_process(tmp_path: Path) -> None:
    failed = Answer("", Usage(7, 0, estimated=True), "content_filter", failure="the server filtered the reply")
    with CallLog(tmp_path / "run" / LOG_FILE) as log:
        assert log.find(call(1).key) is None
        assert stored(log, call(1), call(2)) == [call(1).answer, call(2).answer]
    with CallLog(tmp_path / "run" / LOG_FILE) as log:
        assert log.find(call(2).key) == Answer("yes", Usage(10, 2), "stop")
        refused = LoggedCall(**{name: getattr(call(3), name) for name in LoggedCall.__slots__} | {"answer": failed})
        stored(log, refused)
        assert log.find(refused.key) == failed


def test_the_first_reply_stands(tmp_path: Path) -> None:
    with CallLog(tmp_path / LOG_FILE) as one, CallLog(tmp_path / LOG_FILE) as other:
        assert stored(one, call(1, "first"))[0].text == "first"
        assert stored(other, call(1, "second"))[0].text == "first"


WRITER = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_call_log import call, stored
from ragassay.models.llm.call_log import CallLog
start = int(sys.argv[1])
with CallLog(Path({path!r})) as log:
    stored(log, *(call(number, f"reply {{number}}") for number in range(start, start + 200)))
"""


def test_several_processes_write_at_once(tmp_path: Path, forking: Forking) -> None:
    path = tmp_path / LOG_FILE
    script = WRITER.format(tests=str(Path(__file__).parent), path=str(path))
    workers = [forking.begin(script, str(start)) for start in (0, 100, 200)]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    with CallLog(path) as log:
        found = [log.find(call(number).key) for number in range(400)]
    assert [answer and answer.text for answer in found] == [f"reply {number}" for number in range(400)]


FULL_DISK = """
import asyncio, resource, signal, sys
sys.path.insert(0, {tests!r})
from dataclasses import replace
from pathlib import Path
from test_call_log import call, stored
from ragassay.errors import RunFolderError
from ragassay.models.llm.call_log import CallLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = CallLog(Path({path!r}))
stored(log, call(1, "kept"))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for attempt in (2, 3):
    try:
        stored(log, call(attempt, "x" * 1_000_000))
    except RunFolderError as error:
        print(error)
log.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_is_one_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / LOG_FILE
    script = FULL_DISK.format(tests=str(Path(__file__).parent), path=str(path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all(f"the call log {path} cannot be written to" in line for line in lines)
    assert done.stderr == ""
    with CallLog(path) as log:
        kept = log.find(call(1).key)
        assert kept is not None
        assert kept.text == "kept"
        assert stored(log, call(2))[0].text == "yes"  # there is room again


@pytest.mark.parametrize("content", [b"no database at all, but longer than a header of SQLite " * 3, None])
def test_a_file_that_is_no_log_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / LOG_FILE
    if content is None:
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE songs (name TEXT)")
        other.close()
    else:
        path.write_bytes(content)
    with pytest.raises(RunFolderError, match="cannot be opened"):
        CallLog(path)
