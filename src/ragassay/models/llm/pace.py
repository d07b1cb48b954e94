"""How hard a server is pressed: limits, waits between tries, calls in flight; and warnings of long silence."""

from __future__ import annotations

import asyncio
import email.utils
import logging
import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields

from ragassay.errors import UsageError

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0

FIRST_ALONE_S = 2.0
"""The first call goes alone, for no longer than this: what it teaches about key, model and formats holds for all."""

MEMORY = 1 / 32
"""Weight of the latest call in the running share of calls that were pushed back."""

TOO_MANY = 0.5
"""Share of calls pushed back above which the server is taken to be over its limit rather than out of luck."""

FIRST_WORD_S = 10.0
"""Of failed tries without an answer, before something is said; the next word comes after twice that, and so on."""

_LOG = logging.getLogger("ragassay")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one model in one process.

    max_in_flight: calls under way at once. connect_timeout_s: until a connection stands. call_timeout_s: for one try,
    from request to the end of the reply; after two time-outs it gets twice as long. max_tries: for one call, refusals
    of a busy server aside.
    patience_s: how long a server may turn calls away as too many before the run is stopped, and one call be tried.
    """

    max_in_flight: int = 64
    connect_timeout_s: float = 10.0
    call_timeout_s: float = 120.0
    max_tries: int = 8
    patience_s: float = 600.0

    @property
    def longest_s(self) -> float:
        """For one call, all its tries and the waits between them; its first try has its time in any case."""
        return max(self.patience_s, self.call_timeout_s)

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not 0 < value < math.inf:
                option = limit.name.removesuffix("_s").replace("_", "-")
                raise UsageError(f"--{option}: must be a finite number above 0, not {value:g}")


def backoff_s(failures: int, seed: object) -> float:
    """Return the seconds to wait after so many failures in a row: doubling from half a second up to 30, times 0.5 to 1.

    seed: decides about the share of chance, which keeps calls that failed together from returning together.
    """
    longest = min(FIRST_DELAY_S * 2.0 ** min(failures - 1, 16), LONGEST_DELAY_S)
    return longest * random.Random(f"{seed}:{failures}").uniform(0.5, 1.0)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait, 0 or more, or None where it does not say.

    headers: case-insensitive. ``Retry-After`` is seconds or a date (RFC 9110, section 10.2.3).
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return seconds if 0 <= seconds < math.inf else None
    try:
        date = email.utils.parsedate_to_datetime(value)
        return max(0.0, date.timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


class Pace:
    """Slots for calls, given in the order of asking. Belongs to one event loop.

    While few calls are pushed back, only they wait. Where most are, all wait as long as the server asks, and half as
    many are in flight from then on; each success makes room again, up to the limit (additive increase, multiplicative
    decrease, as in TCP: Chiu and Jain 1989).
    """

    def __init__(self, limits: Limits) -> None:
        self._most = limits.max_in_flight
        self._room: float = 1.0
        self._slots = asyncio.Semaphore(1)
        self._owed = 0  # slots that are out, and not given again when they come back
        self._patience_s = limits.patience_s
        self._alone = True
        self._pushed_back = 0.0
        self._resume_at = 0.0
        self._narrowed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def room(self) -> int:
        """How many calls may be in flight now."""
        return int(self._room)

    async def enter(self) -> bool:
        """Wait for a slot, then for a server that is busy. False, without a slot, where that would take too long."""
        while self._owed and not self._slots.locked():
            self._owed -= 1
            await self._slots.acquire()
        await self._slots.acquire()
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
        """Give the slot back."""
        if self._owed:
            self._owed -= 1
        else:
            self._slots.release()

    def open(self) -> None:
        """Let the others follow the first call."""
        if self._alone:
            self._alone = False
            self._set_room(self._most)
            if self._timer is not None:
                self._timer.cancel()

    def went_well(self) -> None:
        """Take in that a call was answered."""
        self.open()
        self._pushed_back *= 1 - MEMORY
        if self._room < self._most:
            self._set_room(min(self._most, self._room + 0.5))

    def was_pushed_back(self, started_at: float, wait_s: float) -> None:
        """Take in that a call, started then (``time.monotonic``), was turned away as one too many, or never answered.

        wait_s: how long all have to wait if that goes for most calls.
        """
        self._pushed_back += (1 - self._pushed_back) * MEMORY
        if self._pushed_back > TOO_MANY or (self._alone and wait_s):
            now = time.monotonic()
            self._resume_at = max(self._resume_at, now + wait_s)
            if started_at > self._narrowed_at:  # those that were on their way already tell nothing new
                self._narrowed_at = now
                self._set_room(max(1.0, self._room / 2))
                self._pushed_back = TOO_MANY / 2  # whether that was enough takes calls of its own to tell

    def _set_room(self, room: float) -> None:
        self._owed -= int(room) - int(self._room)
        self._room = room
        while self._owed < 0:
            self._owed += 1
            self._slots.release()


class Vigil:
    """Remembers since when the tries at one server fail; warns who keeps a run waiting, and why, at growing intervals.

    has_answered: whether any call was answered. silent_since: when the first try failed after the latest answer.
    """

    def __init__(self, who: str, most_s: float) -> None:
        """most_s: how long it goes on, for the message."""
        self._who = who
        self._most_s = most_s
        self._due_s = FIRST_WORD_S
        self._failures = 0
        self._answered_at = 0.0
        self.has_answered = False
        self.silent_since = math.inf

    @property
    def silent_s(self) -> float:
        """Seconds from the first try that failed after the latest answer; 0 where none did."""
        return max(0.0, time.monotonic() - self.silent_since)

    def failed(self, why: str, took_s: float = 0.0, wait_s: float = 0.0) -> None:
        """Take in that a try brought no answer.

        took_s: how long it lasted. wait_s: until the next may follow, as the server asks.
        """
        now = time.monotonic()
        self._failures += 1
        self.silent_since = min(self.silent_since, now)
        silent_s = now - min(self.silent_since, max(self._answered_at, now - took_s))
        if silent_s + wait_s >= self._due_s and wait_s <= self._most_s:
            self._due_s = 2 * (silent_s + wait_s)
            asked = f" It asks to wait {wait_s:.0f} s." if wait_s >= 1 else ""
            until = time.strftime("%H:%M:%S", time.localtime(time.time() + max(0.0, self._most_s - silent_s)))
            _LOG.warning(
                f"{self._who}: no answer for {silent_s:.0f} s; failed tries: {self._failures:,}; the latest: {why}."
                f"{asked} Tried until {until}, or until Ctrl-C; what was answered is kept."
            )

    def answered(self) -> None:
        """Take in that a call was answered."""
        self.has_answered, self.silent_since, self._failures = True, math.inf, 0
        self._answered_at = time.monotonic()
