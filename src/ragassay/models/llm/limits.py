"""How hard a server may be pressed, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf

from ragassay.errors import UsageError


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
        for each in fields(self):
            value = getattr(self, each.name)
            if not 0 < value < inf:
                option = each.name.removesuffix("_s").replace("_", "-")
                raise UsageError(f"--{option}: must be a finite number above 0, not {value:g}")
