"""How often each item was given each value: what agreement of any number of raters is worked out from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tallies:
    """Items that were given the same values are one kind, so that a resample of the items is a count of each kind.

    kind: (n_items,). raters: (n_kinds,) how many judged an item of a kind. agreeing: (n_kinds,) ordered pairs of them
    who gave it the same value. A kind was given ``value`` by ``number`` of them: owner, value, number: (n_entries,),
    the owner being the kind. n_values: how many values there may be.
    """

    kind: Ints
    raters: Ints
    agreeing: Ints
    owner: Ints
    value: Ints
    number: Ints
    n_values: int

    @property
    def n_kinds(self) -> int:
        return len(self.raters)

    def counts(self, drawn: Ints) -> Ints:
        """(n_kinds,) how many of the items drawn are of each kind."""
        return np.bincount(self.kind[drawn], minlength=self.n_kinds)

    def of_values(self, weights: Floats) -> Floats:
        """(n_values,) judgements of each value, those of a kind weighted. weights: (n_kinds,)."""
        found = np.bincount(self.value, weights=weights[self.owner] * self.number, minlength=self.n_values)
        return found.astype(np.float64)


def tallies(units: Sequence[Sequence[str]], values: Sequence[str]) -> Tallies:
    """units: what raters gave each item, all of it in ``values``."""
    place = {value: number for number, value in enumerate(values)}
    kinds: dict[tuple[int, ...], int] = {}
    kind = [kinds.setdefault(tuple(sorted(place[value] for value in unit)), len(kinds)) for unit in units]
    entries = [(of, *entry) for said, of in kinds.items() for entry in Counter(said).items()]
    owner, value, number = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    return _tallies(np.array(kind, dtype=np.int64), owner, value, number, len(kinds), len(values))


def tallies_of_table(counts: npt.ArrayLike) -> Tallies:
    """The same of a table, (n_items, n_values), every item of a kind of its own.

    Raises ValueError where it is no such table.
    """
    table = np.asarray(counts, dtype=np.int64)
    if table.ndim != 2:
        raise ValueError(f"counts have shape {table.shape}; give (n_items, n_categories)")
    owner, value = np.nonzero(table)
    return _tallies(np.arange(len(table)), owner, value, table[owner, value], len(table), table.shape[1])


def _tallies(kind: Ints, owner: Ints, value: Ints, number: Ints, n_kinds: int, n_values: int) -> Tallies:
    def summed(numbers: Ints) -> Ints:
        return np.bincount(owner, weights=numbers, minlength=n_kinds).astype(np.int64)

    return Tallies(
        kind=kind,
        raters=summed(number),
        agreeing=summed(number * (number - 1)),
        owner=owner,
        value=value,
        number=number,
        n_values=n_values,
    )
