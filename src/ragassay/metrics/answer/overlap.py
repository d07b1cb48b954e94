"""What two texts share, as precision, recall and their harmonic mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple, TypeVar

Unit = TypeVar("Unit", bound=Hashable)


def shared_count(said: Iterable[Unit], wanted: Iterable[Unit]) -> int:
    """How many units both have, each as often as it stands in both."""
    known = Counter(wanted)
    found = Counter(filter(known.__contains__, said))
    return sum(min(count, known[unit]) for unit, count in found.items())


class Overlap(NamedTuple):
    """shared: units in both. said, wanted: units of the answer and of the reference."""

    shared: int
    said: int
    wanted: int

    @property
    def precision(self) -> float:
        """Share of the answer's units that the reference has, in [0, 1]; 0 for none."""
        return self.shared / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """Share of the reference's units that the answer has, in [0, 1]; 0 for none."""
        return self.shared / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """2pr / (p + r), which is 2 shared / (said + wanted); 1 where neither text has a unit."""
        units = self.said + self.wanted
        return 2 * self.shared / units if units else 1.0
