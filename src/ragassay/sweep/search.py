"""Which settings of a large space are tried: all, some by chance, or ever fewer on ever more questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from ragassay.errors import UsageError
from ragassay.rag.setting import Setting
from ragassay.rag.space import Space

T = TypeVar("T")

Method = Literal["grid", "random", "halving"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_LISTED = 100_000
"""Combinations of a space that are looked at one by one."""
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """grid tries every setting, random n of them; halving tries n (all if None) on few questions first.

    Of every round of halving, the best 1 / keep_one_in are tried on so many times more questions, until all are asked.

    least_questions: of the first round of halving.
    """

    method: Method = "grid"
    n: int | None = None
    keep_one_in: int = 3
    least_questions: int = 30

    def check(self, where: str) -> None:
        """Raises UsageError for what cannot be meant."""
        if self.method not in METHODS:
            raise UsageError(f"{where}: search: unknown method {self.method!r}; choose one of {', '.join(METHODS)}")
        if self.n is not None and self.n < 1:
            raise UsageError(f"{where}: search: n must be at least 1, not {self.n}")
        if self.method == "random" and self.n is None:
            raise UsageError(f"{where}: search: random needs n, the number of settings to try")
        if self.keep_one_in < 2:
            raise UsageError(f"{where}: search: keep_one_in must be at least 2, not {self.keep_one_in}")
        if self.least_questions < 1:
            raise UsageError(f"{where}: search: least_questions must be at least 1, not {self.least_questions}")


class Round(NamedTuple):
    """questions: rows that are asked. settings: how many are tried."""

    questions: Rows
    settings: int


def search_of(values: Mapping[str, Any], where: str) -> Search:
    """The search that a file describes. Raises UsageError for what cannot be meant."""
    known = ("method", "n", "keep_one_in", "least_questions")
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


def rounds(search: Search, n_settings: int, labels: Sequence[str], seed: int) -> list[Round]:
    """What is asked in every round; a single one unless settings are halved.

    labels: of the questions. The questions of a round are among those of the next, and hold about the same share of
    every label. Source: Jamieson and Talwalkar 2016 (successive halving), with questions as the resource.
    """
    n = len(labels)
    if search.method != "halving":
        return [Round(np.arange(n), n_settings)]
    order = _spread(labels, seed)
    sizes = [n_settings]
    while sizes[-1] > 1 and n / search.keep_one_in ** len(sizes) >= search.least_questions:
        sizes.append(max(1, math.ceil(sizes[-1] / search.keep_one_in)))
    found = []
    for number, size in enumerate(sizes):
        asked = math.ceil(n / search.keep_one_in ** (len(sizes) - 1 - number))
        found.append(Round(np.sort(order[:asked]), size))
    return found


def _spread(labels: Sequence[str], seed: int) -> Rows:
    """All rows in an order by chance of which any beginning has about the same share of every label."""
    random = np.random.default_rng(seed)
    places = np.empty(len(labels))
    given = np.array(labels, dtype=object)
    for label in sorted(set(labels)):
        rows = np.flatnonzero(given == label)
        # evenly spaced places in [0, 1) in an order by chance, from an offset by chance
        places[random.permutation(rows)] = (np.arange(len(rows)) + random.random()) / len(rows)
    return np.argsort(places, kind="stable")
