"""What may be spent: calls, tokens and dollars, reserved before a call and settled after it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from operator import add, sub
from typing import NamedTuple

from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import excerpted
from ragassay.models.llm.prices import Prices

ROUNDING = 1e-9
"""Share of a limit that sums of floating-point dollars may seem to exceed it by."""


class Spent(NamedTuple):
    """What calls took. cost_usd: of those whose price is known; unpriced: how many of the others there are."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def plus(self, other: Spent) -> Spent:
        """Return both together."""
        return Spent(*map(add, self, other))

    def minus(self, other: Spent) -> Spent:
        """Return what is left without the other."""
        return Spent(*map(sub, self, other))


def spent_on(prompt_tokens: int, completion_tokens: int, cost: float | None) -> Spent:
    """Return what one call takes. cost: US dollars, None where the price is not known."""
    return Spent(1, prompt_tokens, completion_tokens, cost or 0.0, int(cost is None))


class Budget:
    """Limits of a run over all of its models; None stands for none. Safe for several threads.

    A reservation counts until it is settled, so many calls at once never go over a limit by more than they were
    underestimated. From the first call that does not fit, no other is let through: what a run leaves out is its end.
    Where only what others have reserved stands in the way, a call waits until they are settled.
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
        self._reserved = Spent()
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

    def reserve(self, call: Spent) -> bool:
        """Reserve what a call will take at most, or about; return whether there is room.

        Where there is none, and ``reached`` is None, calls under way have reserved too much: to ask again will help.
        """
        with self._lock:
            if self._reached is not None:
                return False
            if self._too_much(self._spent.plus(self._reserved).plus(call)) is None:
                self._reserved = self._reserved.plus(call)
                return True
            alone = self._too_much(self._spent.plus(call))
            if alone is not None or not self._reserved.calls:
                self._reached = alone
            return False

    def settle(self, reserved: Spent, took: Spent | None) -> None:
        """Put what a call took, None for nothing, in the place of what was reserved for it."""
        with self._lock:
            left = self._reserved.minus(reserved)
            # Sums of floats that come and go leave a trace; with nothing open there must be none.
            self._reserved = left if left.calls else Spent()
            self._spent = self._spent.plus(took or Spent())

    def _too_much(self, total: Spent) -> str | None:
        """Return the limit that this is over."""
        if self.max_calls is not None and total.calls > self.max_calls:
            return f"--max-calls {self.max_calls} reached"
        if self.max_tokens is not None and total.prompt_tokens + total.completion_tokens > self.max_tokens:
            return f"--max-tokens {self.max_tokens} reached"
        if self.max_cost is not None and total.cost_usd > self.max_cost * (1 + ROUNDING):
            return f"--max-cost {self.max_cost:g} reached"
        return None


def check_budget(budget: Budget, prices: Prices, names: Iterable[str]) -> None:
    """Raise UsageError where a limit in dollars is asked for and the price of an endpoint's model is not known."""
    if budget.max_cost is None:
        return
    unknown = [name for name in dict.fromkeys(names) if prices.of(name) is None]
    if unknown:
        raise UsageError(
            f"--max-cost: no price for {excerpted(unknown[0])}, so its cost cannot be limited; add it "
            "with --prices FILE, or use --max-tokens"
        )
