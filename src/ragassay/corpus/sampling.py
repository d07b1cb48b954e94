"""An order in which to visit documents, so that any number of them is spread evenly."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence


def spread_order(keys: Sequence[Hashable], seed: int) -> list[int]:
    """A permutation of the indices of ``keys``, every prefix of which is spread evenly over the different keys.

    keys: the stratum of each document, such as (folder, format, length class). In a prefix of n, each stratum has its
    share of n, give or take about one; within a stratum the order is random. The same keys and seed give the same
    order. Source: systematic sampling from a list sorted by stratum (Cochran 1977, chapter 8), here for all sample
    sizes at once.
    """
    chance = random.Random(seed)
    strata: dict[Hashable, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        strata[key].append(index)
    placed: list[tuple[float, int]] = []
    for members in strata.values():
        chance.shuffle(members)
        offset = chance.random()
        placed += [((rank + offset) / len(members), index) for rank, index in enumerate(members)]
    return [index for _, index in sorted(placed)]


def length_class(characters: int) -> int:
    """Return the power of two at or below a length: documents of one class differ less than twofold."""
    return max(characters, 1).bit_length() - 1
