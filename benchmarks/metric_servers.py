"""Stub servers with samples for benchmarks/llm_metrics.py: our own, and those of a folder that brings others."""

from __future__ import annotations

import dataclasses
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from llm_calls import TROUBLES, stats, stub

N = 100

SHARED_TROUBLES: Mapping[str, tuple[float, float, str]] = {
    "20 % 429": (0.2, 0.0, "429"),
    "10 % 5xx": (0.1, 0.0, "500"),
    "10 % malformed": (0.0, 0.1, "500"),
    "all it can": (0.3, 0.1, "mix"),
}
"""Of the stub server in --shared: share turned away, share of replies cut short, and how it turns away."""


class Counts(NamedTuple):
    """What a server counted. replies: to requests that it did not turn away."""

    requests: int
    replies: int


@dataclasses.dataclass(frozen=True)
class Server:
    """A kind of stub server. start: with its troubles. troubles: name to settings, and the share of requests lost."""

    name: str
    samples: Path
    start: Callable[..., AbstractContextManager[str]]
    counts: Callable[[str], Counts]
    troubles: Mapping[str, tuple[Mapping[str, Any], float]]


def write_samples(path: Path) -> None:
    """Made-up samples, as long as paragraphs of a manual."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(N):
            first, second, third = (_paragraph((number + step) % N) for step in (0, 37, 61))
            answer = ". ".join(first.split(". ")[:3]) + "."
            question = (
                f"What does the register of harbours say about lamp {number}, its colour, its year and its range?"
            )
            sample = {
                "id": number,
                "question": question,
                "answer": answer,
                "contexts": [first, second, third],
                "reference": answer,
            }
            file.write(json.dumps(sample) + "\n")


def _paragraph(number: int) -> str:
    colour = ("red", "green", "white", "amber")[number % 4]
    return (
        f"The lamp number {number} on the outer pier is {colour} and turns once every {5 + number % 7} seconds. "
        f"It was lit for the first time in {1800 + number} and has been tended by {1 + number % 5} keepers since then. "
        f"In clear weather it can be seen from {8 + number % 13} miles away, and from {2 + number % 3} in fog. "
        f"The pier beside it has a crane, {2 + number % 4} bollards and a shed, and is closed to the public in winter. "
        "Ships that come in at night are asked to keep it on their left until they have passed the second buoy."
    )


def own_server(folder: Path) -> Server:
    samples = folder / "own.jsonl"
    write_samples(samples)

    def counts(url: str) -> Counts:
        found = stats(url)
        outcomes = found["outcomes"]
        replies = outcomes.get("answered", 0) + outcomes.get("malformed", 0)
        return Counts(found["requests"], replies)

    troubles = {
        name: (settings, sum(settings.get(each, 0) for each in ("busy", "broken", "hung")))
        for name, settings in TROUBLES.items()
        if settings and "first_tries_only" not in settings
    }
    return Server("own stub", samples, stub, counts, troubles)


def shared_server(folder: Path, shared: Path) -> Server:
    """The scripts of the folder in one that can be written to, with their samples beside them."""
    for script in shared.glob("*.py"):
        shutil.copyfile(script, folder / script.name)
    subprocess.run([sys.executable, str(folder / "make_data.py")], check=True, stdout=subprocess.DEVNULL)

    @contextmanager
    def start(latency_ms: float, lost: float = 0.0, garbage: float = 0.0, code: str = "429") -> Iterator[str]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        options = {
            "port": port,
            "latency-ms": latency_ms,
            "fail-rate": lost,
            "fail-code": code,
            "garbage-rate": garbage,
        }
        command = [sys.executable, str(folder / "stub_llm.py"), *(f"--{name}={each}" for name, each in options.items())]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            process.stdout.readline()  # it says so when it listens
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait()

    def counts(url: str) -> Counts:
        found = stats(url)
        requests = found["total_calls"]
        return Counts(requests, requests - found["failed"])

    troubles = {
        name: ({"lost": lost, "garbage": garbage, "code": code}, lost)
        for name, (lost, garbage, code) in SHARED_TROUBLES.items()
    }
    return Server("shared stub", folder / "data" / "samples.jsonl", start, counts, troubles)
