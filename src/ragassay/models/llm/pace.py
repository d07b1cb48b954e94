"""When the next call may start: calls in flight, and a server that is busy."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from ragassay.models.llm.limits import Limits

FIRST_ALONE_S = 2.0
"""The first call goes alone, for no longer than this: what it teaches about key, model and formats holds for all."""

MEMORY = 1 / 32
"""Weight of the latest call in the running share of calls that were pushed back."""

TOO_MANY = 0.5
"""Share of calls pushed back above which the server is taken to be over its limit rather than out of luck."""


class Pace:
    """Slots for calls, given in the order of asking. Belongs to one event loop.

    While few calls are pushed back, only they wait. Where most are, all wait as long as the server asks, and half as
    many are in flight from then on; each success makes room again, up to the limit (additive increase, multiplicative
    decrease, as in TCP: Chiu and Jain 1989).
    """

    def __init__(self, limits: Limits) -> None:
        self._most = limits.max_in_flight
        self._room: float = 1.0
        self._patience_s = limits.patience_s
        self._alone = True
        self._in_flight = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._pushed_back = 0.0
        self._resume_at = 0.0
        self._narrowed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def room(self) -> int:
        """How many calls may be in flight now."""
        return 1 if self._alone else int(self._room)

    async def enter(self) -> bool:
        """Waits for a slot, then for a server that is busy. False, without a slot, where that would take too long."""
        if self._in_flight >= self.room or self._queue:
            await self._queued()
        else:
            self._in_flight += 1
        try:
            while (wait_s := self._resume_at - time.monotonic()) > 0:
                if wait_s > self._patience_s:
                    self.leave()
                    return False
                await asyncio.sleep(wait_s)
        except BaseException:
            self.leave()
            raise
        if self._alone and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FIRST_ALONE_S, self.open)
        return True

    def leave(self) -> None:
        """Gives the slot back."""
        self._in_flight -= 1
        self._admit()

    def open(self) -> None:
        """Lets the others follow the first call."""
        if self._alone:
            self._alone = False
            self._room = float(self._most)
            if self._timer is not None:
                self._timer.cancel()
            self._admit()

    def went_well(self) -> None:
        """A call was answered."""
        self.open()
        self._pushed_back *= 1 - MEMORY
        if self._room < self._most:
            self._room = min(self._most, self._room + 0.5)
            self._admit()

    def was_pushed_back(self, started_at: float, wait_s: float) -> None:
        """A call that started then (``time.monotonic``) was turned away as one too many, or never answered.

        wait_s: how long all have to wait if that goes for most calls.
        """
        self._pushed_back += (1 - self._pushed_back) * MEMORY
        if self._pushed_back > TOO_MANY or (self._alone and wait_s):
            now = time.monotonic()
            self._resume_at = max(self._resume_at, now + wait_s)
            if started_at > self._narrowed_at:  # those that were on their way already tell nothing new
                self._narrowed_at = now
                self._room = max(1.0, self._room / 2)
                self._pushed_back = TOO_MANY / 2  # whether that was enough takes calls of its own to tell

    async def _queued(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()  # the slot was given in the same moment
            raise

    def _admit(self) -> None:
        while self._queue and self._in_flight < self.room:
            turn = self._queue.popleft()
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)
