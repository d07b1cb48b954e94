"""One request to a server, tried until it is answered or there is no hope; and when to stop everything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from ragassay.errors import ModelError
from ragassay.models.llm.budget import Budget, Spent, spent_on
from ragassay.models.llm.endpoints import Endpoint, public_address
from ragassay.models.llm.pace import Limits, Pace, Vigil, backoff_s
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.server_replies import Busy, Fault, Hopeless, NoAnswer, Problem, Refusal, Usage
from ragassay.models.llm.transport import NotReceived, Received, Transport
from ragassay.tracing import model_call

if TYPE_CHECKING:
    from ragassay.models.own_model import FunctionTransport


class Counted(Protocol):
    """A result that says what it took."""

    @property
    def usage(self) -> Usage: ...


T = TypeVar("T", bound=Counted)
T_co = TypeVar("T_co", bound=Counted, covariant=True)

_TROUBLES = (Busy, Fault, Refusal, Hopeless, NotReceived)
UNCOUNTED = Usage(0, 0, estimated=True)

SHORTEST_TRY_S = 0.1

MAX_TIMEOUTS = 4
"""Tries that may run into a time-out. The first is repeated as it was: its connection may have hung. The others take
twice as long: the server may be slow."""
FIRST_CONNECTS = 3
"""Tries to reach a server that was never reached: its address is more likely wrong than its network slow."""
OVER_BUDGET = "budget reached"
"""How the reason begins of what was not sent, since a limit is reached."""

FIRST_LOOK_S = 0.005
LONGEST_LOOK_S = 0.1
"""Between two looks at a budget of which calls under way have reserved the rest."""

GIVEN_UP_IN_A_ROW = 8
"""Calls given up with no other answered between them, after which it is the server that fails rather than the calls."""


class Request(Protocol[T_co]):
    """What is sent, and what its replies mean. seed: of its share of chance in waiting.

    expected, at_most: tokens that it will take, which is costly to tell, and may take. body: JSON, asked for before
    each try. adapt: whether the next body leaves out what was refused.
    """

    path: str
    seed: str

    @property
    def expected(self) -> Usage: ...

    @property
    def at_most(self) -> Usage: ...

    def body(self) -> bytes: ...

    def read(self, received: Received) -> T_co | Problem: ...

    def adapt(self, refusal: Refusal) -> bool: ...


class Sent(NamedTuple, Generic[T]):
    """A result. latency_s: of the try that brought it. tries: how many it took."""

    result: T
    latency_s: float
    tries: int


class Sender:
    """Sends the requests to one endpoint, in one event loop after the other. seed: of the waits between tries."""

    def __init__(self, endpoint: Endpoint, budget: Budget, prices: Prices, limits: Limits, *, seed: int = 0) -> None:
        self._endpoint = endpoint
        self._budget = budget
        self._price = prices.of(endpoint.name)
        self._limits = limits
        # What a call will take is counted beforehand only where something depends on it: it costs more time than the
        # rest of what this process does for a call.
        self._counts = not (budget.max_cost is budget.max_tokens is None)
        self._seed = seed
        self._transport = _transport(endpoint, limits)
        self._pace = Pace(limits)
        self._vigil = Vigil(endpoint.name, limits.longest_s)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._given_up = 0
        self._stopped: str | None = None

    async def send(
        self, request: Request[T], keep: Callable[[Sent[T]], Awaitable[T]] | None = None
    ) -> Sent[T] | NoAnswer:
        """Return what came of a request. Raises ModelError, from then on for all, where no call can succeed.

        keep: writes a result, and may put another in its place; the slot is given back after that, so that a kill loses
        no more replies than calls may be in flight.
        """
        with model_call(self._endpoint.base_url, self._endpoint.model, request.path) as finish:
            sent = await self._sent(request, keep)
            if isinstance(sent, NoAnswer):
                finish({}, "over budget" if sent.over_budget else "no answer")
            else:
                used = sent.result.usage
                names = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")
                finish(dict(zip(names, (used.prompt_tokens, used.completion_tokens), strict=True)), None)
            return sent

    async def _sent(self, request: Request[T], keep: Callable[[Sent[T]], Awaitable[T]] | None) -> Sent[T] | NoAnswer:
        self._follow_loop()
        tries = _Tries(self._limits, self._vigil, f"{self._seed}:{request.seed}")
        while True:
            reserved = await self._enter(request)
            if isinstance(reserved, NoAnswer):
                return reserved
            try:
                outcome, latency_s = await self._try(request, reserved, tries)
                if not isinstance(outcome, _TROUBLES):
                    sent = Sent(outcome, latency_s, tries.n)
                    return sent if keep is None else sent._replace(result=await keep(sent))
            finally:
                self._pace.leave()
            if isinstance(outcome, Hopeless):
                if outcome.unless_answered and self._vigil.has_answered:
                    return NoAnswer(outcome.reason)
                self._stop(outcome.reason)
            if isinstance(outcome, Refusal):
                if request.adapt(outcome):
                    continue
                self._pace.open()
            asked_s = outcome.wait_s if isinstance(outcome, Busy) else None
            self._vigil.failed(outcome.reason, latency_s, asked_s or 0.0)
            wait_s = tries.wait_s(outcome)
            if wait_s is None:
                return self._give_up(outcome, tries)
            await asyncio.sleep(wait_s)

    async def close(self) -> None:
        await self._transport.close()

    def _follow_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._pace = Pace(self._limits)
            if self._vigil.has_answered:
                self._pace.open()

    async def _enter(self, request: Request[Any]) -> Spent | NoAnswer:
        """Wait for a slot, and for room in the budget, which is reserved then."""
        self._raise_if_stopped()
        if not await self._pace.enter():
            self._stop(f"the server asks for a longer wait than {self._limits.patience_s:g} s")
        try:
            self._raise_if_stopped()
            reserved = self._spent(request.at_most if self._counts else UNCOUNTED)
            look_s = FIRST_LOOK_S
            while not self._budget.reserve(reserved):
                if self._budget.reached is not None:
                    self._pace.leave()
                    return NoAnswer(f"{OVER_BUDGET}: {self._budget.reached}", over_budget=True)
                await asyncio.sleep(look_s)
                look_s = min(2 * look_s, LONGEST_LOOK_S)
                self._raise_if_stopped()
        except BaseException:
            self._pace.leave()
            raise
        return reserved

    async def _try(
        self, request: Request[T], reserved: Spent, tries: _Tries
    ) -> tuple[T | Problem | NotReceived, float]:
        """Try once in the slot that it has. What was reserved is settled."""
        started_at = time.monotonic()
        outcome: T | Problem | NotReceived
        took = None
        try:
            received = await self._transport.post(request.path, request.body(), timeout_s=tries.next_timeout_s())
            outcome = request.read(received)
            if not isinstance(outcome, _TROUBLES):
                took = self._spent(outcome.usage)
            elif outcome.billed:
                took = self._spent(request.expected)
        except NotReceived as trouble:
            outcome = trouble
            # A reply that never came may have been paid for, and counts as expected.
            took = self._spent(request.expected) if trouble.billed else None
        finally:
            self._budget.settle(reserved, took)
        tries.n += 1
        if isinstance(outcome, Busy):
            self._pace.was_pushed_back(started_at, outcome.wait_s or backoff_s(1, tries.seed))
        elif isinstance(outcome, NotReceived):
            if outcome.kind == "time-out":  # of a server with more calls than it can handle, perhaps
                self._pace.was_pushed_back(started_at, 0.0)
        elif not isinstance(outcome, _TROUBLES):
            self._vigil.answered()
            self._given_up = 0
            self._pace.went_well()
        return outcome, time.monotonic() - started_at

    def _give_up(self, outcome: Busy | Fault | Refusal | NotReceived, tries: _Tries) -> NoAnswer:
        """Say why there is no further try. Raises ModelError where the server is to blame rather than the request."""
        reason = outcome.reason
        asked_s = outcome.wait_s or 0.0 if isinstance(outcome, Busy) else 0.0
        if asks_too_much := asked_s > self._limits.patience_s:
            reason = f"the server asks to wait {asked_s:,.0f} s; {reason}"
        if not isinstance(outcome, Refusal):
            self._given_up += 1
            if _is_of_address(outcome) and not self._vigil.has_answered:
                self._stop(reason)
            is_away = isinstance(outcome, Busy) or (isinstance(outcome, NotReceived) and not outcome.billed)
            if not self._vigil.has_answered or (is_away and self._vigil.silent_since <= tries.failing_since):
                silent_s = self._vigil.silent_s
                self._stop(reason if asks_too_much else f"no call was answered in {silent_s:.0f} s; {reason}")
            if self._given_up >= GIVEN_UP_IN_A_ROW:
                self._stop(f"{self._given_up} calls in a row failed; {reason}")
        return NoAnswer(f"{reason}, {tries.n} tries" if tries.n > 1 else reason)

    def _stop(self, reason: str) -> NoReturn:
        self._stopped = self._stopped or _stop_message(self._endpoint, reason)
        raise ModelError(self._stopped)

    def _raise_if_stopped(self) -> None:
        if self._stopped is not None:
            raise ModelError(self._stopped)

    def _spent(self, usage: Usage) -> Spent:
        tokens = (usage.prompt_tokens, usage.completion_tokens)
        return spent_on(*tokens, None if self._price is None else self._price.cost(*tokens, usage.cached_tokens))


def _transport(endpoint: Endpoint, limits: Limits) -> Transport | FunctionTransport:
    if endpoint.own is None:
        return Transport(endpoint, limits.connect_timeout_s)
    from ragassay.models.own_model import FunctionTransport

    return FunctionTransport(endpoint)


class _Tries:
    """How often one request was tried, and what that means for the next try."""

    def __init__(self, limits: Limits, vigil: Vigil, seed: str) -> None:
        self._limits = limits
        self._vigil = vigil
        self.seed = seed
        self.n = 0
        self.failing_since = 0.0
        self.timeouts = 0
        self._over_at = 0.0
        self._failures = 0
        self._turned_away = 0

    def next_timeout_s(self) -> float:
        """Return the time of the next try, which begins now."""
        now = time.monotonic()
        self._over_at = self._over_at or now + self._limits.longest_s
        timeout_s = self._limits.call_timeout_s * (1 if self.timeouts < 2 else 2)
        return min(timeout_s, max(self._over_at - now, SHORTEST_TRY_S))

    def wait_s(self, outcome: Busy | Fault | Refusal | NotReceived) -> float | None:
        """Return the seconds until the next try; None: there is none."""
        if isinstance(outcome, Refusal) or (_is_of_address(outcome) and not self._vigil.has_answered):
            return None
        # From the first failure on: what came before may have been a long wait for its turn.
        self.failing_since = self.failing_since or time.monotonic()
        if isinstance(outcome, Busy):
            self._turned_away += 1
            wait_s = backoff_s(self._turned_away, self.seed) if outcome.wait_s is None else outcome.wait_s
            since = min(self.failing_since, self._vigil.silent_since)
            return wait_s if wait_s <= since + self._limits.patience_s - time.monotonic() else None
        self._turned_away = 0
        self._failures += 1
        if isinstance(outcome, NotReceived) and self._is_over(outcome):
            return None
        if self._failures >= self._limits.max_tries or time.monotonic() >= self._over_at:
            return None
        # A connection that was kept too long is cut when it is used again: no reason to wait.
        at_once = self._failures == 1 and isinstance(outcome, NotReceived) and outcome.kind in {"cut", "time-out"}
        return 0.0 if at_once else backoff_s(self._failures, self.seed)

    def _is_over(self, outcome: NotReceived) -> bool:
        self.timeouts += outcome.kind == "time-out"
        if outcome.kind == "not connected" and not self._vigil.has_answered:
            return self._failures >= FIRST_CONNECTS
        return outcome.kind == "too long" or self.timeouts >= MAX_TIMEOUTS


def _is_of_address(outcome: object) -> bool:
    return isinstance(outcome, Fault) and outcome.of_address


_REMEDIES = (
    (("a web page",), "check the address, which ends in /v1 for most servers"),
    (("HTTP 404", "model"), "check the name of the model, {model!r}, and the address"),
    (("no reply",), "give it more time with --call-timeout, or fewer calls at once with --max-in-flight"),
    (("no connection",), "check that the server runs and its address"),
    (("HTTP 429",), "wait until it takes calls again, or send fewer with --max-in-flight"),
)
"""Words of a reason, and what to do about it; the first that fit."""


def _stop_message(endpoint: Endpoint, reason: str) -> str:
    """Return one sentence about what is wrong, one about what to do."""
    what = next((remedy for marks, remedy in _REMEDIES if any(mark in reason for mark in marks)), "mend that")
    if "HTTP 401" in reason or "HTTP 403" in reason:
        where = f" in {endpoint.key_variable}" if endpoint.key_variable else ""
        missing = f"set {endpoint.key_variable} to a key" if endpoint.key_variable else "the server wants a key"
        what = f"check the key{where}" if endpoint.key else missing
    start = f"{endpoint.name} at {public_address(endpoint.base_url)} cannot be used: {reason}"
    what = what.format(model=endpoint.model)
    return f"{start}; {what}, then run the same command again: calls in the log are not repeated"
