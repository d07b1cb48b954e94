"""The same amount in other words: "an hour and a half" and "90 minutes", "each week" and "per week"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.reading.quantities import CURRENCIES, MEASURES, Quantity, quantities
from ragassay.models.embedded.reading.terms import term_of

_PERIODS = "second|minute|hour|night|day|week|month|quarter|year"
_UNIT = "|".join(name for name, (dimension, _) in MEASURES.items() if dimension == "time" and len(name) > 2)
_COUNT = r"an?|one|\d+|[a-z]+(?:-[a-z]+)?"
_FORM = re.compile(
    rf"""\b(?:
    (?P<whole1>{_COUNT})\s+(?P<unit1>{_UNIT})\s+and\s+a\s+half
    | (?P<whole2>{_COUNT})\s+and\s+a\s+half\s+(?P<unit2>{_UNIT})
    | half\s+an?\s+(?P<half>{_UNIT})
    | (?:(?<=for\ )|(?<=in\ )|(?<=of\ )|(?<=within\ )|(?<=after\ )|(?<=takes\ )|(?<=lasts\ ))an?\s+(?P<one>{_UNIT})
    | (?:per|an?|each|every)\s+(?P<period>{_PERIODS})
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Amounts without a number, or with more than one word for it."""


class _Amount(NamedTuple):
    """key: the same for all wordings of one amount."""

    start: int
    end: int
    key: tuple[str, str, float]


def reworded(claim: str, text: str) -> str:
    """The claim with those amounts that the text gives, too, in the text's words."""
    given = {amount.key: text[amount.start : amount.end] for amount in reversed(_amounts(text))}
    for amount in reversed(_amounts(claim)):
        said = claim[amount.start : amount.end]
        if amount.key in given and said not in text:
            claim = claim[: amount.start] + given[amount.key] + claim[amount.end :]
    return claim


@lru_cache(maxsize=256)
def _amounts(text: str) -> tuple[_Amount, ...]:
    """The amounts of a text in their order; dates are none."""
    forms = list(_in_words(text))
    taken = [range(form.start, form.end) for form in forms]
    numbers = (_Amount(each.start, _end(each, text), _key(each)) for each in quantities(text) if each.kind in _COMPARED)
    return tuple(sorted((*forms, *(each for each in numbers if not any(each.start in span for span in taken)))))


_COMPARED = ("percent", "money", "number")
_LAST_WORD = re.compile(r"\s*[^\W\d_]+$")


def _end(quantity: Quantity, text: str) -> int:
    """Where an amount ends, without a word behind it that is no unit of it: "14 pounds", but "£14" of "£14 an"."""
    last = _LAST_WORD.search(text, quantity.start, quantity.end)
    if last is None:
        return quantity.end
    word = last.group().strip().lower()
    is_unit = word in CURRENCIES or word.startswith("percent") or word == "cent"
    return quantity.end if is_unit or (quantity.kind == "number" and term_of(word)) else last.start()


def _in_words(text: str) -> Iterator[_Amount]:
    for match in _FORM.finditer(text):
        if period := match["period"]:
            yield _Amount(match.start(), match.end(), ("per", "", float(_PERIODS.find(period.lower()))))
        for each in quantities(_number(match))[:1]:
            yield _Amount(match.start(), match.end(), _key(each))


def _key(quantity: Quantity) -> tuple[str, str, float]:
    dimension, value = quantity.measure or (quantity.unit, quantity.value)
    return (quantity.kind, dimension, value)


def _number(match: re.Match[str]) -> str:
    """A duration as a number with its unit; empty where the words hold no number."""
    if match["half"] or match["one"]:
        return f"0.5 {match['half']}" if match["half"] else f"1 {match['one']}"
    word = match["whole1"] or match["whole2"] or ""
    found = quantities(word)
    whole = 1.0 if word.lower() in ("a", "an", "one") else found[0].value if found else 0.0
    return f"{whole + 0.5:g} {match['unit1'] or match['unit2']}" if whole else ""
