"""Runs that are stopped in the midst of calls: at once, in order, without noise."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import plausible_server
import pytest
import stub_server
from aiohttp import web
from forked import Forked, Forking
from stub_server import RunningStub

from ragassay.models.llm.call_log import LOG_FILE

STOPS_WITHIN_S = 60.0
"""A tenth of what the calls that are stopped would take: the server answers none of them."""
NOISE = ("Traceback", "Task", "Unclosed", "never retrieved", "ignored", "Event loop")

RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's "&" has it ignored
from pathlib import Path
from ragassay.errors import ModelError
from ragassay.models.llm.pace import Limits
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.run.run import run

def job():
    run(RunOptions(documents=(Path(sys.argv[1]),), out=Path(sys.argv[2]), n=12, chunk_sizes=(128, 512), processes=1,
        models=ModelOptions(model=sys.argv[3], call_timeout=600.0)))

async def cell():
    job()

try:
    {start}
except KeyboardInterrupt:
    print("stopped")
except ModelError as error:
    print(error)
"""
IN_A_SCRIPT = RUN.format(start="job()")
IN_A_NOTEBOOK = RUN.format(start="import asyncio; asyncio.new_event_loop().run_until_complete(cell())")
HIT_IN_A_TASK = """
from ragassay.models import openai_compatible
asked = []
def chat(self, task, inputs, original=openai_compatible.OpenAICompatible.ask):
    asked.append(task)
    if len(asked) == HIT:
        raise KeyboardInterrupt  # as a signal that comes while a task of many runs
    return original(self, task, inputs)
openai_compatible.OpenAICompatible.ask = chat
"""


class _KeyExpires(plausible_server.PlausibleStub):
    """Knows the key for so many requests."""

    good_requests = 20

    async def chat(self, request: web.Request) -> web.StreamResponse:
        if self.stats.requests < self.good_requests:
            return await super().chat(request)
        await request.read()
        return stub_server._error(401, "Incorrect API key")


@pytest.fixture
def server() -> Iterator[RunningStub]:
    with plausible_server.running(latency_ms=100) as stub:
        yield stub


Begin = Callable[[str, RunningStub], Forked]


@pytest.fixture
def begin(forking: Forking, documents: Path, tmp_path: Path) -> Begin:
    def begin(script: str, server: RunningStub) -> Forked:
        return forking.begin(script, documents, tmp_path / "run", f"{server.url}#plausible")

    return begin


def _assert_in_order(noise: str, folder: Path) -> None:
    assert not [word for word in NOISE if word in noise], noise
    assert (folder / LOG_FILE).exists()
    assert not list(folder.glob("*-wal")), "the call log was not closed"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for another process")
@pytest.mark.parametrize(
    ("script", "requests"),
    [(IN_A_SCRIPT, 1), (IN_A_SCRIPT, 15), (IN_A_NOTEBOOK, 15)],
    ids=["script-1", "script-15", "notebook-15"],
)
def test_ctrl_c_stops_calls_in_order(
    script: str, requests: int, server: RunningStub, begin: Begin, tmp_path: Path
) -> None:
    server.settings.silent_from = requests
    with begin(script, server) as process:
        while server.stats.requests < requests and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.wait(STOPS_WITHIN_S)
    assert process.out == "stopped\n"
    _assert_in_order(process.err, tmp_path / "run")
    assert not (tmp_path / "run" / "report.html").exists()


@pytest.mark.parametrize("hit", [3, 20, 40])  # while examples are made, and within two layers of tasks later on
def test_ctrl_c_that_hits_a_task_of_many_stops_them_all_in_order(
    hit: int, server: RunningStub, begin: Begin, tmp_path: Path
) -> None:
    server.settings.latency_ms = 20
    process = begin(f"HIT = {hit}\n{HIT_IN_A_TASK}{IN_A_SCRIPT}", server)
    process.wait()
    assert process.out == "stopped\n"
    _assert_in_order(process.err, tmp_path / "run")


def test_a_key_that_expires_is_one_clear_error(begin: Begin, tmp_path: Path) -> None:
    server = RunningStub(_KeyExpires(stub_server.Settings(latency_ms=10)))
    try:
        process = begin(IN_A_SCRIPT, server)
        process.wait()
    finally:
        server.stop()
    assert "HTTP 401" in process.out
    _assert_in_order(process.err, tmp_path / "run")
