"""Says who keeps a run waiting, and why: soon, and then at growing intervals."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

FIRST_WORD_S = 20.0
"""Without an answer, before something is said; the next word comes after twice that, and so on."""

_SAY = logging.getLogger("ragassay").warning


class Vigil:
    """Watches over the calls to one server, in one event loop after the other."""

    def __init__(self, who: str, most_s: float) -> None:
        """most_s: how long it goes on, for the message."""
        self._who = who
        self._most_s = most_s
        self._waiting = 0
        self._since = 0.0
        self._due_s = FIRST_WORD_S
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._failures = 0
        self._latest = ""

    @property
    def silent_s(self) -> float:
        """Seconds from the latest answer, or since somebody began to wait; 0 where no try has failed since."""
        return time.monotonic() - self._since if self._failures else 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Within it somebody waits for an answer, tries and waits between them included."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._timer, self._waiting = loop, None, 0
        if not self._waiting and not self._failures:
            self._since = time.monotonic()
        self._waiting += 1
        if self._timer is None:
            self._timer = loop.call_later(self._due_s - time.monotonic() + self._since, self._look, loop)
        try:
            yield
        finally:
            self._waiting -= 1

    def failed(self, why: str) -> None:
        """A try brought no answer."""
        self._failures += 1
        self._latest = why

    def answered(self) -> None:
        """A call was answered."""
        self._since, self._failures, self._latest = time.monotonic(), 0, ""

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._waiting:
            self._timer = None
            return
        silent_s = time.monotonic() - self._since
        if silent_s >= self._due_s:
            tries = f"; failed tries: {self._failures:,}, the latest with {self._latest}" if self._failures else ""
            _SAY(f"{self._who}: no answer for {silent_s:.0f} s{tries}; given up after {self._most_s:.0f} s")
            self._due_s *= 2
        self._timer = loop.call_later(max(self._due_s - silent_s, 0.0), self._look, loop)
