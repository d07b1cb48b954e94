"""Damaged input to everything that reads what others made: which of it ends in a traceback, a hang, or too much memory.

    python benchmarks/fuzz.py [--target docx ...] [--minutes 25] [--seed 17]

Each seed makes one input: small valid ones, damaged at random, the same every time. Without --seed they are tried from
0 on, or from --first, all targets in turn until the time is over; the first finding of a kind is printed with its seed,
and at the end a line for each target. With --seed one input is tried. A finding is anything but a result that keeps the
laws of its kind or an error that says what is wrong; more than 10 s of the processor; or more than 1 GB. A document's
reader that fails is a finding, although a run would pass over that document and go on.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import tee
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import fuzz_documents
import fuzz_records
import fuzz_replies

from ragassay.process import Limits
from ragassay.workers import Lost, Workers

TARGETS: dict[str, Callable[[Random, Path], None]] = {
    **fuzz_documents.TARGETS,
    **fuzz_records.TARGETS,
    **fuzz_replies.TARGETS,
}
LIMITS = Limits(seconds=10, memory_mb=1_000)
LOST = {
    "time": f"it took more than {LIMITS.seconds:g} s of the processor",
    "memory": f"it took more than {LIMITS.memory_mb:,.0f} MB",
    "crash": "the process died of it",
}
_LONGEST_TURN_S = 10.0
"""So long one target is tried before the next."""


class Input(NamedTuple):
    """One damaged input."""

    target: str
    seed: int


def attempt(made: Input) -> str:
    """What is wrong with how it was taken, as a traceback; "" for nothing."""
    with TemporaryDirectory() as folder:
        try:
            TARGETS[made.target](Random(f"{made.target} {made.seed}"), Path(folder))
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - what it may raise, it has caught
            return traceback.format_exc().encode("utf-8", "backslashreplace").decode()
    return ""


def outcomes(inputs: Iterable[Input]) -> Iterator[str]:
    """What is wrong with each, in order. What is lost for want of memory is tried once more by a new process."""
    with Workers(1) as workers:
        for found in workers.map_within(LIMITS, attempt, inputs):
            if isinstance(found, Lost) and found.why == "memory":
                with Workers(1) as alone:
                    (found,) = alone.map_within(LIMITS, attempt, [found.item])
            yield LOST[found.why] if isinstance(found, Lost) else found


def _turns(targets: Sequence[str], first: int, seconds: float) -> Iterator[Input]:
    """All targets in turn, each a few seconds, until the time is over."""
    end = time.monotonic() + seconds
    turn_s = min(_LONGEST_TURN_S, seconds / len(targets))
    seeds = dict.fromkeys(targets, first)
    while time.monotonic() < end:
        for target in targets:
            turn_end = min(end, time.monotonic() + turn_s)
            while time.monotonic() < turn_end:
                yield Input(target, seeds[target])
                seeds[target] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=TARGETS, metavar="NAME", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=25, help="for all targets together")
    parser.add_argument("--first", type=int, default=0, help="first seed of each target")
    parser.add_argument("--seed", type=int, help="the one input to try")
    options = parser.parse_args()
    targets: list[str] = options.target or list(TARGETS)
    if options.seed is None:
        _try_all(targets, _turns(targets, options.first, 60 * options.minutes))
        return
    inputs = [Input(target, options.seed) for target in targets]
    for made, found in zip(inputs, outcomes(inputs), strict=True):
        print(f"--target {made.target} --seed {made.seed}: {found or 'nothing wrong'}")


def _try_all(targets: Sequence[str], inputs: Iterator[Input]) -> None:
    tried, findings = Counter[str](), Counter[tuple[str, str]]()
    inputs, handed_over = tee(inputs)
    for found, made in zip(outcomes(handed_over), inputs, strict=True):
        tried[made.target] += 1
        if found:
            kind = made.target, _place(found)
            findings[kind] += 1
            if findings[kind] == 1:
                print(f"--target {made.target} --seed {made.seed}: {found}", flush=True)
    print(f"{'target':<20}{'inputs':>10}{'findings':>10}{'kinds':>8}")
    for target in targets:
        of_target = [count for (each, _), count in findings.items() if each == target]
        print(f"{target:<20}{tried[target]:>10,}{sum(of_target):>10,}{len(of_target):>8,}")
    print(f"{'all':<20}{tried.total():>10,}{findings.total():>10,}{len(findings):>8,}")


def _place(found: str) -> str:
    """What tells one kind of finding from another: the type of the error and the last lines of code that it names."""
    places = [line.strip() for line in found.splitlines() if line.lstrip().startswith("File ")]
    return " ".join([*places[-2:], found.splitlines()[-1].partition(":")[0]])


if __name__ == "__main__":
    import fuzz  # by the name under which the other process finds ``attempt``

    fuzz.main()
