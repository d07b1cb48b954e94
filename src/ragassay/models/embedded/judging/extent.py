"""How many things an answer says, as numbers: beside the verifier's state, they tell a summary from a single fact."""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.small.verifier import LABELLING
from ragassay.text import sentence_spans

MOST_PARTS, MOST_ITEMS = 5, 4
"""More of them say no more."""


class Extent(NamedTuple):
    """given: 1 where there is an answer. parts: sentences, and clauses after semicolons, beyond the first.

    items: of the longest list, beyond two. words: the logarithm of their number. All 0 where there is no answer.
    """

    given: float = 0.0
    parts: float = 0.0
    items: float = 0.0
    words: float = 0.0


def extent_of(answer: str) -> Extent:
    """Of an answer, counted."""
    if not answer.split():
        return Extent()
    clauses = [
        part for start, end in sentence_spans(answer) for part in _PART.split(answer[start:end]) if part.strip()
    ] or [answer]
    items = max(sum(1 for item in _ITEM.split(clause) if item.strip()) for clause in clauses)
    parts = float(min(len(clauses) - 1, MOST_PARTS))
    return Extent(1.0, parts, float(min(max(0, items - 2), MOST_ITEMS)), math.log(len(answer.split())))


_PART = re.compile(r"[;\n]+")
_ITEM = re.compile(r",|\band\b|\bor\b")


def odds_of(answer: str) -> float:
    """What the extent of an answer adds to the log-odds that several things are asked for."""
    return sum(weight * value for weight, value in zip(_weights(), extent_of(answer), strict=True))


@lru_cache(1)
def _weights() -> tuple[float, ...]:
    return tuple(json.loads(LABELLING.read_text(encoding="utf-8"))["several"]["answer"])
