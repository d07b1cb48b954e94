"""Whether a text says something else than a statement: another number or date, a negation, another name."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragassay.models.embedded.lexicon import NEGATIONS
from ragassay.models.embedded.quantities import Quantity, agreement, quantities

_WORD = re.compile(r"[a-z]+(?:n['’]t)?")
_MONTH_NAMES = ("January February March April May June July August September October November December").split()


class Clash(NamedTuple):
    """kind: number, date or negation. reason: what the statement says and the text does not."""

    kind: str
    reason: str


def clash(statement: str, passage: str) -> Clash | None:
    """The first clash between a statement and the passage that speaks of the same thing; None where there is none."""
    compared = agreement(quantities(statement), quantities(passage))
    if compared.clashing:
        quantity = compared.clashing[0]
        kind = "date" if quantity.kind in ("year", "month", "day") else "number"
        return Clash(kind, f"the text gives another {quantity.kind} than {written(quantity)}")
    if is_negated(statement) != is_negated(passage):
        which = "the statement" if is_negated(statement) else "the text"
        return Clash("negation", f"only {which} is negated")
    return None


def written(quantity: Quantity) -> str:
    """A quantity as a person would write it."""
    if quantity.kind == "month":
        return _MONTH_NAMES[int(quantity.value) - 1]
    value = f"{quantity.value:g}" if quantity.kind != "year" else str(int(quantity.value))
    return f"{value} %" if quantity.kind == "percent" else f"{quantity.unit if quantity.kind == 'money' else ''}{value}"


def is_negated(text: str) -> bool:
    """Whether the text holds an odd number of negations."""
    found: int = sum(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in _WORD.findall(text.lower()))
    return found % 2 == 1
