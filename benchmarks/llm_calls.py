"""What calls to a language model cost on this side of the wire: throughput, processor time, memory, and calls too many.

    python benchmarks/llm_calls.py

The server is benchmarks/stub_server.py in a process of its own; each row is measured in a fresh process with a fresh
call log. A score takes two calls, one after the other: the statements of an answer, then the verdicts on them. Goals on
two cores: over 2 000 calls/s and under 1 ms of processor time a call at zero latency; 300 scores at 200 ms and 64 in
flight in under 3 s (600 calls cannot be made in less than 2); 300 of 300 scores whatever goes wrong; under 200 MB.

Requests over need: all requests, refused ones included, for each answer that was needed. Each request meets trouble by
itself, so with a share p of them turned away, broken or hung, no client needs fewer than 1 / (1 - p); that is the floor
in the table, with as many repair turns as there were unreadable replies. Replies over need: what a provider would bill.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
IN_FLIGHT = 64
CALL_TIMEOUT_S = 2.0

TROUBLES: dict[str, dict[str, float]] = {
    "no trouble": {},
    "20 % 429": {"busy": 0.2},
    "10 % 5xx": {"broken": 0.1},
    "10 % malformed": {"malformed": 0.1},
    "5 % hung": {"hung": 0.05},
    "all of these": {"busy": 0.2, "broken": 0.1, "malformed": 0.1, "hung": 0.05},
    "all, first tries": {"busy": 0.2, "broken": 0.1, "malformed": 0.1, "hung": 0.05, "first_tries_only": True},
}


@contextmanager
def stub(**settings: Any) -> Iterator[str]:
    """A stub server; its base URL."""
    options: list[str] = []
    for name, value in settings.items():
        option = f"--{name.replace('_', '-')}"
        options += [option] if value is True else [option, str(value)]
    command = [sys.executable, str(HERE / "stub_server.py"), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def stats(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url.removesuffix('/v1')}/stats") as reply:
        found: dict[str, Any] = json.load(reply)
    return found


def measured(url: str, n: int, *, two_calls: bool) -> dict[str, Any]:
    """What a fresh process measures."""
    command = [sys.executable, __file__, "--client", url, "--n", str(n), *(["--two-calls"] if two_calls else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def client(url: str, n: int, *, two_calls: bool) -> dict[str, Any]:
    """Asks for n scores of two calls, or n answers of one; in this process."""
    from ragassay.models.llm.budget import Budget
    from ragassay.models.llm.call_log import LOG_FILE, CallLog
    from ragassay.models.llm.endpoints import Endpoint
    from ragassay.models.llm.limits import Limits
    from ragassay.models.openai_compatible import OpenAICompatible
    from ragassay.tasks.verdicts import ANSWER_STATEMENTS, STATEMENT_VERDICTS, AnswerToQuestion, StatementsOnContext

    async def work(folder: str) -> dict[str, Any]:
        limits = Limits(max_in_flight=IN_FLIGHT, call_timeout_s=CALL_TIMEOUT_S if two_calls else 60.0)
        with CallLog(Path(folder, LOG_FILE)) as log:
            async with OpenAICompatible(Endpoint("stub", url, "m"), log, Budget(), limits=limits) as model:
                answers = [AnswerToQuestion(question=f"Question {n}?", answer=_answer(n)) for n in range(n)]
                replies = await model.ask_all(ANSWER_STATEMENTS, answers)
                values: list[object] = [reply.value for reply in replies]
                if two_calls:
                    pairs = [
                        StatementsOnContext(
                            question=each.question, statements=value.items, context=_context(each.answer)
                        )
                        for each, reply in zip(answers, replies, strict=True)
                        if (value := reply.value) is not None
                    ]
                    values = [reply.value for reply in await model.ask_all(STATEMENT_VERDICTS, pairs)]
                return {"scored": sum(value is not None for value in values)}

    import aiohttp  # noqa: F401 - its import is part of no call

    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        found = asyncio.run(work(folder))
        found["wall_s"] = time.perf_counter() - wall
        found["cpu_s"] = time.process_time() - cpu
    found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def log_alone(n: int) -> float:
    """Replies a second that the log finds missing and takes in, with as many waiting as there would be in flight."""
    from ragassay.models.llm.answers import Answer, Usage
    from ragassay.models.llm.call_log import LOG_FILE, CallLog, LoggedCall

    first = LoggedCall(
        key=b"",
        task="t",
        prompt_hash="",
        model="m",
        parameters="{}",
        messages="x" * 4000,
        sample=0,
        answer=Answer("y" * 500, Usage(1000, 100), "stop"),
        unreadable=None,
        latency_s=1.0,
        tries=1,
    )

    async def work(log: CallLog, numbers: Iterator[int]) -> None:
        for number in numbers:
            key = number.to_bytes(16, "big")
            assert log.find(key) is None
            await log.store(dataclasses.replace(first, key=key))

    async def all_work(log: CallLog) -> None:
        numbers = iter(range(n))
        await asyncio.gather(*(work(log, numbers) for _ in range(IN_FLIGHT)))

    with tempfile.TemporaryDirectory() as folder, CallLog(Path(folder, LOG_FILE)) as log:
        wall = time.perf_counter()
        asyncio.run(all_work(log))
        return n / (time.perf_counter() - wall)


def _answer(number: int) -> str:
    return (
        f"The lamp number {number} on the pier is red. It was lit in {1800 + number % 200}. It can be seen from afar."
    )


def _context(answer: str) -> str:
    return " ".join([answer] + ["The pier has a crane, two bollards and a shed, and is closed in winter."] * 12)


def print_throughput(n: int) -> None:
    print(f"\nzero latency, {IN_FLIGHT} in flight, {n} calls")
    print(f"{'calls/s':>9}{'cpu ms/call':>13}{'peak MB':>9}")
    for _ in range(3):
        with stub() as url:
            found = measured(url, n, two_calls=False)
        print(f"{n / found['wall_s']:>9.0f}{1000 * found['cpu_s'] / n:>13.2f}{found['peak_mb']:>9.0f}", flush=True)


def print_troubles(n: int, latency_ms: float) -> None:
    print(f"\n{n} scores of two calls, {latency_ms:g} ms, {IN_FLIGHT} in flight, time-out {CALL_TIMEOUT_S:g} s")
    print(
        f"{'trouble':<18}{'scored':>10}{'wall s':>8}{'requests':>10}{'over need':>11}{'floor':>7}{'replies':>9}"
        f"{'over need':>11}{'peak MB':>9}"
    )
    for name, settings in TROUBLES.items():
        with stub(latency_ms=latency_ms, **settings) as url:
            found = measured(url, n, two_calls=True)
            server = stats(url)
        needed = 2 * n
        outcomes = server["outcomes"]
        replies = outcomes.get("answered", 0) + outcomes.get("malformed", 0)
        lost = sum(settings.get(each, 0) for each in ("busy", "broken", "hung"))
        floor = replies / needed * (1 + lost if settings.get("first_tries_only") else 1 / (1 - lost))
        print(
            f"{name:<18}{found['scored']:>4} of {n}{found['wall_s']:>8.2f}{server['requests']:>10}"
            f"{server['requests'] / needed:>11.2f}{floor:>7.2f}{replies:>9}{replies / needed:>11.2f}"
            f"{found['peak_mb']:>9.0f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=300, help="scores")
    parser.add_argument("--calls", type=int, default=10_000, help="calls at zero latency")
    parser.add_argument("--latency-ms", type=float, default=200.0)
    parser.add_argument("--client", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--two-calls", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.client:
        print(json.dumps(client(arguments.client, arguments.n, two_calls=arguments.two_calls)))
        return
    print(f"load before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; cores: {os.cpu_count()}")
    print(f"the log alone: {log_alone(arguments.calls):.0f} replies/s")
    print_throughput(arguments.calls)
    print_troubles(arguments.n, arguments.latency_ms)


if __name__ == "__main__":
    main()
