"""What the model says where people agree: one row for each value that people gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """counts[row][column]: items to which the majority of people gave the row's value and the model the column's."""

    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def shares(self) -> tuple[tuple[float | None, ...], ...]:
        """Rows adding up to 1; None throughout a row without items."""
        return tuple(tuple(count / sum(row) if sum(row) else None for count in row) for row in self.counts)

    @property
    def accuracy(self) -> float | None:
        """Share of the items to which the model gave the value of the majority; None without items."""
        n = sum(map(sum, self.counts))
        return sum(self.counts[place][place] for place in range(len(self.values))) / n if n else None


def confusion(majorities: Mapping[str, str], model: Mapping[str, str], values: Sequence[str] = ()) -> Confusion:
    """The matrix over the items that have both; values in the order given, others after them in alphabetical order."""
    items = [item for item in majorities if item in model]
    found = {majorities[item] for item in items} | {model[item] for item in items}
    order = (*values, *sorted(found - set(values)))
    counts = Counter((majorities[item], model[item]) for item in items)
    return Confusion(values=order, counts=tuple(tuple(counts[row, column] for column in order) for row in order))
