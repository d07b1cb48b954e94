"""What may be spent: calls, tokens and dollars, reserved before a call and settled after it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from typing import NamedTuple

from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import excerpted
from ragassay.models.llm.prices import Prices

ROUNDING = 1e-9
"""Share of a limit that sums of floating-point dollars may seem to exceed it by."""


class Spent(NamedTuple):
    """What settled calls took. cost_usd: of those whose price is known; unpriced: how many of the others there are."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
            self.unpriced + other.unpriced,
        )


class Reservation:
    """Room for one call. Whichever of ``settle`` and ``cancel`` comes first counts; the others change nothing."""

    def __init__(self, budget: Budget, tokens: int, cost: float) -> None:
        self._budget = budget
        self._tokens = tokens
        self._cost = cost

    def settle(self, prompt_tokens: int, completion_tokens: int, cost: float | None) -> None:
        """The call was made and took this. cost: US dollars, None where the price is not known."""
        self._budget._settle(self, Spent(1, prompt_tokens, completion_tokens, cost or 0.0, int(cost is None)))

    def cancel(self) -> None:
        """The call was not made, or costs nothing."""
        self._budget._settle(self, Spent(0))


class Budget:
    """Limits of a run over all of its models; None stands for none. Safe for several threads.

    A reservation counts with its estimate until it is settled, so many calls at once never go over a limit by more
    than they themselves were underestimated. From the first call that does not fit, no other is let through: what a
    run leaves out is its end, not every expensive call in between. Where only what others have reserved stands in the
    way, a call may wait until they are settled, mostly with less.
    """

    def __init__(
        self, max_cost: float | None = None, max_calls: int | None = None, max_tokens: int | None = None
    ) -> None:
        """max_cost: US dollars. max_tokens: of prompts and replies together. Raises UsageError unless 0 or more."""
        limits = {"--max-cost": max_cost, "--max-calls": max_calls, "--max-tokens": max_tokens}
        for option, limit in limits.items():
            if limit is not None and not 0 <= limit < math.inf:
                raise UsageError(f"{option}: must be at least 0, not {limit:g}")
        self.max_cost = max_cost
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self._lock = threading.Lock()
        self._open: set[Reservation] = set()
        self._reserved_tokens = 0
        self._reserved_cost = 0.0
        self._spent = Spent()
        self._reached: str | None = None

    @property
    def reached(self) -> str | None:
        """Which limit stopped the calls, as in "--max-calls 100 reached"; None as long as there is room."""
        return self._reached

    @property
    def spent(self) -> Spent:
        """What was settled so far."""
        return self._spent

    def reserve(
        self, prompt_tokens: int, completion_tokens: int, cost: float | None, *, may_wait: bool = False
    ) -> Reservation | None:
        """Room for a call that will take at most, or about, this much, or None: the budget is reached.

        cost: US dollars, None where the price is not known, which counts as nothing: see ``check_budget``.
        may_wait: None may also mean that others under way have reserved too much; ``reached`` is None then, and asking
        again will help.
        """
        tokens, dollars = prompt_tokens + completion_tokens, cost or 0.0
        with self._lock:
            if self._reached is not None:
                return None
            limit = self._too_much(tokens, dollars)
            if limit is not None:
                if not (may_wait and self._open and self._too_much(tokens, dollars, alone=True) is None):
                    self._reached = limit
                return None
            reservation = Reservation(self, tokens, dollars)
            self._open.add(reservation)
            self._reserved_tokens += tokens
            self._reserved_cost += dollars
            return reservation

    def _too_much(self, tokens: int, cost: float, *, alone: bool = False) -> str | None:
        """The limit that a call of this size would go over. alone: if what is reserved came to nothing."""
        spent = self._spent
        calls = spent.calls + 1
        tokens += spent.prompt_tokens + spent.completion_tokens
        cost += spent.cost_usd
        if not alone:
            calls += len(self._open)
            tokens += self._reserved_tokens
            cost += self._reserved_cost
        if self.max_calls is not None and calls > self.max_calls:
            return f"--max-calls {self.max_calls} reached"
        if self.max_tokens is not None and tokens > self.max_tokens:
            return f"--max-tokens {self.max_tokens} reached"
        if self.max_cost is not None and cost > self.max_cost * (1 + ROUNDING):
            return f"--max-cost {self.max_cost:g} reached"
        return None

    def _settle(self, reservation: Reservation, took: Spent) -> None:
        with self._lock:
            if reservation not in self._open:
                return
            self._open.remove(reservation)
            self._reserved_tokens -= reservation._tokens
            # Sums of floats that come and go leave a trace; with nothing open there must be none.
            self._reserved_cost = self._reserved_cost - reservation._cost if self._open else 0.0
            self._spent = self._spent.plus(took)


def check_budget(budget: Budget, prices: Prices, names: Iterable[str]) -> None:
    """Raises UsageError where a limit in dollars is asked for and a model's price is not known.

    names: of all endpoints that will be called (``Endpoint.name``).
    """
    if budget.max_cost is None:
        return
    unknown = [name for name in dict.fromkeys(names) if prices.of(name) is None]
    if unknown:
        raise UsageError(
            f"--max-cost: no price for {excerpted(unknown[0])}, so its cost cannot be limited; add it "
            "with --prices FILE, or use --max-tokens"
        )
