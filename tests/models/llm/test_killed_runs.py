"""Runs that are killed, and runs side by side: no logged call is made again, and the results are the same."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forked import Forked, Forking

from ragassay.models.base import Reply
from ragassay.models.llm.call_log import CallLog
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerStatements, AnswerToQuestion

RUN = """
import asyncio, json, sys
from pathlib import Path
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.pace import Limits
from ragassay.models.openai_compatible import OpenAICompatible
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerToQuestion

url, log, n = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])

async def main():
    given = [AnswerToQuestion(question=f"Question {i}?", answer=f"Lamp {i} is red. It is old.") for i in range(n)]
    with CallLog(log) as opened:
        async with OpenAICompatible(Endpoint("m", url, "m"), opened, Budget(), limits=Limits(max_in_flight=8)) as model:
            replies = await model.ask_all(ANSWER_STATEMENTS, given)
    print(json.dumps([reply.value.items for reply in replies]))

asyncio.run(main())
"""
N = 200


@pytest.fixture
def start(forking: Forking) -> Callable[[str, Path], Forked]:
    def begin(url: str, log: Path) -> Forked:
        return forking.begin(RUN, url, log, str(N))

    return begin


def result(process: Forked) -> list[list[str]]:
    assert (process.wait(), process.err) == (0, "")
    found: list[list[str]] = json.loads(process.out)
    return found


def logged(log: Path) -> int:
    if not log.exists():
        return 0
    try:
        (n,) = sqlite3.connect(log).execute("SELECT count(*) FROM calls").fetchone()
    except sqlite3.OperationalError:  # not made yet
        return 0
    return int(n)


def test_a_killed_run_repeats_no_logged_call(
    servers: Any, tmp_path: Path, start: Callable[[str, Path], Forked]
) -> None:
    server = servers.stub(latency_ms=20, malformed=0.1, silent_from=N)  # it cannot end before it is killed
    process = start(server.url, tmp_path / "killed.sqlite")
    while logged(tmp_path / "killed.sqlite") < N / 2 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = logged(tmp_path / "killed.sqlite")
    assert kept >= N / 2
    assert process.returncode == -signal.SIGKILL
    server.drain()
    server.settings.silent_from = 0
    answered = sum(server.stats.answered.values())
    again = result(start(server.url, tmp_path / "killed.sqlite"))
    # Only what was in flight may have been answered twice: 8 calls, each with an unreadable reply before it at most.
    assert server.stats.summary()["answered_again"] <= 2 * 8
    assert sum(server.stats.answered.values()) - answered == logged(tmp_path / "killed.sqlite") - kept
    assert result(start(server.url, tmp_path / "undisturbed.sqlite")) == again


def test_two_processes_share_a_log_and_use_the_same_replies(
    servers: Any, tmp_path: Path, start: Callable[[str, Path], Forked]
) -> None:
    server = servers.stub(latency_ms=20)
    processes = [start(server.url, tmp_path / "calls.sqlite") for _ in range(2)]
    first, second = (result(process) for process in processes)
    assert first == second


def test_no_more_replies_wait_to_be_written_than_calls_may_be_in_flight(
    servers: Any, model_at: Callable[..., OpenAICompatible], log: CallLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a kill repeats no more calls than that, however slow the disk is."""
    server = servers.stub()
    write = CallLog._commit
    written = 0
    unwritten: list[int] = []

    def slowly(self: CallLog, calls: Any) -> Any:
        nonlocal written
        time.sleep(0.02)  # time enough for many a call, were calls free to go on
        unwritten.append(server.stats.requests - written)
        answers = write(self, calls)
        written += len(calls)
        return answers

    monkeypatch.setattr(CallLog, "_commit", slowly)
    model = model_at(server.url, limits={"max_in_flight": 3})
    given = [AnswerToQuestion(question=f"Question {i}?", answer=f"Lamp {i} is red.") for i in range(40)]

    async def ask() -> list[Reply[AnswerStatements]]:
        async with model:
            return await model.ask_all(ANSWER_STATEMENTS, given)

    assert all(reply.value is not None for reply in asyncio.run(ask()))
    assert max(unwritten) <= 3
