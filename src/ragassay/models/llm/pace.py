"""When the next call may start: calls in flight, requests and tokens per minute, and a server that is busy."""

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

BURST_S = 1.0
"""So much of a minute's requests and tokens may go at once after a pause."""


class Pace:
    """Slots for calls, given in the order of asking. Belongs to one event loop.

    While few calls are pushed back, only they wait. Where most are, all wait as long as the server asks, and half as
    many are in flight from then on; each success makes room again, up to the limit (additive increase, multiplicative
    decrease, as in TCP: Chiu and Jain 1989). Where a call ran out of time and fewer were answered meanwhile than were
    in flight, the server is at work and has too many: as many are let in as it can answer in half that time.
    """

    def __init__(self, limits: Limits) -> None:
        self._most = limits.max_in_flight
        self._room: float = 1.0
        self._enough = float(limits.max_in_flight)
        self.answered = 0
        self._patience_s = limits.patience_s
        self._alone = True
        self._in_flight = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._requests = _Rate(limits.requests_per_minute)
        self._tokens = _Rate(limits.tokens_per_minute)
        self._pushed_back = 0.0
        self._resume_at = 0.0
        self._narrowed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def in_flight(self) -> int:
        """Calls that have a slot now."""
        return self._in_flight

    @property
    def room(self) -> int:
        """How many calls may be in flight now."""
        return 1 if self._alone else int(self._room)

    async def enter(self, tokens: int) -> bool:
        """Waits for a slot, then for its time. False, without a slot, where that time is too far away.

        tokens: the call's estimate, for the limit per minute.
        """
        if self._in_flight >= self.room or self._queue:
            await self._queued()
        else:
            self._in_flight += 1
        try:
            now = time.monotonic()
            start = max(now, self._requests.book(1, now), self._tokens.book(tokens, now), self._resume_at)
            while start > now:
                if self._resume_at - now > self._patience_s:
                    self.leave()
                    return False
                await asyncio.sleep(start - now)
                now = time.monotonic()
                start = max(start, self._resume_at)
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
        self.answered += 1
        self._pushed_back *= 1 - MEMORY
        if self._room < self._most:
            self._room = min(self._most, self._room + (0.5 if self._room < self._enough else MEMORY))
            self._admit()

    def timed_out(self, started_at: float, answered_before: int) -> None:
        """A call that started then, when so many had been answered, was not answered in its time."""
        answered = self.answered - answered_before
        if not 0 < answered < self._room:
            self.was_pushed_back(started_at, 0.0)
        elif started_at > self._narrowed_at:
            self._narrowed_at = time.monotonic()
            self._room = self._enough = max(1.0, answered / 2)

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

    def used(self, more_tokens: int) -> None:
        """Corrects the estimate of a call by so many tokens, which may be negative."""
        self._tokens.correct(more_tokens)

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


class _Rate:
    """So many units a minute, evenly spread: a virtual clock that each booking moves on (GCRA, ITU-T I.371)."""

    def __init__(self, per_minute: float | None) -> None:
        self._unit_s = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    def book(self, units: int, now: float) -> float:
        """When that many units may go."""
        if not self._unit_s:
            return now
        start = max(self._next, now - BURST_S)
        self._next = start + units * self._unit_s
        return start

    def correct(self, units: int) -> None:
        self._next += units * self._unit_s
