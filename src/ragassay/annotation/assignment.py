"""Who judges what: every item by so many annotators, every annotator about as many items."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from ragassay.errors import UsageError

_NAME = re.compile(r"\w[\w .@-]{0,59}")


def assign(
    n_items: int, annotators: Sequence[str], overlap: int, seed: int, *, in_order: bool = False
) -> dict[str, list[int]]:
    """Annotator to the places of their items, each in an order of their own.

    overlap: how many annotators judge each item. in_order: everybody gets theirs in the order of the items.
    Loads differ by one at most. Raises UsageError where the names are not different, or the overlap is not between 1
    and their number.
    """
    for name in annotators:
        if not _NAME.fullmatch(name):
            raise UsageError(f"--annotators: invalid name {name!r}; use at most 60 letters, digits, spaces and . _ @ -")
    if not annotators or len(set(annotators)) < len(annotators):
        raise UsageError(f"--annotators: must be different names, not {', '.join(annotators) or 'none'}")
    if not 1 <= overlap <= len(annotators):
        raise UsageError(f"--overlap: must be between 1 and the {len(annotators)} annotators, not {overlap}")
    chance = random.Random(seed)
    places: dict[str, list[int]] = {name: [] for name in annotators}
    items = list(range(n_items))
    chance.shuffle(items)
    for place in items:
        drawn = {name: chance.random() for name in annotators}
        for name in sorted(annotators, key=lambda name: (len(places[name]), drawn[name]))[:overlap]:
            places[name].append(place)
    for name in annotators:
        places[name].sort() if in_order else chance.shuffle(places[name])
    return places


def is_swapped(seed: int, annotator: str, subject_id: str) -> bool:
    """Whether this annotator sees the two answers of a subject in the other order: a fair coin, always the same."""
    return random.Random(f"{seed}\x00{annotator}\x00{subject_id}").random() < 0.5
