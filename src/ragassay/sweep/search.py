"""Which settings of a large space are tried: all, or some by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from ragassay.errors import UsageError
from ragassay.rag.setting import Setting
from ragassay.rag.space import Space

T = TypeVar("T")

Method = Literal["grid", "random"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_LISTED = 100_000
"""Combinations of a space that are looked at one by one."""
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """grid tries every setting, random n of them."""

    method: Method = "grid"
    n: int | None = None

    def check(self, where: str) -> None:
        """Raises UsageError for what cannot be meant."""
        if self.method not in METHODS:
            raise UsageError(f"{where}: search: unknown method {self.method!r}; choose one of {', '.join(METHODS)}")
        if self.n is not None and self.n < 1:
            raise UsageError(f"{where}: search: n must be at least 1, not {self.n}")
        if self.method == "random" and self.n is None:
            raise UsageError(f"{where}: search: random needs n, the number of settings to try")


def search_of(values: Mapping[str, Any], where: str) -> Search:
    """The search that a file describes. Raises UsageError for what cannot be meant."""
    if values.get("method") == "halving":
        raise UsageError(f"{where}: search: halving is gone; use method: random with n, the number of settings")
    known = ("method", "n")
    for name, value in values.items():
        if name not in known:
            raise UsageError(f"{where}: search: unknown key {name!r}; choose one of {', '.join(known)}")
        if name != "method" and (isinstance(value, bool) or not isinstance(value, int)):
            raise UsageError(f"{where}: search: {name} must be a whole number, not {value!r}")
    search = Search(**values)
    search.check(where)
    return search


def first_settings(search: Search, settings: Sequence[T], seed: int) -> list[T]:
    """Those that are tried at first, in their order: all, or n drawn without putting back."""
    if search.method == "grid" or search.n is None or search.n >= len(settings):
        return list(settings)
    drawn = np.random.default_rng(seed).choice(len(settings), size=search.n, replace=False)
    return [settings[place] for place in sorted(drawn.tolist())]


@lru_cache(maxsize=8)
def tried(search: Search, space: Space, seed: int) -> tuple[tuple[Setting, ...], int]:
    """The settings that are tried at first, and how many there are; of a very large space, combinations of values.

    Raises UsageError for a space of which too much was to be tried.
    """
    if space.combinations <= MOST_LISTED:
        settings = space.settings()
        return tuple(first_settings(search, settings, seed)), len(settings)
    if search.method == "grid" or search.n is None or search.n > MOST_LISTED // 10:
        raise UsageError(
            f"grid: has {space.combinations:,} combinations; give fewer values, or try some by chance, as in "
            "search: {method: random, n: 50}"
        )
    return space.drawn(search.n, seed), space.combinations
