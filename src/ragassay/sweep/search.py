"""Which settings of a large space are tried: all, or some by chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ragassay.errors import UsageError
from ragassay.options import Count, settings
from ragassay.rag.setting import Setting
from ragassay.rag.space import Space

T = TypeVar("T")

Method = Literal["grid", "random"]
MOST_LISTED = 100_000
"""Combinations of a space that are looked at one by one."""
Rows = npt.NDArray[np.int64]


@settings
class Search:
    """grid tries every setting, random n of them. Raises UsageError for random without n."""

    method: Method = "grid"
    n: Count | None = None

    def __post_init__(self) -> None:
        if self.method == "random" and self.n is None:
            raise UsageError("--search: random needs n, the number of settings to try")


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
