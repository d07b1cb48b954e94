"""Work whose parts no user knows, told of in what users know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

LOCAL_BATCH = 8
"""Examples that the embedded model judges together: some seconds of work, after which progress is told."""


class Counted(Protocol):
    """What is told how far a stage is."""

    def start(self, stage: str, total: int | None, done: int = 0) -> None: ...

    def advance(self, by: int = 1) -> None: ...

    def reach(self, done: float) -> None: ...


async def together(work: Callable[[], Coroutine[Any, Any, None]], times: int) -> None:
    """Do the same work so many times at once; what ends one ends all, and nothing goes on behind it."""
    workers = [asyncio.create_task(work()) for _ in range(times)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


def in_parts(progress: Counted, stage: str, total: int, parts: int) -> Callable[[int], None]:
    """Start a stage of so many things, and return what is to be told of each part of the work that is done.

    The stage has come as far among its things as the work among its parts.
    """
    progress.start(stage, total)
    done = 0

    def advance(by: int = 1) -> None:
        nonlocal done
        done += by
        progress.reach(total * min(done, parts) / max(parts, 1))

    return advance


def in_batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split items, in their order, into lists of ``size``; the last may be shorter."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
