"""A job that asks models, from its start to its end: where an event loop runs already, and where Ctrl-C comes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

MOST_ROUNDS = 2
ROUND_S = 5.0
"""For how long a stopped run waits for its tasks to end, and how often: one that an interrupt hit may never do so."""


def finished(job: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where an event loop runs already, as in notebooks."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(job)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_new_loop(loop, task)
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(_in_new_loop(loop, task))
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits, and raised there
            outcome.set_exception(error)

    threading.Thread(target=work, name="run").start()
    try:
        return outcome.result()
    except KeyboardInterrupt:  # heard by the thread that waits, not by the one that works
        with suppress(RuntimeError):  # its loop is closed: it has just ended
            loop.call_soon_threadsafe(task.cancel)
        wait([outcome])
        raise


def _in_new_loop(loop: asyncio.AbstractEventLoop, task: asyncio.Task[T]) -> T:
    """As ``asyncio.run``, but Ctrl-C stops at once: long work by rules never comes back to the loop to hear of it."""
    try:
        return loop.run_until_complete(task)
    except BaseException:
        loop.set_exception_handler(lambda loop, context: None)  # the one error is enough, not those of all it stopped
        raise
    finally:
        # Ends what is open in a loop in order, in every task, even where Ctrl-C comes again meanwhile.
        rounds = 0
        while rounds < MOST_ROUNDS and (open_tasks := asyncio.all_tasks(loop)):
            for each in open_tasks:
                each.cancel()
            with suppress(KeyboardInterrupt):
                loop.run_until_complete(asyncio.wait(open_tasks, timeout=ROUND_S))
                rounds += 1
        with suppress(KeyboardInterrupt):
            loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
